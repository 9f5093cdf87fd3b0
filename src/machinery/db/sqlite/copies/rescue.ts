import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../../files/make-folders.ts'
import { StagedFile } from '../../../files/staged-file.ts'
import { reasonOf } from '../../../files/system-error.ts'
import { Refusal } from '../../../refusal.ts'
import { toBasicIso } from '../../../time.ts'
import type { Connection } from '../connection.ts'
import {
  type DatabaseFiles,
  type DatabaseLost,
  findOpenFile,
  identify,
  isSameFile,
} from '../database-files.ts'

/** What is put beside a database whose name leads elsewhere: `turnout.db.rescued-20261121T030000Z`. */
export const RESCUED = '.rescued-'

export interface OpenDatabase {
  files: DatabaseFiles
  writer: Connection
  reader: Connection
  /** Milliseconds. */
  now: number
}

/**
 * Sees to it that all that a server has acknowledged is in one file, before the server ends: it may be the last that has the
 * file open. And that no log is left beside a database that it does not belong to, as SQLite would bring it in.
 *
 * @returns the sentences for whoever runs it
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
  const isWhole = emptyLog(database)
  if (isWhole && files.isHere('')) {
    setLogAside(database)
    return `All that was acknowledged is in ${path}: start it again.`
  }
  const open = files.database && findOpenFile(files.database)
  if (isWhole && open !== undefined && open.links > 0n) {
    return `All that was acknowledged is in ${nameOf(open.path, files)}: put it back, then start again.`
  }
  const copy = copyAll(database)
  if (files.isHere('-wal')) setLogAside(database)
  return `All that was acknowledged is in ${copy}: restore that as a backup, with "turnout restore".`
}

/** Of what lies on a disk that was taken away the system tells a path all the same. */
function nameOf(path: string | undefined, { database }: DatabaseFiles): string {
  return path !== undefined && isSameFile(identify(path), database) ? path : 'the file that was taken away'
}

/** @returns true when the database is whole without its log, under whatever name it has */
function emptyLog({ files, writer, reader }: OpenDatabase): boolean {
  // Who has opened it meanwhile, with a memory and so with locks of its own, may be writing to it.
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

/** @returns its new name; undefined where there was nothing in it */
function setLogAside({ files, now }: OpenDatabase): string | undefined {
  const log = `${files.path}-wal`
  if ((identify(log)?.size ?? 0n) === 0n) return undefined
  const target = log + rescuedEnd(now)
  renameSync(log, target)
  return target
}

function rescuedEnd(now: number): string {
  return RESCUED + toBasicIso(now)
}
