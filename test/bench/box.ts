import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { LoadProcess } from './child.ts'
import { Contestant } from './contestant.ts'
import type { Filled } from './fill.ts'
import { checkIns, type Settings } from './measures.ts'
import { figure, median, type Row } from './table.ts'

/** One processor alone, as the smallest boxes have. */
const ONE_PROCESSOR = ['taskset', '--cpu-list', '0']
const DOORS = 5
/** Between two tickets of a door, in milliseconds. People need longer. */
const PAUSE = 100
const SCANNED = 20
/** How long nobody does anything, in seconds. A heartbeat comes each minute. */
const IDLE = 190
const HOUR = 3600

const MOST = { scan: 100, memory: 300, start: 2000, idleWrites: IDLE / 60 + 1 }

/** Measures the server on one processor: how fast it starts and checks in, its memory, and what wears a memory card out. */
export async function measureBox(
  load: LoadProcess,
  filled: Filled,
  folder: string,
  settings: Settings,
): Promise<Row[]> {
  const box = new Contestant('turnout', filled, folder, [], undefined, ONE_PROCESSOR)
  try {
    const starts: number[] = []
    for (let round = 0; round < settings.rounds; round++) {
      await box.stop()
      starts.push(await box.start())
    }
    const before = writtenBy(box)
    const work = checkIns(box, Math.ceil((DOORS * SCANNED * 1000) / PAUSE))
    const base = { host: '127.0.0.1', port: box.port, key: filled.key }
    const {
      p99,
      median: usual,
      count,
    } = await load.run({
      ...{ ...base, connections: DOORS, seconds: SCANNED, pause: PAUSE, work },
    })
    // The log is merged some time after the last check-in, and that is written too.
    await pause(10_000)
    const each = (writtenBy(box) - before) / count
    const idle = await watchIdle(box)
    const { peak } = box.memory()
    return [
      {
        what: 'small box, one processor: start to first answer, ms',
        turnout: figure(median(starts)),
        target: `under ${MOST.start}`,
        reached: median(starts) < MOST.start,
      },
      {
        what: `  a check-in at ${DOORS} doors, median / p99, ms`,
        turnout: `${figure(usual)} / ${figure(p99)}`,
        compared: `${figure(count / SCANNED)} a second`,
        target: `p99 under ${MOST.scan}`,
        reached: p99 < MOST.scan,
      },
      {
        what: '  peak memory, MiB',
        turnout: figure(peak),
        target: `under ${MOST.memory}`,
        reached: peak < MOST.memory,
      },
      { what: '  written to the disk for a check-in, kB', turnout: figure(each / 1000), target: '' },
      {
        what: `  written in an hour when nobody does anything, kB`,
        turnout: figure((idle.bytes / IDLE) * (HOUR / 1000)),
        compared: `${idle.times} times in ${IDLE} s`,
        target: 'at most once a minute',
        reached: idle.times <= MOST.idleWrites,
      },
    ]
  } finally {
    await box.stop()
  }
}

/** Returns what the process has had written to disks, in bytes. */
function writtenBy({ pid }: Contestant): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** Counts the bytes that are written while nobody does anything, and in how many different seconds. */
async function watchIdle(box: Contestant): Promise<{ bytes: number; times: number }> {
  const before = writtenBy(box)
  let [last, times] = [before, 0]
  for (let second = 0; second < IDLE; second++) {
    await pause(1000)
    const now = writtenBy(box)
    if (now > last) times++
    last = now
  }
  return { bytes: last - before, times }
}
