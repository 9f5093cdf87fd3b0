import SqliteConnection from 'better-sqlite3'
import { DatabaseRefused } from './port.ts'

/**
 * Claims a data folder for one server: an SQLite file under an exclusive lock, which the system frees when the process
 * ends, however it ends.
 *
 * @returns what frees it
 * @throws DatabaseRefused when another server runs on the folder
 */
export function lockForServer(path: string): () => void {
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
    throw new DatabaseRefused(
      `${path} cannot be locked. Delete it, or check who owns the folder, and its rights.`,
      {
        cause: error,
      },
    )
  }
  return () => lock?.close()
}
