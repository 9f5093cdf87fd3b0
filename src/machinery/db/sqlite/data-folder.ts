import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders, removeEmpty } from '../../files/make-folders.ts'
import { keepPrivate } from '../../files/private-file.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import { reasonOf } from '../../files/system-error.ts'
import { Refusal } from '../../refusal.ts'
import type { Clock } from '../../time.ts'
import type { Database } from '../port.ts'
import { openSqlite, type SqliteDatabase, type SqliteOptions } from './database.ts'
import { identify } from './database-files.ts'
import type { SqliteObserver } from './metrics.ts'
import { isLocked, lockForServer, type ServerLock } from './server-lock.ts'
import { refuseStray } from './stray-files.ts'

const DATABASE = 'turnout.db'
const LOCK = 'server.lock'

/** What a command that writes may wait for the running server, in milliseconds: it meets it only between two writes. */
const COMMAND_BUSY_TIMEOUT = 30_000

/**
 * Makes the data folder where there is none. Only its owner may look inside: it holds names, e-mails and signing keys.
 *
 * @returns what takes away again the folders that it made, as far as they are empty
 * @throws Refusal
 */
export function makeDataFolder(folder: string): () => void {
  const made = asData(folder, 'made', () => makeFolders(folder))
  // What is in it cannot be told where it may not be entered.
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
 * @returns what frees it; where no database has come into being, nothing of it stays
 * @throws Refusal when another server runs on the folder, or it cannot be made
 */
export function claimDataFolder(folder: string, refuse?: () => void): ServerLock {
  const removeMade = makeDataFolder(folder)
  const path = join(folder, LOCK)
  // One that is older says that there was a database.
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
      // As long as it is locked: nobody else can rely on it.
      remove()
      lock()
    }
    return Object.assign(free, { keep: lock.keep })
  } catch (error) {
    removeMade()
    throw error
  }
}

/** Whether a server runs on the folder. */
export function isServed(folder: string): boolean {
  return isLocked(join(folder, LOCK))
}

/**
 * Claims it for a server that is to run on it. A new database in the place of one that was taken away would look as if all
 * were lost, to everybody.
 *
 * @throws Refusal when another server runs on the folder, or a server has run there and its database is gone
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

/** @throws Refusal when the folder may not be entered, so that nobody can tell */
export function hasDatabase(folder: string): boolean {
  const found = asData(folder, 'entered', () => statSync(databasePath(folder), { throwIfNoEntry: false }))
  return found !== undefined
}

export function databasePath(folder: string): string {
  return join(folder, DATABASE)
}

/**
 * Opens the database of a data folder, as the server does.
 *
 * @param onFailure what is done when nobody knows any more what is on the disk, or the files or the claim were lost
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

/** Opens it as a command does, which may run beside a server and then has the longer patience. @throws Refusal */
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

/** Takes a database away that could not be made, on a full disk say; one that another process has filled meanwhile stays. */
function removeUnmade(path: string): void {
  const beside = [`${path}-wal`, `${path}-shm`, `${path}-journal`]
  if (beside.some(existsSync) || !existsSync(path) || statSync(path).size > EMPTY_DATABASE) return
  rmSync(path)
}
