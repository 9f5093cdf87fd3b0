import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { removeLeftovers } from '#machinery/files/staged-file.ts'
import { RESCUED } from './copies/rescue.ts'
import { findOpenFile, identify } from './database-files.ts'

/**
 * Refuses files that SQLite would mistake for something else, before anything opens them.
 *
 * @param path of a database, which need not exist
 * @throws Refusal if the database has another name, is missing beside its own files, or the log beside it belongs to another
 */
export function refuseStray(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Refusal(
      `${path} is a link. Name the folder of the file that it leads to with --data, or make the folder itself a link.`,
    )
  }
  for (const end of ['', '-wal', '-shm']) refuseHardLink(path + end)
  refuseMissing(path)
  refuseOtherLog(path)
}

/**
 * Refuses a file with two names. Two folders with one database file would each have a server, because the lock and the log are
 * beside the file.
 *
 * @throws Refusal
 */
export function refuseHardLink(path: string): void {
  if (!hasOtherName(path)) return
  // A killed process may have left the temporary name under which it made the file.
  removeLeftovers(dirname(path))
  if (!hasOtherName(path)) return
  throw new Refusal(
    `${path} has another name, a hard link: two servers would write to one file. Remove one of the names; a copy may stay.`,
  )
}

function hasOtherName(path: string): boolean {
  return (identify(path)?.nlink ?? 0n) > 1n
}

/**
 * Refuses a missing database whose other files are there. SQLite deletes a log or a journal that it finds alone. With it go the
 * last changes, and the sign that there were any.
 */
function refuseMissing(path: string): void {
  const database = identify(path)
  if (database !== undefined && database.size > 0n) return
  const isFilled = (file: string) => (identify(file)?.size ?? 0n) > 0n
  const left = [`${path}-wal`, ...(database === undefined ? [`${path}-journal`] : [])].find(isFilled)
  const found = left ?? findRescued(path)
  if (found === undefined) return
  throw new Refusal(
    `${path} is missing, and there is ${found}, which belongs to it. Put the database back; to begin anew, move that away first.`,
  )
}

function findRescued(path: string): string | undefined {
  const folder = dirname(path)
  const names = existsSync(folder) ? readdirSync(folder) : []
  const name = names.find(each => each.startsWith(basename(path)) && each.includes(RESCUED))
  return name && join(folder, name)
}

/** The position of the byte in which SQLite says whether changes go through a log. */
const VERSIONS_AT = 18
const WITHOUT_LOG = 1

/**
 * Refuses a log of another database. SQLite applies any log that it finds, also after another database was copied into the place
 * of its own. The header of a backup says that it has no log.
 */
function refuseOtherLog(path: string): void {
  const database = identify(path)
  const log = identify(`${path}-wal`)
  // Closing a file that SQLite has open in this process would free its locks. An open file was already checked.
  if (database === undefined || log === undefined || log.size === 0n || findOpenFile(database)) return
  const version = Buffer.alloc(1)
  const file = openSync(path, 'r')
  try {
    readSync(file, version, 0, 1, VERSIONS_AT)
  } finally {
    closeSync(file)
  }
  if (version[0] !== WITHOUT_LOG) return
  throw new Refusal(
    `${path}-wal is the log of another database than the ${basename(path)} beside it, which it would destroy. Move it away; better, restore a backup into a new folder with "turnout restore".`,
  )
}
