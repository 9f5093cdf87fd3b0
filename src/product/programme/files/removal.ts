import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { NAMELESS } from './schemas.ts'
import * as store from './store.ts'

/** One write takes so many pieces. To delete one goes through all its pages. */
const MOST_PIECES = 4

/** What is gone of files: their pieces, and those of which none is left. */
export interface Removed {
  files: number
  pieces: number
}

/** Takes the last pieces of files, until as many are gone as one write may take, and each file whose first has gone. */
export async function removePieces(tx: WriteTx, files: readonly store.Shrinking[]): Promise<Removed> {
  const now = await tx.now()
  const removed = { files: 0, pieces: 0 }
  for (const file of files) {
    if (removed.pieces >= MOST_PIECES) break
    const { pieces, isGone } = await store.shrink(tx, file, MOST_PIECES - removed.pieces, now)
    removed.pieces += pieces
    if (isGone) removed.files++
  }
  return removed
}

/** Removes some files of an event, whatever they are attached to. Nothing is removed if there are none. */
export async function removeOfEvent(tx: WriteTx, eventId: string): Promise<Removed> {
  return removePieces(tx, await store.listOfEvent(tx, eventId, MOST_PIECES))
}

/**
 * Removes some pieces of files that are attached to nothing and began to come before an instant: their sending broke off.
 *
 * @returns how much is gone, or 0 if nothing is left
 */
export async function removeLoose(tx: WriteTx, before: number): Promise<number> {
  const { files, pieces } = await removePieces(tx, await store.listLoose(tx, before, MOST_PIECES))
  return files + pieces
}

/** One write detaches so many files, whose pieces are not touched. */
const MOST_FILES = 100

/** Detaches some files that were replaced before an instant. Then they are loose. @returns how many, or 0 if none is left */
export async function removeReplaced(tx: WriteTx, before: number): Promise<number> {
  return store.detachReplaced(tx, before, MOST_FILES, await tx.now())
}

/** A submission has one file, and those that were replaced within 30 days. */
const MOST_OF_SUBMISSION = 1_000

/** Lists the ids of the files of a submission, replaced ones too. */
export async function listOfSubmission(tx: ReadTx, eventId: string, submissionId: string): Promise<string[]> {
  const files = await store.listOfSubmission(tx, eventId, submissionId, MOST_OF_SUBMISSION)
  return files.map(({ id }) => id)
}

/**
 * Detaches all files of a submission. Then they are loose and have no name.
 *
 * @returns their ids, for `removeFiles`; without it, they go with the cleaning
 */
export async function discardOfSubmission(
  tx: WriteTx,
  eventId: string,
  submissionId: string,
): Promise<string[]> {
  const ids = await listOfSubmission(tx, eventId, submissionId)
  const of = { eventId, submissionId, name: NAMELESS }
  if (ids.length > 0) await store.detachOfSubmission(tx, of, await tx.now())
  return ids
}

/** Removes whole files, in short writes. */
export async function removeFiles(
  db: Pick<Database, 'write'>,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) while (!(await db.write(accountId, tx => removeSome(tx, id))));
}

/** Removes some pieces of a file. @returns whether nothing of it is left */
export async function removeSome(tx: WriteTx, id: string): Promise<boolean> {
  const file = await store.findSize(tx, id)
  return file === undefined || (await removePieces(tx, [file])).files > 0
}
