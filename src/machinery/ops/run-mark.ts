import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import {
  findHold,
  findRunMark,
  readProgress,
  renewEpoch,
  setHold,
  setRunMark,
} from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { syncFolder } from '#machinery/files/sync-folder.ts'
import { type FilePlace, readTwoSlots, type Slot, writeSlot } from '#machinery/files/two-slot-file.ts'

const FILE = 'server.mark'

/** The line that the log has about such a database. */
export const IS_COPY =
  'this database is a copy or an older one: nothing is mailed until somebody says that there is no other'

/** A file beside the database, with what tells it from a copy of it. */
interface MarkFile extends FilePlace {
  /** The last mark, and the one before it while that one is replaced. It is empty if the file cannot be read. */
  marks: readonly string[]
}

/**
 * Marks a start in the database and in a file beside it. If the two do not belong together, the database is an older one or a
 * copy. Then it is held until its owner says that there is no other, so that two servers do not send the same mails and pay the
 * same refunds.
 *
 * @param now milliseconds of the clock
 * @returns whether it was found to be a copy
 */
export async function markStart(db: Database, folder: string, now: number): Promise<boolean> {
  const kept = await db.read(INSTANCE, findRunMark)
  const isCopy = kept !== null && !isOwn(kept, readMark(join(folder, FILE)))
  const { epoch } = await db.read(INSTANCE, readProgress)
  if (epoch === '') await db.write(INSTANCE, tx => renewEpoch(tx, null))
  // The hold comes before the file belongs to the database.
  if (isCopy) {
    await db.write(INSTANCE, async tx => {
      await setHold(tx, (await findHold(tx)) ?? now)
      await renewEpoch(tx, now)
    })
  }
  await mark(db, folder)
  return isCopy
}

/** Marks the end of a run. A database that was copied during the run is an older one from then on. It never throws. */
export async function markEnd(db: Database, folder: string, log: Logger): Promise<void> {
  await mark(db, folder).catch(error => log.warn({ err: error }, 'the end of this run was not marked'))
}

/**
 * Forgets the last run beside a database that takes the place of another. If a run was cut off, its file may say that an older
 * database is the one on which it ran.
 */
export function forgetRun(folder: string): void {
  rmSync(join(folder, FILE), { force: true })
}

async function mark(db: Database, folder: string): Promise<void> {
  const path = join(folder, FILE)
  const before = (await db.read(INSTANCE, findRunMark))?.split(' ', 1)[0]
  const after = randomBytes(16).toString('hex')
  const keep = ({ inode, changed }: FilePlace) =>
    db.write(INSTANCE, tx => setRunMark(tx, [after, inode, changed].join(' ')))
  // Whatever is cut off, one of the slots has the mark that the database has.
  const former = before === undefined ? 1 : keepFormer(path, before)
  const place = writeSlot(path, former === 0 ? 1 : 0, after)
  syncFolder(folder)
  await keep(place)
  // From now on, a database that still has the former mark is an older one.
  await keep(writeSlot(path, former, after))
}

/** Keeps the mark that the database has. @returns its slot. Another file, or one of an older program, may lack it */
function keepFormer(path: string, mark: string): Slot {
  const { slots, beginning } = readTwoSlots(path) ?? { slots: [], beginning: '' }
  if (slots[1] === mark) return 1
  if (slots[0] !== mark && !readFormerFormat(beginning).includes(mark)) writeSlot(path, 0, mark)
  return 0
}

/**
 * Returns whether the file belongs to the database. Some file systems give new inodes at each mount, and some people change the
 * rights of a file, but not both happen.
 */
function isOwn(kept: string, file: MarkFile | undefined): boolean {
  const [mark, inode, changed] = kept.split(' ')
  if (file === undefined || mark === undefined) return false
  // An older program emptied the file before it wrote it, and may have been cut off in between. A copy would be another file.
  if (file.marks.length === 0) return file.inode === inode
  // A run that was cut off after it wrote the file has not kept when that was.
  return file.marks.includes(mark) && (file.inode === inode || file.changed === changed)
}

function readMark(path: string): MarkFile | undefined {
  const found = readTwoSlots(path)
  if (found === undefined) return undefined
  const marks = found.slots.filter(slot => slot !== undefined)
  return { marks: [...marks, ...readFormerFormat(found.beginning)], ...found.identity }
}

/** Reads one line of one mark or two, as older programs wrote it. Behind it is nothing, or a part that no slot has filled yet. */
function readFormerFormat(beginning: string): string[] {
  const [, line] = /^([0-9a-f]{32}(?: [0-9a-f]{32})?)\n\0*$/.exec(beginning) ?? []
  return line?.split(' ') ?? []
}
