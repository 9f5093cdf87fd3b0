import { setImmediate } from 'node:timers/promises'
import { Problem } from '#base/problem.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { getSubmitted, isDecided } from '#product/programme/abstracts/submitted.ts'
import { type Assignment, type Candidate, type Plan, plan, type ToReview } from './assigning.ts'
import { type Conflict, findConflict, knownOf, type Writers } from './conflicts.ts'
import { isBehind, toWriters } from './own.ts'
import * as store from './review-store.ts'
import type { Reviewer } from './reviewer-schemas.ts'
import * as reviewers from './reviewers.ts'
import { MAX_REVIEWS } from './round-schemas.ts'
import * as rounds from './rounds.ts'

/** The abstracts, or reviews, of one read. */
const READ = 200
/** The abstracts that one write gives to reviewers. */
const WRITE = 50

/** Reads all reviews of an event. */
export async function* readReviews(
  reader: Reader,
  accountId: string,
  eventId: string,
): AsyncGenerator<store.BriefReview[]> {
  yield* inBatches(reader, accountId, READ, (tx, last: store.BriefReview | undefined, size) =>
    store.listBriefly(tx, eventId, last, size),
  )
}

/** Reads which abstracts of an event somebody is behind, of those that stand. */
export async function readOwn(
  reader: Reader,
  accountId: string,
  eventId: string,
  email: string,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for await (const rows of readWritersOfAll(reader, accountId, eventId))
    for (const row of rows) if (isBehind(row, email)) own.add(row.id)
  return own
}

/** Counts by reviewer the reviews that there are of some abstracts. What was given back does not count. */
export async function countReviewsOf(
  reader: Reader,
  accountId: string,
  eventId: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (ids.size === 0) return counts
  for await (const rows of readReviews(reader, accountId, eventId))
    for (const { abstract_id, reviewer_id, returned } of rows)
      if (returned === null && ids.has(abstract_id))
        counts.set(reviewer_id, (counts.get(reviewer_id) ?? 0) + 1)
  return counts
}

function readWritersOfAll(
  reader: Reader,
  accountId: string,
  eventId: string,
): AsyncGenerator<store.WritersRow[]> {
  return inBatches(reader, accountId, READ, (tx, last: store.WritersRow | undefined, size) =>
    store.listWriters(tx, eventId, last, size),
  )
}

/**
 * Works out who would review what, so that each abstract that is not decided has as many reviews as the event wants. It changes
 * nothing.
 *
 * @param most how many abstracts one reviewer gets; without it, all get as many
 * @throws Problem not_found without a review
 */
export async function propose(
  reader: Reader,
  accountId: string,
  eventId: string,
  most?: number,
): Promise<Plan & { most: number }> {
  const { wanted } = await reader.read(accountId, tx => rounds.get(tx, eventId))
  const all = await reader.read(accountId, tx => reviewers.listOfEvent(tx, eventId))
  const standing = all.filter(({ left_at }) => left_at === null)
  const taken = new Map<string, Set<string>>()
  const held = new Map<string, number>()
  const loads = new Map<string, number>()
  for await (const rows of readReviews(reader, accountId, eventId)) {
    for (const { abstract_id, reviewer_id, returned } of rows) {
      taken.set(abstract_id, (taken.get(abstract_id) ?? new Set()).add(reviewer_id))
      if (returned !== null) continue
      held.set(abstract_id, (held.get(abstract_id) ?? 0) + 1)
      loads.set(reviewer_id, (loads.get(reviewer_id) ?? 0) + 1)
    }
  }
  const abstracts: ToReview[] = []
  for await (const rows of readWritersOfAll(reader, accountId, eventId)) {
    for (const row of rows) {
      if (isDecided(row.status)) continue
      const lacks = wanted - (held.get(row.id) ?? 0)
      const { id, topic_id: topicId } = row
      abstracts.push({ id, topicId, writers: toWriters(row), taken: taken.get(id) ?? new Set(), lacks })
    }
  }
  const candidates = standing.map(reviewer => toCandidate(reviewer, loads.get(reviewer.id) ?? 0))
  const sum = [...candidates.map(({ load }) => load), ...abstracts.map(({ lacks }) => Math.max(0, lacks))]
  const fair = Math.ceil(sum.reduce((total, count) => total + count, 0) / Math.max(1, candidates.length))
  const limit = most ?? fair
  const pause = () => setImmediate()
  return { ...(await plan(abstracts, candidates, limit, pause)), most: limit }
}

function toCandidate(reviewer: Reviewer, load: number): Candidate {
  return { id: reviewer.id, known: knownOf(reviewer), topics: new Set(reviewer.topics), load }
}

