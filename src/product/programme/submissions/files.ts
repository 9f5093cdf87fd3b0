import { Problem } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import type { Arrival } from '#product/programme/calls/deadline.ts'
import * as files from '#product/programme/files/rules.ts'
import type { AbstractFile } from '#product/programme/files/schemas.ts'
import { findFileMisfits } from './fit.ts'
import * as rules from './rules.ts'

/** A submission takes this many files a day. Those that were replaced are kept for a time, and take room. */
const MOST_A_DAY = 30

type Began = Omit<Arrival, 'lateUntil'>

/** Returns the file that stands beside an abstract. @returns undefined if there is none, or a list has brought the abstract */
export async function findOfAbstract(
  tx: ReadTx,
  { id, event_id }: { id: string; event_id: string },
): Promise<AbstractFile | undefined> {
  const of = await rules.findByAbstract(tx, id)
  return of && files.find(tx, event_id, of.submission.id)
}

/**
 * Refuses to receive a file at all, before a byte of it is read.
 *
 * @throws Problem those of `noteFile`; rate_limited
 */
export async function refuseFile(tx: ReadTx, id: string, began: Began): Promise<void> {
  const { submission } = await getTaking(tx, id, began)
  const since = began.begunAt - DAY
  const count = await files.countSince(tx, submission, { since, most: MOST_A_DAY })
  if (count >= MOST_A_DAY || (await files.isReplacedTooOften(tx, submission)))
    throw new Problem('rate_limited', { details: { reason: 'files_often' } })
}

/**
 * Goes along with the write that attaches a file to a submission: one that is too late is refused, and an abstract that was sent
 * names its new file.
 *
 * @throws Problem not_found, also if the call takes no files; call_not_open; call_over; abstract_withdrawn; abstract_decided
 */
export async function noteFile(
  tx: WriteTx,
  id: string,
  { name }: Pick<AbstractFile, 'name'>,
  began: Began,
): Promise<void> {
  const { submission } = await getTaking(tx, id, began)
  if (submission.abstract_id !== null) await abstracts.nameFile(tx, submission.abstract_id, name)
}

/**
 * Takes the file from a submission.
 *
 * @throws Problem not_found, also if it has none; call_not_open; call_over; abstract_withdrawn; abstract_decided;
 *   abstract_incomplete for an abstract that was sent and needs one
 */
export async function removeFile(tx: WriteTx, id: string, began: Began): Promise<void> {
  const { submission, call } = await rules.getOpen(tx, id, began)
  const misfits = submission.abstract_id === null ? [] : findFileMisfits(call, undefined)
  if (misfits.length > 0) throw new Problem('abstract_incomplete', { details: { misfits } })
  await files.remove(tx, submission.event_id, id)
  if (submission.abstract_id !== null) await abstracts.nameFile(tx, submission.abstract_id, null)
}

async function getTaking(tx: ReadTx, id: string, began: Began): ReturnType<typeof rules.getOpen> {
  const open = await rules.getOpen(tx, id, began)
  if (open.call.file === 'none') throw new Problem('not_found')
  return open
}
