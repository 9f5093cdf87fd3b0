// Runs in a thread of its own: copies the write-ahead log into the database, which waits for the disk again and again.
// Plain JavaScript, as it is started from its text: by the bundle, which is one file, and by the sources alike.
const { createRequire } = require('node:module')
const { parentPort, workerData } = require('node:worker_threads')

/** @type {import('./checkpointer.ts').CheckpointWorkerData} */
const { path, requireFrom } = workerData
/** @type {typeof import('better-sqlite3')} */
const SqliteConnection = createRequire(requireFrom)('better-sqlite3')

/** How long emptying the log waits for the reads that still use it, in milliseconds: writes wait for it meanwhile. */
const READS_END = 100

const connection = new SqliteConnection(path, { timeout: READS_END })
connection.pragma('synchronous = NORMAL')
connection.pragma('fullfsync = ON')

parentPort?.on('message', mode => parentPort.postMessage(checkpoint(mode)))

/**
 * @param {import('./checkpointer.ts').CheckpointMode} mode
 * @returns {import('./checkpointer.ts').CheckpointAnswer}
 */
function checkpoint(mode) {
  try {
    const [row] = connection.pragma(`wal_checkpoint(${mode})`)
    return { complete: row.busy === 0 }
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED|FULL)/.test(error.code ?? '')) return { complete: false }
    return { error: String(error) }
  }
}
