import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { DatabaseRefused } from './port.ts'
import { keepPrivate } from './private-file.ts'
import { explainOpening } from './sqlite-connection.ts'

/** Whether a server runs on a data folder. Makes no file, and claims nothing. */
export function serverRunsOn(folder: string): boolean {
  const path = join(folder, 'server.lock')
  if (!existsSync(path)) return false
  let lock: SqliteConnection.Database | undefined
  try {
    lock = new SqliteConnection(path, { timeout: 0, readonly: true })
    lock.pragma('user_version')
    return false
  } catch (error) {
    if (error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw explainOpening(path, error)
  } finally {
    lock?.close()
  }
}

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
    lock = new SqliteConnection(path, { timeout: 0 })
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
