import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { findHold, findRunMark, readProgress, renewEpoch, setHold, setRunMark } from '../db/instance.ts'
import { type Database, INSTANCE } from '../db/port.ts'
import { syncFolder } from '../files/sync-folder.ts'

const FILE = 'server.mark'

/** What the log says of one. */
export const IS_COPY =
  'this database is a copy or an older one: nothing is mailed until somebody says that there is no other'

/** A file beside the database, and what tells it from a copy of it. */
interface MarkFile {
  /** The last, and the one before it while that one is replaced. */
  marks: readonly string[]
  inode: string
  /** When it was last changed, its place too: no copy keeps that. */
  changed: string
}

/**
 * Marks a start in the database and in a file beside it. Where they do not belong together, the database is an older one or a
 * copy: it is then held, so that not two servers mail the same and pay the same back, until its owner says that there is no other.
 *
 * @param now milliseconds of the clock
 * @returns whether it was found to be a copy
 */
export async function markStart(db: Database, folder: string, now: number): Promise<boolean> {
  const kept = await db.read(findRunMark)
  const isCopy = kept !== null && !isOwn(kept, readMark(join(folder, FILE)))
  const { epoch } = await db.read(readProgress)
  if (epoch === '') await db.write(INSTANCE, tx => renewEpoch(tx, null))
  // Before the file belongs to it.
  if (isCopy) {
    await db.write(INSTANCE, async tx => {
      await setHold(tx, (await findHold(tx)) ?? now)
      await renewEpoch(tx, now)
    })
  }
  await mark(db, folder)
  return isCopy
}

/** Marks the end of a run, so that a database which was copied during it is an older one from then on. Never throws. */
export async function markEnd(db: Database, folder: string, log: Logger): Promise<void> {
  await mark(db, folder).catch(error => log.warn({ err: error }, 'the end of this run was not marked'))
}

/**
 * Forgets the last run beside a database that takes its place: where a run was cut off, its file may say that an older database is
 * the one that it ran on.
 */
export function forgetRun(folder: string): void {
  rmSync(join(folder, FILE), { force: true })
}

async function mark(db: Database, folder: string): Promise<void> {
  const path = join(folder, FILE)
  const before = (await db.read(findRunMark))?.split(' ', 1)[0]
  const after = randomBytes(16).toString('hex')
  // Both at first: whatever is cut off before the database has the new one, they belong together.
  for (const marks of [[before ?? after, after], [after]]) {
    const { inode, changed } = writeMark(path, marks)
    syncFolder(folder)
    await db.write(INSTANCE, tx => setRunMark(tx, [after, inode, changed].join(' ')))
  }
}

/** Some file systems give new inodes whenever they are mounted, and some people change the rights of a file: but not both. */
function isOwn(kept: string, file: MarkFile | undefined): boolean {
  const [mark, inode, changed] = kept.split(' ')
  if (file === undefined || mark === undefined || !file.marks.includes(mark)) return false
  // One that was cut off after it wrote the file has not kept when that was.
  return file.inode === inode || file.changed === changed
}

function readMark(path: string): MarkFile | undefined {
  try {
    const marks = readFileSync(path, 'utf8').trim().split(' ')
    return { marks, ...identityOf(path) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function identityOf(path: string): Pick<MarkFile, 'inode' | 'changed'> {
  const file = openSync(path, 'r')
  try {
    const { ino, ctimeNs } = fstatSync(file, { bigint: true })
    return { inode: String(ino), changed: String(ctimeNs) }
  } finally {
    closeSync(file)
  }
}

/** In its place, so that it keeps its inode. */
function writeMark(path: string, marks: readonly string[]): Pick<MarkFile, 'inode' | 'changed'> {
  const file = openSync(path, 'a+', 0o600)
  try {
    ftruncateSync(file, 0)
    writeSync(file, `${marks.join(' ')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return identityOf(path)
}
