import { DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { carryOut, propose } from '#product/programme/reviews/assignments.ts'
import { listQueue, read } from '#product/programme/reviews/reading.ts'
import type { NewReview } from '#product/programme/reviews/review-schemas.ts'
import type { NewReviewer, Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import type { NewRound } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'

interface Place {
  db: Database
  accountId: string
  eventId: string
  clock: () => number
}

/** Opens a review that ends in two weeks. */
export function openReview({ db, accountId, eventId, clock }: Place, changes: Partial<NewRound> = {}) {
  const of = rounds.defaultsAt(clock(), 'UTC', 'Overall')
  const round = { ...of, closes_at: clock() + 14 * DAY, ...changes }
  return db.write(accountId, tx => rounds.put(tx, eventId, round))
}

export async function inviteOne(
  { db, accountId, eventId }: Place,
  changes: Partial<NewReviewer> = {},
): Promise<Reviewer> {
  const person: NewReviewer = {
    ...{ name: 'Rosa Ruiz', email: 'rosa@reviews.example', affiliation: null, language: 'en' },
    ...changes,
  }
  return (await db.write(accountId, tx => reviewers.invite(tx, eventId, person))).reviewer
}

/** Assigns what is proposed. @returns how many reviews were assigned */
export async function assignAll({ db, accountId, eventId }: Place, most?: number): Promise<number> {
  const { assignments } = await propose(db, accountId, eventId, most)
  return carryOut(db, accountId, eventId, assignments)
}

/** Says of an abstract what a reviewer may say, who is done with it. */
export async function review(
  { db, accountId, eventId }: Place,
  reviewer: Reviewer,
  code: string,
  changes: Partial<NewReview> = {},
): Promise<void> {
  const { criteria } = await db.read(accountId, tx => rounds.get(tx, eventId))
  const said: NewReview = {
    scores: Object.fromEntries(criteria.map(({ id }) => [id, 4])),
    ...{ recommendation: 'accept', to_authors: 'Well told.', to_chairs: null },
    ...changes,
  }
  await db.write(accountId, tx => reviews.save(tx, reviewer, code, { review: said, isDone: true }))
}

/** Reads an abstract as a reviewer does. */
export function readAs({ db, accountId }: Place, reviewer: Reviewer, code: string) {
  return db.read(accountId, tx => read(tx, reviewer, code))
}

/** Proposes to accept an abstract, or something else. */
export function proposeFor(
  { db, accountId, eventId }: Pick<Place, 'db' | 'accountId' | 'eventId'>,
  abstract_id: string,
  changes: Partial<proposals.NewProposal> = {},
): Promise<void> {
  const proposal: proposals.NewProposal = {
    ...{ abstract_id, decision: 'accepted', kind_id: null, note: 'A good one.', proposed_by: 'user:chair' },
    ...changes,
  }
  return db.write(accountId, tx => proposals.propose(tx, eventId, proposal))
}

/** A review of the first abstract that somebody can review, who is done with it, and what is proposed thereupon. */
export async function addReview(place: Place): Promise<void> {
  await openReview(place, { wanted: 1 })
  const reviewer = await inviteOne(place)
  await assignAll(place)
  const [first] = await place.db.read(place.accountId, tx => listQueue(tx, reviewer))
  if (first === undefined) return
  await review(place, reviewer, first.code)
  const list = await place.db.read(place.accountId, tx =>
    reviews.listOfReviewer(tx, reviewer.id, 'chair@chairs.test'),
  )
  for (const { id } of list.slice(0, 1)) await proposeFor(place, id)
}