/**
 * Gives reviewers what was proposed, and tells them. Each part stands by itself: whatever stops it, the same again adds what is
 * missing.
 *
 * @returns how many were given now
 */
export async function carryOut(
  db: Pick<Database, 'write'>,
  accountId: string,
  eventId: string,
  assignments: readonly Assignment[],
): Promise<number> {
  let count = 0
  for (let at = 0; at < assignments.length; at += WRITE) {
    const some = assignments.slice(at, at + WRITE)
    count += await db.write(accountId, tx => giveAll(tx, eventId, some))
  }
  return count
}

async function giveAll(tx: WriteTx, eventId: string, some: readonly Assignment[]): Promise<number> {
  const round = await rounds.find(tx, eventId)
  if (round === undefined || rounds.phaseOf(round, tx.clock()) !== 'open') throw new Problem('review_over')
  const told = new Set<string>()
  let count = 0
  for (const { abstract_id, reviewer_id } of some) {
    // Somebody may have left since it was proposed, and something may have been withdrawn.
    const reviewer = await reviewers.getOfEvent(tx, eventId, reviewer_id)
    const { withdrawn_at } = await getSubmitted(tx, abstract_id)
    if (reviewer.left_at !== null || withdrawn_at !== null) continue
    if ((await store.insert(tx, { abstract_id, reviewer_id, event_id: eventId }, await tx.now())) === 0)
      continue
    told.add(reviewer_id)
    count++
  }
  await reviewers.tellAssigned(tx, told)
  return count
}

/** A reviewer whom an abstract can be given to, or why not. */
export interface Choice {
  reviewer: Reviewer
  conflict: Conflict | undefined
}

/** Lists to whom an abstract can be given who has not had it. @throws Problem not_found */
export async function listChoices(tx: ReadTx, eventId: string, abstractId: string): Promise<Choice[]> {
  const writers = await readWriters(tx, eventId, abstractId)
  const had = new Set(
    (await store.listOfAbstract(tx, abstractId, 2 * MOST_HAD)).map(each => each.reviewer_id),
  )
  return (await reviewers.listOfEvent(tx, eventId)).flatMap(reviewer =>
    reviewer.left_at !== null || had.has(reviewer.id)
      ? []
      : [{ reviewer, conflict: findConflict(writers, knownOf(reviewer)) }],
  )
}

/** An abstract was given to at most so many people, with those who gave it back. */
const MOST_HAD = 100

/**
 * Gives an abstract to a reviewer, and tells them.
 *
 * @throws Problem not_found; abstract_withdrawn; review_over; too_many_reviews; review_conflict with `details.conflict`
 */
export async function give(
  tx: WriteTx,
  eventId: string,
  { abstract_id, reviewer_id }: Assignment,
): Promise<void> {
  const round = await rounds.get(tx, eventId)
  if (rounds.phaseOf(round, tx.clock()) !== 'open') throw new Problem('review_over')
  const reviewer = await reviewers.getOfEvent(tx, eventId, reviewer_id)
  if (reviewer.left_at !== null) throw new Problem('not_found')
  const writers = await readWriters(tx, eventId, abstract_id)
  if ((await getSubmitted(tx, abstract_id)).withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  const conflict = findConflict(writers, knownOf(reviewer))
  if (conflict !== undefined) throw new Problem('review_conflict', { details: { conflict } })
  const had = await store.listOfAbstract(tx, abstract_id, MOST_HAD)
  if (had.length === MOST_HAD || had.filter(({ returned }) => returned === null).length >= MAX_REVIEWS)
    throw new Problem('too_many_reviews', { details: { most: MAX_REVIEWS } })
  const row = { abstract_id, reviewer_id, event_id: eventId }
  if ((await store.insert(tx, row, await tx.now())) > 0) await reviewers.tellAssigned(tx, [reviewer_id])
}

/**
 * Takes an abstract from a reviewer who has not done it. A chair may so give something back that was given back by mistake.
 *
 * @throws Problem not_found, also if it is done
 */
export async function take(
  tx: WriteTx,
  eventId: string,
  { abstract_id, reviewer_id }: Assignment,
): Promise<void> {
  await reviewers.getOfEvent(tx, eventId, reviewer_id)
  if ((await store.remove(tx, abstract_id, reviewer_id)) === 0) throw new Problem('not_found')
}

async function readWriters(tx: ReadTx, eventId: string, abstractId: string): Promise<Writers> {
  const { event_id } = await getSubmitted(tx, abstractId)
  const row = await store.findWriters(tx, abstractId)
  if (event_id !== eventId || row === undefined) throw new Problem('not_found')
  return toWriters(row)
}
