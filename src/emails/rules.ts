import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { Problem } from '../problem.ts'
import type { Email } from './schemas.ts'
import * as store from './store.ts'

export interface EmailFilters {
  eventId?: string | undefined
  status?: Email['status'] | undefined
  /** A whole e-mail. */
  recipient?: string | undefined
  /** What it is about: a registration, an abstract, a member. */
  subjectId?: string | undefined
}

/** Newest first. */
export function list(tx: ReadTx, accountId: string, filters: EmailFilters, page: Page): Promise<Email[]> {
  const { eventId: event_id, status, recipient, subjectId: subject_id } = filters
  const recipient_key = recipient === undefined ? undefined : emailKey(recipient)
  return store.listPage(tx, accountId, { event_id, status, recipient_key, subject_id }, page)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Email> {
  return (await store.find(tx, accountId, id)) ?? refuseMissing(id)
}

/** The account of a mail that is known by its id alone. @throws Problem not_found */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  return ((await store.findOwner(tx, id)) ?? refuseMissing(id)).account_id
}

function refuseMissing(id: string): never {
  throw new Problem('not_found', { message: `There is no mail ${id}.` })
}

/** How many of a status there are, `most` at most: of an event, or of the account. */
export function countStatus(
  tx: ReadTx,
  accountId: string,
  of: { eventId?: string | undefined; status: Email['status'] },
  most: number,
): Promise<number> {
  return store.countStatus(tx, accountId, { event_id: of.eventId, status: of.status }, most)
}

/** How many failed that were made at an instant, in milliseconds, or after it, `most` at most. */
export function countFailed(tx: ReadTx, accountId: string, since: number, most: number): Promise<number> {
  return store.countFailed(tx, accountId, since, most)
}

/** Mails of all accounts that wait, `most` at most: one server sends them all. */
export function countWaiting(tx: ReadTx, most: number): Promise<number> {
  return store.countWaiting(tx, most)
}

/**
 * Has a mail that waits for its next attempt, or that failed, sent soon.
 *
 * @throws Problem not_found; email_ended for one that was sent, or is not needed any more
 */
export async function retry(tx: WriteTx, accountId: string, id: string): Promise<Email> {
  const email = await get(tx, accountId, id)
  if (email.status !== 'waiting' && email.status !== 'failed') throw new Problem('email_ended')
  await store.makeDue(tx, accountId, id, tx.clock(), await tx.now())
  return get(tx, accountId, id)
}

/** Whether somebody wants no announcements of the account. */
export async function isUnsubscribed(tx: ReadTx, accountId: string, email: string): Promise<boolean> {
  return (await store.findUnsubscribed(tx, accountId, emailKey(email))) !== undefined
}

/** Ends the announcements of an account to somebody; once more changes nothing. */
export async function unsubscribe(tx: WriteTx, accountId: string, email: string): Promise<void> {
  await store.insertUnsubscribed(tx, accountId, emailKey(email), await tx.now())
}

/**
 * Forgets mails to a person, sent and unsent, and what they did not want.
 *
 * @param key as e-mails are compared
 * @returns how many mails, `most` at most: none once all are forgotten
 */
export async function forget(tx: WriteTx, accountId: string, key: string, most: number): Promise<number> {
  await store.removeUnsubscribed(tx, accountId, key)
  return store.removeOfRecipient(tx, accountId, key, most)
}
