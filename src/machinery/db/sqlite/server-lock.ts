import { existsSync, rmSync } from 'node:fs'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { keepPrivate } from '#machinery/files/private-file.ts'
import { openSqliteFile } from './addon/open-file.ts'
import { explainOpening } from './connection.ts'
import { type FileIdentity, identify, isSameFile } from './database-files.ts'
import { refuseHardLink } from './stray-files.ts'

/** Calling it frees the lock. */
export interface ServerLock {
  (): void
  /**
   * Takes the lock again if its file was removed or replaced, before another server can.
   *
   * @throws Refusal if another server was faster
   */
  keep(): void
}

/** How long a server waits for a command that checks whether there is a server, in milliseconds. */
const CHECK_WAIT = 500

/**
 * Claims a data folder for one server. The lock is an SQLite file under an exclusive lock, which the system frees when the
 * process ends, however it ends.
 *
 * @returns the lock, which frees the folder when it is called
 * @throws Refusal if another server runs on the folder
 */
export function lockForServer(path: string): ServerLock {
  let held = take(path)
  const keep = () => {
    if (isSameFile(identify(path), held.file)) return
    held.connection.close()
    try {
      held = take(path)
    } catch (error) {
      throw new Refusal(
        `Another server has taken over the data folder, or its lock was lost, as ${path} was removed or replaced. This one has stopped.`,
        { cause: error },
      )
    }
  }
  return Object.assign(() => void held.connection.close(), { keep })
}

interface HeldLock {
  connection: SqliteConnection.Database
  file: FileIdentity | undefined
}

/** Takes the lock of the file at the path. @throws Refusal */
function take(path: string): HeldLock {
  for (;;) {
    // Whoever may read a file may also lock it, and then no server could start.
    const isNew = keepPrivate(path)
    refuseHardLink(path)
    const file = identify(path)
    const isStillThere = () => file !== undefined && isSameFile(identify(path), file)
    try {
      const connection = lock(path)
      // Otherwise the lock is on a file that no longer has a name.
      if (isStillThere()) return { connection, file }
      connection.close()
    } catch (error) {
      if (!isStillThere()) continue
      if (isNew && !isBusy(error)) rmSync(path, { force: true })
      throw explainLocking(path, error)
    }
  }
}

function lock(path: string): SqliteConnection.Database {
  let connection: SqliteConnection.Database | undefined
  try {
    connection = openSqliteFile(path, { timeout: CHECK_WAIT })
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection?.close()
    throw error
  }
}

/** Returns whether a server holds the lock. The check reads the file, which keeps others out only while it reads. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  let connection: SqliteConnection.Database | undefined
  try {
    connection = openSqliteFile(path, { timeout: 0, readonly: true })
    connection.pragma('user_version')
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    connection?.close()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteConnection.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function explainLocking(path: string, error: unknown): unknown {
  if (isBusy(error)) {
    return new Refusal(`Another server already runs on this data folder (${path} is locked). Stop it first.`)
  }
  if (error instanceof SqliteConnection.SqliteError && error.code === 'SQLITE_NOTADB') {
    return new Refusal(`${path} is not a lock of Turnout. Delete it.`, { cause: error })
  }
  return explainOpening(path, error)
}
