import { existsSync, rmSync } from 'node:fs'
import SqliteConnection from 'better-sqlite3'
import { DatabaseRefused } from './port.ts'
import { keepPrivate } from './private-file.ts'
import { explainOpening } from './sqlite-connection.ts'

/** How long a server waits for a command that asks whether there is one, in milliseconds. */
const ASKED_FOR = 500

/**
 * Claims a data folder for one server: an SQLite file under an exclusive lock, which the system frees when the process
 * ends, however it ends.
 *
 * @returns what frees it
 * @throws DatabaseRefused when another server runs on the folder
 */
export function lockForServer(path: string): () => void {
  // Who may read a file may lock it too, and no server would start.
  const isNew = keepPrivate(path)
  let lock: SqliteConnection.Database | undefined
  try {
    lock = new SqliteConnection(path, { timeout: ASKED_FOR })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if (error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new DatabaseRefused(
        `Another server already runs on this data folder (${path} is locked). Stop it first.`,
      )
    }
    if (isNew) rmSync(path, { force: true })
    if (error instanceof SqliteConnection.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new DatabaseRefused(`${path} is not a lock of Turnout. Delete it.`, { cause: error })
    }
    throw explainOpening(path, error)
  }
  return () => lock?.close()
}

/** Whether a server holds the lock. To ask is to read the file, which keeps nobody out for longer than that. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  let lock: SqliteConnection.Database | undefined
  try {
    lock = new SqliteConnection(path, { timeout: 0, readonly: true })
    lock.pragma('user_version')
    return false
  } catch (error) {
    return error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')
  } finally {
    lock?.close()
  }
}
