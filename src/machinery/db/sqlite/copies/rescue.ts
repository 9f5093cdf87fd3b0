import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { toBasicIso } from '#base/time.ts'
import { makeFolders } from '#machinery/files/make-folders.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import { syncFolder } from '#machinery/files/sync-folder.ts'
import { reasonOf } from '#machinery/files/system-error.ts'
import type { Connection } from '../connection.ts'
import {
  type DatabaseFiles,
  type DatabaseLost,
  findOpenFile,
  identify,
  isSameFile,
} from '../database-files.ts'

/** The part of a name for a file that is kept beside a lost database: `turnout.db.rescued-20261121T030000Z`. */
export const RESCUED = '.rescued-'

export interface OpenDatabase {
  files: DatabaseFiles
  writer: Connection
  reader: Connection
  /** Milliseconds. */
  now: number
}

/**
 * Makes sure that one file has everything that the server has acknowledged, before the server ends, as it may be the last process
 * with that file open. It also removes a log from beside a database to which it does not belong, because SQLite would apply it.
 *
 * @returns the sentences for the person who runs the server
 */
export function rescue(lost: DatabaseLost, database: OpenDatabase): Refusal {
  const event = `${lost.event} under the server, which has stopped.`
  try {
    return new Refusal(`${event} ${save(lost, database)}`, { cause: lost })
  } catch (error) {
    return new Refusal(`${event} What was acknowledged could not be saved: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

function save(lost: DatabaseLost, database: OpenDatabase): string {
  const { files } = database
  const { path } = files
  if (lost.end === '-shm') return `All that was acknowledged is in ${path} and its log: start it again.`
  if (lost.isCut) {
    const log = setLogAside(database)
    const last = log === undefined ? '' : ` The last changes are in ${log}, for those who can read it.`
    return `Restore the last backup into a new folder with "turnout restore".${last}`
  }
  const isComplete = emptyLog(database)
  if (isComplete && files.isHere('')) {
    setLogAside(database)
    return `All that was acknowledged is in ${path}: start it again.`
  }
  const open = files.database && findOpenFile(files.database)
  if (isComplete && open !== undefined && open.links > 0n) {
    return `All that was acknowledged is in ${nameOf(open.path, files)}: put it back, then start again.`
  }
  const copy = copyAll(database)
  if (files.isHere('-wal')) setLogAside(database)
  return `All that was acknowledged is in ${copy}: restore that as a backup, with "turnout restore".`
}

/** Returns the name of the open file. The system reports a path even for a file on a disk that was taken away. */
function nameOf(path: string | undefined, { database }: DatabaseFiles): string {
  return path !== undefined && isSameFile(identify(path), database) ? path : 'the file that was taken away'
}

/** Empties the log. @returns true if the database is whole without its log, under whatever name it has */
function emptyLog({ files, writer, reader }: OpenDatabase): boolean {
  // Another process has opened the database since then, with its own shared memory and so with its own locks. It may be writing.
  if (files.isHere('') && !files.isHere('-shm')) return false
  reader.rollBack()
  writer.rollBack()
  return writer.pragma('wal_checkpoint(TRUNCATE)') === 0
}

function copyAll({ files, writer, now }: OpenDatabase): string {
  writer.rollBack()
  makeFolders(dirname(files.path))
  const target = files.path + rescuedEnd(now)
  const copy = new StagedFile(target)
  try {
    writer.run('VACUUM INTO $1', [copy.path])
    copy.place()
    return target
  } finally {
    copy.discard()
  }
}

/** Renames the log. @returns its new name, or undefined if the log was empty */
function setLogAside({ files, now }: OpenDatabase): string | undefined {
  const log = `${files.path}-wal`
  if ((identify(log)?.size ?? 0n) === 0n) return undefined
  const target = log + rescuedEnd(now)
  renameSync(log, target)
  syncFolder(dirname(target))
  return target
}

function rescuedEnd(now: number): string {
  return RESCUED + toBasicIso(now)
}
