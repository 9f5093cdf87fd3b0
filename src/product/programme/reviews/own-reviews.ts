import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { isBehind, isWriter } from './own.ts'
import * as store from './review-store.ts'
import type { Reviewer } from './reviewer-schemas.ts'

// Nobody is given an abstract of their own. But its authors may name somebody among them who has it already. From then on it is as if
// it had never been theirs to review.

/** Returns the ids of what a reviewer has come to be behind since it was given to them. */
export async function listOwn(
  tx: ReadTx,
  { id, email }: Pick<Reviewer, 'id' | 'email'>,
  most: number,
): Promise<ReadonlySet<string>> {
  const rows = await store.listOfReviewer(tx, id, most)
  return new Set(rows.filter(row => isBehind(row, email)).map(row => row.id))
}

/** A reviewer has at most so many abstracts. */
export const MOST_QUEUED = 2_000

/** Counts what a reviewer has still to do, without what they have come to be behind. */
export async function countUndone(
  tx: ReadTx,
  { id, email }: Pick<Reviewer, 'id' | 'email'>,
): Promise<number> {
  const rows = await store.listUndone(tx, id, MOST_QUEUED)
  return rows.filter(row => !isBehind(row, email)).length
}

/** Refuses a reviewer who has come to be behind an abstract. @throws Problem not_found, as for any that is not theirs */
export async function refuseOwnReview(
  tx: ReadTx,
  abstractId: string,
  { email }: Pick<Reviewer, 'email'>,
): Promise<void> {
  if (await isWriter(tx, abstractId, email)) throw new Problem('not_found')
}
