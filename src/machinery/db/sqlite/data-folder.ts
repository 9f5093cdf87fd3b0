import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { makeFolders, removeEmpty } from '#machinery/files/make-folders.ts'
import { keepPrivate } from '#machinery/files/private-file.ts'
import { syncFolder } from '#machinery/files/sync-folder.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import type { Database } from '../port.ts'
import { openSqlite, type SqliteDatabase, type SqliteOptions } from './database.ts'
import { identify } from './database-files.ts'
import type { SqliteObserver } from './metrics.ts'
import { isLocked, lockForServer, type ServerLock } from './server-lock.ts'
import { refuseStray } from './stray-files.ts'

const DATABASE = 'turnout.db'
const LOCK = 'server.lock'

/**
 * How long a writing command may wait for the running server, in milliseconds. It gets its turn only between two writes of the
 * server.
 */
const COMMAND_BUSY_TIMEOUT = 30_000

/**
 * Makes the data folder if there is none. Only its owner may look inside, because it holds names, e-mails and signing keys.
 *
 * @returns a function that removes the folders that were made, as far as they are empty
 * @throws Refusal
 */
export function makeDataFolder(folder: string): () => void {
  const made = asData(folder, 'made', () => makeFolders(folder))
  // This throws if the folder may not be entered, because then nobody can tell what is in it.
  if (made.length === 0) hasDatabase(folder)
  for (const each of made) syncFolder(dirname(each))
  return () => removeEmpty(made)
}

function asData<T>(folder: string, done: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Refusal(
      `The data folder ${folder} cannot be ${done}: ${reasonOf(error)}. Choose another with --data.`,
    )
  }
}

/**
 * Makes the data folder, and claims it for one server.
 *
 * @param refuse throws before anything is locked
 * @returns a function that frees the folder and removes what it made if there is still no database
 * @throws Refusal if another server runs on the folder, or it cannot be made
 */
export function claimDataFolder(folder: string, refuse?: () => void): ServerLock {
  const removeMade = makeDataFolder(folder)
  const path = join(folder, LOCK)
  // An older lock shows that there was a database.
  const isNew = !existsSync(path)
  const remove = () => {
    if (!isNew || hasDatabase(folder)) return
    for (const end of ['', '-journal']) rmSync(path + end, { force: true })
    removeMade()
  }
  try {
    refuse?.()
    const lock = lockForServer(path)
    const free = () => {
      // The folder is cleaned while it is locked, so nobody else can rely on it.
      remove()
      lock()
    }
    return Object.assign(free, { keep: lock.keep })
  } catch (error) {
    removeMade()
    throw error
  }
}

/** Returns whether a server runs on the folder. */
export function isServed(folder: string): boolean {
  return isLocked(join(folder, LOCK))
}

/**
 * Claims the folder for a server that is to run on it. A new database in the place of one that was taken away would look to
 * everybody as if all data were lost.
 *
 * @throws Refusal if another server runs on the folder, or a server has run there and its database is gone
 */
export function claimForServer(folder: string): ServerLock {
  const lock = join(folder, LOCK)
  const wasServed = existsSync(lock)
  const path = databasePath(folder)
  const claim = claimDataFolder(folder, () => refuseStray(path))
  if (!wasServed || (identify(path)?.size ?? 0n) > 0n) return claim
  claim()
  throw new Refusal(
    `${path} is missing or empty, though a server has run here: there is ${lock}. Put the database back; to begin anew, delete both.`,
  )
}

/** Returns whether the folder has a database. @throws Refusal if the folder may not be entered, so that nobody can tell */
export function hasDatabase(folder: string): boolean {
  const found = asData(folder, 'entered', () => statSync(databasePath(folder), { throwIfNoEntry: false }))
  return found !== undefined
}

export function databasePath(folder: string): string {
  return join(folder, DATABASE)
}

/**
 * Opens the database of a data folder as the server does.
 *
 * @param onFailure runs when nobody knows any more what is on the disk, or when the files or the claim were lost
 * @param keepClaim of the lock of the folder
 * @throws Refusal
 */
export function openDatabaseForServer(
  folder: string,
  clock: Clock,
  onFailure: (error: unknown) => void,
  observer?: SqliteObserver,
  keepClaim?: () => void,
): SqliteDatabase {
  return open(folder, { clock, server: { onFailure, observer, keepClaim } })
}

/** Opens the database as a command does. A command may run beside a server and then waits longer. @throws Refusal */
export function openDatabaseForCommand(folder: string, clock: Clock): Database {
  return open(folder, { clock, busyTimeout: COMMAND_BUSY_TIMEOUT, claim: () => claimDataFolder(folder) })
}

function open(folder: string, options: SqliteOptions): SqliteDatabase {
  const removeMade = makeDataFolder(folder)
  const path = databasePath(folder)
  let isNew = false
  try {
    refuseStray(path)
    isNew = keepPrivate(path)
    return openSqlite(path, options)
  } catch (error) {
    if (isNew) removeUnmade(path)
    removeMade()
    throw error
  }
}

/** The size of a database that has its settings and no table yet, in bytes. */
const EMPTY_DATABASE = 4096

/** Removes a database that could not be made, for example on a full disk. One that another process has filled meanwhile stays. */
function removeUnmade(path: string): void {
  const beside = [`${path}-wal`, `${path}-shm`, `${path}-journal`]
  if (beside.some(existsSync) || !existsSync(path) || statSync(path).size > EMPTY_DATABASE) return
  rmSync(path)
}
