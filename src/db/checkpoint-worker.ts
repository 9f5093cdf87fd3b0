import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type SqliteConnection from 'better-sqlite3'
import type { CheckpointAnswer, CheckpointMode, CheckpointWorkerData } from './checkpointer.ts'

/** Runs in a thread of its own: copies the write-ahead log into the database, which waits for the disk again and again. */
const { path, requireFrom } = workerData as CheckpointWorkerData
const Sqlite = createRequire(requireFrom)('better-sqlite3') as typeof SqliteConnection
/** How long emptying the log waits for the reads that still use it, in milliseconds: writes wait for it meanwhile. */
const READS_END = 100
const connection = new Sqlite(path, { timeout: READS_END })
connection.pragma('synchronous = NORMAL')
connection.pragma('fullfsync = ON')

parentPort?.on('message', (mode: CheckpointMode) => {
  parentPort?.postMessage(checkpoint(mode))
})

function checkpoint(mode: CheckpointMode): CheckpointAnswer {
  try {
    const [row] = connection.pragma(`wal_checkpoint(${mode})`) as [{ busy: 0 | 1 }]
    return { complete: row.busy === 0 }
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    if (/^SQLITE_(BUSY|LOCKED|FULL)/.test(code)) return { complete: false }
    return { error: String(error) }
  }
}
