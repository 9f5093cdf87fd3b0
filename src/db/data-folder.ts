import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Clock } from '../time.ts'
import { type Database, DatabaseRefused } from './port.ts'
import { openSqlite, type SqliteOptions } from './sqlite.ts'
import { syncFolder } from './wal.ts'

const DATABASE = 'turnout.db'

/** What a command that writes may wait for the running server, in milliseconds: it meets it only between two writes. */
const COMMAND_BUSY_TIMEOUT = 30_000

/**
 * Makes the data folder where there is none. Only its owner may look inside: it holds names, e-mails and signing keys.
 *
 * @throws DatabaseRefused
 */
export function makeDataFolder(folder: string): void {
  try {
    const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    const outermost = dirname(resolve(first))
    for (let made = resolve(folder); made !== outermost; made = dirname(made)) syncFolder(dirname(made))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DatabaseRefused(
      `The data folder ${folder} cannot be made (${code}). Choose another with --data.`,
    )
  }
}

export function hasDatabase(folder: string): boolean {
  return existsSync(join(folder, DATABASE))
}

export function databasePath(folder: string): string {
  return join(folder, DATABASE)
}

export function serverLockPath(folder: string): string {
  return join(folder, 'server.lock')
}

/**
 * Opens the database of a data folder, as the server does.
 *
 * @param onFailure what is done when nobody knows any more what is on the disk
 * @throws DatabaseRefused
 */
export function openDatabaseForServer(
  folder: string,
  clock: Clock,
  onFailure: (error: unknown) => void,
): Database {
  return open(folder, { clock, server: { onFailure } })
}

/** Opens it as a command does, which may run beside a server and then has the longer patience. @throws DatabaseRefused */
export function openDatabaseForCommand(folder: string, clock: Clock): Database {
  return open(folder, { clock, busyTimeout: COMMAND_BUSY_TIMEOUT })
}

function open(folder: string, options: SqliteOptions): Database {
  makeDataFolder(folder)
  const path = databasePath(folder)
  keepPrivate(path)
  return openSqlite(path, options)
}

/** SQLite gives the files beside the database its rights, so it has them before there is anything in it. */
function keepPrivate(path: string): void {
  try {
    // Only where there is none: closing a database file frees the locks that SQLite holds on it for this process.
    if (!existsSync(path)) closeSync(openSync(path, 'ax', 0o600))
    for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DatabaseRefused(
      `${path} cannot be opened for writing (${code}). Check who owns the folder, and its rights.`,
    )
  }
}
