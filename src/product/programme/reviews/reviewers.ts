import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { HOUR, MINUTE } from '#base/time.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { assignedMail, invitedMail, remindedMail } from './kinds.ts'
import { countUndone } from './own-reviews.ts'
import * as reviewStore from './review-store.ts'
import {
  MAX_REVIEWERS,
  type NewReviewer,
  type Profile,
  presentReviewer,
  type Reviewer,
} from './reviewer-schemas.ts'
import * as store from './reviewer-store.ts'
import * as rounds from './rounds.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Reviewer> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentReviewer(row)
}

/** @throws Problem not_found, also for a reviewer of another event */
export async function getOfEvent(tx: ReadTx, eventId: string, id: string): Promise<Reviewer> {
  const reviewer = await get(tx, id)
  if (reviewer.event_id !== eventId) throw new Problem('not_found')
  return reviewer
}

/** Returns the account of a reviewer, for a link, which names no account. */
export async function findAccount(tx: InstanceReadTx, id: string): Promise<string | undefined> {
  return (await store.findAccount(tx, id))?.account_id
}

/** Finds somebody among those who review in an event. @returns undefined also for one who has left */
export async function findByEmail(tx: ReadTx, eventId: string, email: string): Promise<Reviewer | undefined> {
  const row = await store.findByKey(tx, eventId, emailKey(email))
  return row === undefined || row.left_at !== null ? undefined : presentReviewer(row)
}

/** The most events of an account in which one person is looked for. */
const MOST_EVENTS = 50

/** Lists where somebody reviews in the events of an account. */
export async function listByEmail(tx: ReadTx, email: string): Promise<Reviewer[]> {
  const found: Reviewer[] = []
  for (const { id } of await store.listByKey(tx, emailKey(email), '', MOST_EVENTS)) {
    const reviewer = await get(tx, id)
    if (reviewer.left_at === null) found.push(reviewer)
  }
  return found
}

/** Lists who reviews, or has reviewed, in an event, the first invited first. */
export async function listOfEvent(tx: ReadTx, eventId: string): Promise<Reviewer[]> {
  return (await store.listOfEvent(tx, eventId, 2 * MAX_REVIEWERS)).map(presentReviewer)
}

/**
 * Asks somebody to review. Who was asked already is not asked again; who has left comes back.
 *
 * @returns the reviewer, and whether they were asked now
 * @throws Problem not_found without a review; review_over; too_many_reviewers
 */
export async function invite(
  tx: WriteTx,
  eventId: string,
  { name, email, affiliation, language }: NewReviewer,
): Promise<{ reviewer: Reviewer; isNew: boolean }> {
  const round = await rounds.get(tx, eventId)
  const before = await findByEmail(tx, eventId, email)
  if (before !== undefined) return { reviewer: before, isNew: false }
  if (rounds.phaseOf(round, tx.clock()) !== 'open') throw new Problem('review_over')
  const all = await store.listOfEvent(tx, eventId, 2 * MAX_REVIEWERS)
  const standing = all.filter(({ left_at }) => left_at === null).length
  if (standing >= MAX_REVIEWERS || all.length === 2 * MAX_REVIEWERS)
    throw new Problem('too_many_reviewers', { details: { most: MAX_REVIEWERS } })
  const row = {
    ...{ id: newUuid(), event_id: eventId, name, email, email_key: emailKey(email), affiliation, language },
  }
  const put = await store.put(tx, row, await tx.now())
  const reviewer = presentReviewer(put as store.ReviewerRow)
  await mailLink(tx, reviewer)
  return { reviewer, isNew: true }
}

/** Sends the link to a reviewer. */
async function mailLink(tx: WriteTx, reviewer: Reviewer): Promise<void> {
  await write(tx, invitedMail, reviewer, `${reviewer.id} ${reviewer.secret_version}`)
}

function write(
  tx: WriteTx,
  kind: typeof invitedMail | typeof assignedMail | typeof remindedMail,
  { id: subjectId, event_id: eventId, email: recipient, language }: Reviewer,
  cause: string,
  due?: number,
): Promise<boolean> {
  return queue(tx, kind, { cause, recipient, language, eventId, subjectId, due })
}

/** What is assigned within this time is told together, in milliseconds. */
const GATHERED = 15 * MINUTE

/** Tells reviewers that there are abstracts to review, once for all of some minutes. */
export async function tellAssigned(tx: WriteTx, ids: Iterable<string>): Promise<void> {
  const turn = Math.floor(tx.clock() / GATHERED)
  for (const id of ids) {
    await write(tx, assignedMail, await get(tx, id), `${id} ${turn}`, (turn + 1) * GATHERED)
  }
}

/** A reviewer is reminded at most so often, in milliseconds. */
const REMINDED = 20 * HOUR

/**
 * Reminds reviewers of what they have not done.
 *
 * @returns how many are reminded now. Nobody is twice within a day
 * @throws Problem not_found; review_over
 */
export async function remind(tx: WriteTx, eventId: string): Promise<number> {
  const round = await rounds.get(tx, eventId)
  if (rounds.phaseOf(round, tx.clock()) !== 'open') throw new Problem('review_over')
  // Two writes at once have the same turn; later ones see what the one before has written.
  const turn = Math.floor(tx.clock() / REMINDED)
  const since = (await tx.now()) - REMINDED + 1
  let count = 0
  for (const reviewer of await listOfEvent(tx, eventId)) {
    if (reviewer.left_at !== null || (await countUndone(tx, reviewer)) === 0) continue
    const of = { subjectId: reviewer.id, kind: remindedMail.name, since }
    if ((await emails.countSince(tx, of, 1)) > 0) continue
    if (await write(tx, remindedMail, reviewer, `${reviewer.id} ${turn}`)) count++
  }
  return count
}

/**
 * Keeps what a reviewer says of themselves. It counts for what is assigned from then on.
 *
 * @throws Problem not_found
 */
export async function setProfile(tx: WriteTx, id: string, profile: Profile): Promise<void> {
  await get(tx, id)
  const { affiliation, topics, conflicts } = profile
  const row = { id, affiliation, topics: JSON.stringify(topics), conflicts: JSON.stringify(conflicts) }
  await store.setProfile(tx, row, await tx.now())
}

/**
 * Takes a reviewer out. What they have done stays; the rest is for others.
 *
 * @throws Problem not_found
 */
export async function leave(tx: WriteTx, eventId: string, id: string): Promise<void> {
  await getOfEvent(tx, eventId, id)
  await store.leave(tx, id, await tx.now())
  await reviewStore.removeUndone(tx, id)
}

/** Sends a reviewer another link, and lets those before lead nowhere. @throws Problem not_found */
export async function renew(tx: WriteTx, eventId: string, id: string): Promise<void> {
  const { left_at } = await getOfEvent(tx, eventId, id)
  if (left_at !== null) throw new Problem('not_found')
  await store.renew(tx, id, await tx.now())
  await mailLink(tx, await get(tx, id))
}
