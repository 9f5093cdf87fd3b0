import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import { erasedEmailOf } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { redirectContact } from '#product/programme/abstracts/submitted.ts'
import { endOf } from '#product/programme/calls/deadline.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { lateMail, newLinkMail, oldEmailMail } from './kinds.ts'
import * as rules from './rules.ts'
import type { Submitter } from './schemas.ts'
import * as store from './store.ts'

/** The longest that one person has, from now. A slip of the pen could otherwise keep drafts for ever. */
const LONGEST = 366 * DAY

/** Returns a person who submits to an event. @throws Problem not_found, also for one of another event or who was made anonymous */
export async function getOfEvent(tx: ReadTx, eventId: string, id: string): Promise<Submitter> {
  const submitter = await rules.getSubmitter(tx, id)
  if (submitter.event_id !== eventId || isErased(submitter)) throw new Problem('not_found')
  return submitter
}

/** Returns whether a person was made anonymous. */
export function isErased({ id, email }: Submitter): boolean {
  return email === erasedEmailOf(id)
}

/**
 * Keeps the call open for one person after its end, for all that they have begun, and mails them so. Nobody is told that it is not
 * any more.
 *
 * @param until in milliseconds; null for the deadline of all
 * @throws Problem not_found; invalid_parameter for an `until` that gives no more time, or a year of it
 */
export async function giveTime(tx: WriteTx, id: string, until: number | null): Promise<Submitter> {
  const { event_id: eventId, email: recipient, language } = await rules.getSubmitter(tx, id)
  const { closes_at } = await calls.get(tx, eventId)
  if (until !== null) refuseUntil(until, Math.max(endOf(Date.parse(closes_at)), tx.clock()), tx.clock())
  await store.setLate(tx, id, until, await tx.now())
  const submitter = await rules.getSubmitter(tx, id)
  if (until !== null) {
    const details = { until: submitter.late_until }
    await queue(tx, lateMail, { cause: newUuid(), recipient, language, eventId, subjectId: id, details })
  }
  return submitter
}

function refuseUntil(until: number, after: number, now: number): void {
  const refuse = (reason: string) => {
    throw new Problem('invalid_parameter', { param: 'until', details: { reason } })
  }
  if (endOf(until) <= after) refuse('no_more_time')
  if (until > now + LONGEST) refuse('too_much_time')
}

/** Ends the links of a person, and mails them a new one. @throws Problem not_found */
export async function renewLink(tx: WriteTx, id: string): Promise<Submitter> {
  await store.renewSecret(tx, id, await tx.now())
  const submitter = await rules.getSubmitter(tx, id)
  await mailNewLink(tx, submitter)
  return submitter
}

/**
 * Gives a person another e-mail. Both addresses are told, and the one before gets no link: it may be that of a stranger. Who has the
 * new one confirms it, as after a beginning.
 *
 * An e-mail that another person of the event has is refused. To make one of two people would hand over all that one of them has
 * typed, and nobody could part them again.
 *
 * @throws Problem not_found; invalid_parameter for `email` with the reason submitter_taken
 */
export async function correctEmail(tx: WriteTx, id: string, email: string): Promise<Submitter> {
  const was = await rules.getSubmitter(tx, id)
  const email_key = emailKey(email)
  const other = await store.findSubmitterByKey(tx, was.event_id, email_key)
  if (other !== undefined && other.id !== id)
    throw new Problem('invalid_parameter', { param: 'email', details: { reason: 'submitter_taken' } })
  await store.setEmail(tx, id, { email, email_key }, await tx.now())
  for (const { abstract_id } of await rules.listBySubmitter(tx, id)) {
    // It was sent in the name of this person, who is its contact.
    if (abstract_id !== null) await redirectContact(tx, abstract_id, email)
  }
  const submitter = await rules.getSubmitter(tx, id)
  await mailNewLink(tx, submitter)
  if (emailKey(was.email) !== email_key) {
    const { email: recipient, language, event_id: eventId } = was
    await queue(tx, oldEmailMail, { cause: newUuid(), recipient, language, eventId, subjectId: id })
  }
  return submitter
}

async function mailNewLink(
  tx: WriteTx,
  { id, email: recipient, language, event_id: eventId }: Submitter,
): Promise<void> {
  await queue(tx, newLinkMail, { cause: newUuid(), recipient, language, eventId, subjectId: id })
}
