// This script runs in a thread of its own. It copies the write-ahead log into the database, which waits for the disk repeatedly.
const { statSync } = require('node:fs')
const { parentPort, workerData } = require('node:worker_threads')
const { openSqliteFile } = require('./open-file.cjs')

/** @type {import('../checkpointer.ts').CheckpointWorkerData} */
const { path, database } = workerData

/** How long emptying the log waits for the reads that still use it, in milliseconds. Writes wait meanwhile. */
const READS_END = 100

let connection

/** Throws if another file is in the place of the database, because it would get the log of this one. */
function verify() {
  const { dev, ino } = statSync(path, { bigint: true })
  if (dev !== database.dev || ino !== database.ino) throw new Error(`${path} was replaced by another file.`)
}

function open() {
  const opened = openSqliteFile(path, { timeout: READS_END, fileMustExist: true })
  opened.pragma('synchronous = NORMAL')
  opened.pragma('fullfsync = ON')
  return opened
}

parentPort?.on('message', message => {
  if (message === 'end') end()
  else parentPort.postMessage(checkpoint(message))
})

/** Closes the connection. A thread that ends with an open connection would leave it to the garbage collector. */
function end() {
  connection?.close()
  parentPort?.close()
}

/**
 * @param {import('../checkpointer.ts').CheckpointMode} mode
 * @returns {import('../checkpointer.ts').CheckpointAnswer}
 */
function checkpoint(mode) {
  try {
    verify()
    connection ??= open()
    verify()
    const [{ busy, log, checkpointed }] = connection.pragma(`wal_checkpoint(${mode})`)
    return { complete: busy === 0, frames: log, copied: checkpointed }
  } catch (error) {
    if (/^SQLITE_(BUSY|LOCKED|FULL)/.test(error.code ?? '')) return { complete: false, frames: 1, copied: 0 }
    return { error: String(error), code: error.code }
  }
}
