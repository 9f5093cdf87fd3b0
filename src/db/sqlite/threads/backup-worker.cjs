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
    markCopy()
    return {}
  } catch (error) {
    return { code: error.code ?? '', message: String(error) }
  } finally {
    connection?.close()
  }
}

/** Whoever starts a server on the copy is asked whether there is another: its mark is that of no start. */
function markCopy() {
  const copied = new SqliteConnection(into)
  try {
    const isMarked = copied.pragma('table_info(instance)').some(({ name }) => name === 'run_mark')
    if (isMarked) copied.exec("UPDATE instance SET run_mark = 'copy' WHERE run_mark IS NOT NULL")
  } finally {
    copied.close()
  }
}
