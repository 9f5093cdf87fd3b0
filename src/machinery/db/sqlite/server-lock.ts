import { existsSync, rmSync } from 'node:fs'
import SqliteConnection from 'better-sqlite3'
import { keepPrivate } from '../../files/private-file.ts'
import { Refusal } from '../../refusal.ts'
import { explainOpening } from './connection.ts'
import { type FileIdentity, identify, isSameFile } from './database-files.ts'
import { refuseHardLink } from './stray-files.ts'

/** Frees the lock when it is called. */
export interface ServerLock {
  (): void
  /**
   * Takes it anew where its file was removed or replaced, before another server can.
   *
   * @throws Refusal when another server was faster
   */
  keep(): void
}

/** How long a server waits for a command that asks whether there is one, in milliseconds. */
const ASKED_FOR = 500

/**
 * Claims a data folder for one server: an SQLite file under an exclusive lock, which the system frees when the process
 * ends, however it ends.
 *
 * @returns what frees it
 * @throws Refusal when another server runs on the folder
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

/** @throws Refusal */
function take(path: string): HeldLock {
  for (;;) {
    // Who may read a file may lock it too, and no server would start.
    const isNew = keepPrivate(path)
    refuseHardLink(path)
    const file = identify(path)
    const isStillThere = () => file !== undefined && isSameFile(identify(path), file)
    try {
      const connection = lock(path)
      // Else what is locked is a file without a name.
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
    connection = new SqliteConnection(path, { timeout: ASKED_FOR })
    connection.exec('BEGIN EXCLUSIVE')
    return connection
  } catch (error) {
    connection?.close()
    throw error
  }
}

/** Whether a server holds the lock. To ask is to read the file, which keeps nobody out for longer than that. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false
  let connection: SqliteConnection.Database | undefined
  try {
    connection = new SqliteConnection(path, { timeout: 0, readonly: true })
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
