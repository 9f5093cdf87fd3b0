// Runs in a thread of its own: copies a whole database, which takes the disk for seconds.
const { parentPort, workerData } = require('node:worker_threads')
const SqliteConnection = require('better-sqlite3')

/** @type {import('../copies/backup.ts').BackupWorkerData} */
const { path, into, timeout } = workerData

parentPort?.postMessage(copy())

/** @returns {import('../copies/backup.ts').BackupAnswer} */
function copy() {
  let connection
  try {
    connection = new SqliteConnection(path, { timeout, fileMustExist: true })
    connection.pragma('synchronous = NORMAL')
    connection.pragma('fullfsync = ON')
    connection.pragma('trusted_schema = OFF')
    if (connection.pragma('user_version', { simple: true }) === 0) return { foreign: true }
    // Not the online backup: that begins anew whenever another connection has written, and never ends under load.
    connection.prepare('VACUUM INTO ?').run(into)
    return {}
  } catch (error) {
    return { code: error.code ?? '', message: String(error) }
  } finally {
    connection?.close()
  }
}
