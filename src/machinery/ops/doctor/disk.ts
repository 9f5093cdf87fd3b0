import { statfs } from 'node:fs/promises'
import { openUnnamed } from '#machinery/files/unnamed-file.ts'
import { type DiskSpace, isNearlyFull, readDiskSpace } from '../instance-needs.ts'
import { type Finding, finding } from './finding.ts'

/** With less than this free, in bytes, the next writes fail. */
const FULL = 100e6
/** As many writes as a door makes in some seconds. Each is the size of a page of the database. */
const SYNCS = 12
const PAGE = 4096
/** Each check-in and order waits for one sync. Above this median, in milliseconds, people at a door see it. */
const SLOW_SYNC = 50

/** The kinds of file systems that are no place for a database, by what Linux calls their magic number. */
const IN_MEMORY = new Set([0x01021994, 0x858458f6])
const ON_NETWORK = new Set([0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x00c36400])
const IN_CONTAINER = 0x794c7630

export interface DiskPatient {
  data: string
  /** Whether the database is a file in the folder. */
  hasDatabase: boolean
  /** For tests: all that the system says of the folder. */
  diskSpace?: ((folder: string) => Promise<DiskSpace>) | undefined
  fileSystem?: ((folder: string) => Promise<number>) | undefined
  timeSync?: ((folder: string) => Promise<number>) | undefined
}

/** Looks at the disk of the data folder: what kind it is, how much is free, and how long it takes to keep a page for good. */
export async function lookAtDisk({
  data,
  hasDatabase,
  diskSpace = readDiskSpace,
  fileSystem = readFileSystem,
  timeSync = measureSync,
}: DiskPatient): Promise<Finding[]> {
  return [
    ...(hasDatabase ? lookAtKind(data, await fileSystem(data)) : []),
    lookAtSpace(await diskSpace(data)),
    ...(hasDatabase ? [lookAtSync(await timeSync(data))] : []),
  ]
}

function lookAtKind(data: string, kind: number): Finding[] {
  if (IN_MEMORY.has(kind))
    return [finding('error', 'data_in_memory', ({ texts }) => texts.doctor.dataInMemory(data))]
  if (ON_NETWORK.has(kind))
    return [finding('error', 'data_on_network', ({ texts }) => texts.doctor.dataOnNetwork(data))]
  if (kind === IN_CONTAINER)
    return [finding('warning', 'data_in_container', ({ texts }) => texts.doctor.dataInContainer(data))]
  return []
}

function lookAtSpace(disk: DiskSpace): Finding {
  const level = disk.free < FULL ? 'error' : isNearlyFull(disk) ? 'warning' : 'ok'
  const code = { error: 'disk_full', warning: 'disk_nearly_full', ok: 'disk_free' } as const
  return finding(level, code[level], ({ texts, format }) => {
    const [free, total] = [format.bytes(disk.free), format.bytes(disk.total)]
    return level === 'ok' ? texts.doctor.diskFree(free, total) : texts.doctor.diskNearlyFull(free, total)
  })
}

function lookAtSync(median: number): Finding {
  const shown = median < 10 ? median.toFixed(1) : median.toFixed(0)
  if (median > SLOW_SYNC) return finding('warning', 'disk_slow', ({ texts }) => texts.doctor.diskSlow(shown))
  return finding('ok', 'disk_sync', ({ texts }) => texts.doctor.diskSync(shown))
}

async function readFileSystem(folder: string): Promise<number> {
  return (await statfs(folder)).type
}

/** Writes pages to a file that nobody else sees. @returns the median of what one takes until it is kept, in milliseconds */
async function measureSync(folder: string): Promise<number> {
  const file = await openUnnamed(folder)
  try {
    const page = Buffer.alloc(PAGE, 1)
    const times: number[] = []
    for (let at = 0; at < SYNCS; at++) {
      const began = performance.now()
      await file.write(page, 0, PAGE, at * PAGE)
      await file.datasync()
      times.push(performance.now() - began)
    }
    return times.sort((one, other) => one - other)[SYNCS / 2] as number
  } finally {
    await file.close()
  }
}
