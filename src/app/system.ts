import { statfs } from 'node:fs/promises'
import type { SystemService } from '../dashboard/system-service.ts'
import type { OpenedDatabase } from '../db/engine.ts'
import { describeEngine } from '../db/open.ts'
import type { ClockWatch } from '../ops/clock-watch.ts'
import type { ScheduledBackups } from '../ops/scheduled-backups.ts'
import type { Clock } from '../time.ts'
import { version } from '../version.ts'
import type { DatabaseCheck } from './database-check.ts'

/** Of a backup that is downloaded, in bytes. */
const CHUNK = 64 * 1024

export interface SystemParts {
  /** The data folder. */
  data: string
  clock: Clock
  database: Pick<OpenedDatabase, 'size'>
  clockWatch: Pick<ClockWatch, 'warnings'>
  certificateEnds: () => number | undefined
  backups: ScheduledBackups | undefined
  check: DatabaseCheck
}

/** The instance, for the page of its operators. */
export function systemOf(parts: SystemParts): SystemService {
  const { data, clock, database, clockWatch, certificateEnds, backups, check } = parts
  const program = { version, node: process.version, engine: describeEngine(), startedAt: clock() }
  return {
    look: async () => ({
      ...program,
      database: await database.size(),
      disk: await readDiskSpace(data),
      certificateEnds: certificateEnds(),
      clock: clockWatch.warnings(),
      backups: backups && {
        plan: backups.plan(),
        made: await backups.list(),
        underWay: backups.underWay(),
        last: backups.last,
      },
      check: check.state,
    }),
    backUp: () => {
      if (backups === undefined || backups.underWay() !== undefined) return false
      void backups.run(true)
      return true
    },
    openBackup: async name => {
      const file = await backups?.open(name)
      if (file === undefined) return undefined
      const { size } = await file.stat()
      const chunks = file.createReadStream({ highWaterMark: CHUNK })
      return { size, chunks, close: () => file.close() }
    },
    check: () => check.run(),
  }
}

async function readDiskSpace(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
