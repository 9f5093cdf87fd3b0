import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { offered } from '#product/programme/calls/schemas.ts'
import { isBehind } from './own.ts'
import { MOST_QUEUED, refuseOwnReview } from './own-reviews.ts'
import { type NewReview, presentReview, type Review } from './review-schemas.ts'
import * as store from './review-store.ts'
import type { Reviewer } from './reviewer-schemas.ts'
import { MAX_REVIEWS, type Round } from './round-schemas.ts'
import * as rounds from './rounds.ts'
import type { returnReasons } from './states.ts'

/**
 * Keeps what a reviewer says of an abstract. Once it is done it counts, and can be changed until the review is over. Its authors keep
 * what they were told, and the reviewer does not learn of that.
 *
 * @param isDone asks for all that is scored and a recommendation. A review that was done stays so
 * @throws Problem not_found; review_over; review_incomplete
 */
export async function save(
  tx: WriteTx,
  reviewer: Reviewer,
  code: string,
  { review, isDone }: { review: NewReview; isDone: boolean },
): Promise<void> {
  const row = await getOpen(tx, reviewer, code)
  const round = await rounds.get(tx, reviewer.event_id)
  const wanted = offered(round.criteria).map(({ id }) => id)
  const wasDone = row.done_at !== null
  const isWhole = review.recommendation !== null && wanted.every(id => review.scores[id] !== undefined)
  if ((isDone || wasDone) && !isWhole) throw new Problem('review_incomplete')
  const now = await tx.now()
  // Scores of a criterion that has retired stay.
  const scores = { ...presentReview(row).scores }
  for (const id of wanted) delete scores[id]
  for (const id of wanted) if (review.scores[id] !== undefined) scores[id] = review.scores[id]
  const saved = {
    ...{ abstract_id: row.abstract_id, reviewer_id: reviewer.id, scores: JSON.stringify(scores) },
    ...{ recommendation: review.recommendation, to_authors: review.to_authors, to_chairs: review.to_chairs },
    done_at: isDone || wasDone ? (row.done_at ?? now) : null,
    told: await toldOf(tx, row, review),
  }
  await store.save(tx, saved, now)
}

/** Returns what authors were told of a review, if that is something else than what it says now. */
async function toldOf(
  tx: WriteTx,
  row: store.AssignedRow,
  { to_authors }: Pick<NewReview, 'to_authors'>,
): Promise<string | null> {
  if (row.told !== null || row.done_at === null || to_authors === row.to_authors) return row.told
  const told = (await findTerms(tx, row.abstract_id))?.comments_told_at ?? null
  return told !== null && row.done_at <= told ? (row.to_authors ?? '') : null
}

/**
 * Gives an abstract back, so that somebody else can review it. What was typed of it goes.
 *
 * @throws Problem not_found; review_over; review_done
 */
export async function giveBack(
  tx: WriteTx,
  reviewer: Reviewer,
  code: string,
  returned: (typeof returnReasons)[number],
): Promise<void> {
  const { abstract_id, done_at } = await getOpen(tx, reviewer, code)
  if (done_at !== null) throw new Problem('review_done')
  await store.giveBack(tx, { abstract_id, reviewer_id: reviewer.id, returned }, await tx.now())
}

async function getOpen(tx: WriteTx, reviewer: Reviewer, code: string): Promise<store.AssignedRow> {
  const row = await store.findByCode(tx, reviewer, code)
  if (row === undefined) throw new Problem('not_found')
  await refuseOwnReview(tx, row.abstract_id, reviewer)
  if (rounds.phaseOf(await rounds.get(tx, reviewer.event_id), tx.clock()) !== 'open')
    throw new Problem('review_over')
  return row
}

/** Lists the reviews of an abstract for those who decide, also what was given back. */
export async function listOfAbstract(tx: ReadTx, abstractId: string): Promise<Review[]> {
  return (await store.listOfAbstract(tx, abstractId, 10 * MAX_REVIEWS)).map(presentReview)
}

/** Where a review stands, for those who organize it. */
export type State = 'open' | 'done' | NonNullable<Review['returned']>

export function stateOf({ returned, done_at }: { returned: Review['returned']; done_at: unknown }): State {
  return returned ?? (done_at === null ? 'open' : 'done')
}

/** An abstract that a reviewer was given. */
export interface Assigned {
  id: string
  code: string
  title: string
  state: State
}

/** Lists what a reviewer was given, by title. @param email of whoever looks, who does not learn who reviews what they have written */
export async function listOfReviewer(tx: ReadTx, reviewerId: string, email: string): Promise<Assigned[]> {
  const rows = await store.listOfReviewer(tx, reviewerId, MOST_QUEUED)
  const others = rows.filter(row => !isBehind(row, email))
  others.sort((one, other) => (one.title < other.title ? -1 : 1))
  return others.map(row => ({ id: row.id, code: row.code, title: row.title, state: stateOf(row) }))
}

/** Returns whether reviewers have written something to the authors of an abstract. */
export function hasComments(tx: ReadTx, abstractId: string): Promise<boolean> {
  return store.hasComments(tx, abstractId)
}

/** Returns the weighted mean of a review's scores. @returns undefined if it has none */
export function meanOf(
  { scores }: Pick<Review, 'scores'>,
  { criteria }: Pick<Round, 'criteria'>,
): number | undefined {
  let [sum, weights] = [0, 0]
  for (const { id, weight } of offered(criteria)) {
    const score = scores[id]
    if (score === undefined) continue
    sum += weight * score
    weights += weight
  }
  return weights === 0 ? undefined : sum / weights
}
