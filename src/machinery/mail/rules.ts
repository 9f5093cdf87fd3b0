import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { isUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { compose, type Letters, withoutSecrets } from './compose.ts'
import * as countStore from './count-store.ts'
import { listFailed } from './failed-store.ts'
import type { Letter } from './letter.tsx'
import type { Email } from './schemas.ts'
import * as store from './store.ts'
import * as unsubscribedStore from './unsubscribed-store.ts'

export interface EmailFilters {
  /** Null for those of no event. */
  eventId?: string | null | undefined
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

/** Mails to one address that a search looks through for a page: nobody gets that many of one event. */
const MOST_LOOKED_AT = 500

/** Mails of an event, or of no event where that is null. @param next where the next page begins; undefined at the end */
export interface FoundEmails {
  rows: Email[]
  next: Position | undefined
}

/** Newest first. A search for an address may find fewer than its limit, or none, and goes on after `next`. */
export async function search(
  tx: ReadTx,
  accountId: string,
  { eventId, status, recipient }: EmailFilters & { eventId: string | null },
  { limit, after }: Page,
): Promise<FoundEmails> {
  const isSearch = recipient !== undefined
  const looked = isSearch ? MOST_LOOKED_AT : limit + 1
  const wanted = isSearch ? { recipient } : { eventId, status }
  const found = await list(tx, accountId, wanted, { limit: looked, after })
  const fitting = found.filter(
    email => email.event_id === eventId && (status === undefined || email.status === status),
  )
  const rows = fitting.slice(0, limit)
  if (fitting.length > limit) return { rows, next: rows.at(-1) }
  return { rows, next: isSearch && found.length === looked ? found.at(-1) : undefined }
}

/** A mail of an event, or of no event where that is null. @throws Problem not_found */
export async function getOf(
  tx: ReadTx,
  accountId: string,
  eventId: string | null,
  id: string,
): Promise<Email> {
  const email = isUuid(id) ? await store.find(tx, accountId, id.toLowerCase()) : undefined
  if (email === undefined || email.event_id !== eventId) throw new Problem('not_found')
  return email
}

/**
 * A mail that waits, or failed, as it would be sent now, without what only its recipient may read.
 *
 * @param now milliseconds
 * @returns undefined where there is nothing to say any more; `isHiding`: it lacks something that the recipient gets
 * @throws Problem not_found; whatever its kind throws
 */
export async function preview(
  tx: ReadTx,
  accountId: string,
  id: string,
  letters: Letters,
  now: number,
): Promise<{ letter: Letter; isHiding: boolean } | undefined> {
  const row = await store.findDetails(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  const composed = await compose(tx, accountId, row, letters, now)
  return composed && { letter: withoutSecrets(composed), isHiding: composed.secrets.length > 0 }
}

/** How many of a status there are, `most` at most: of an event, of no event where that is null, or of the account. */
export function countStatus(
  tx: ReadTx,
  accountId: string,
  of: { eventId?: string | null | undefined; status: Email['status'] },
  most: number,
): Promise<number> {
  return countStore.countStatus(tx, accountId, { event_id: of.eventId, status: of.status }, most)
}

/**
 * How many mails of which event failed, null for those of none.
 *
 * @param eventIds of these events alone; null for all mails of the account
 * @param since milliseconds: those that were made then or after it
 * @param most mails that are counted in all, or of each of these events
 */
export async function countFailed(
  tx: ReadTx,
  accountId: string,
  { eventIds, since }: { eventIds: readonly string[] | null; since: number },
  most: number,
): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>()
  for (const id of eventIds ?? [undefined]) {
    for (const { event_id } of await listFailed(tx, accountId, { event_id: id, since }, most))
      counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  }
  return counts
}

/** How many of a status there are of those about one thing; no more of its mails are looked at than `most`. */
export function countOfSubject(
  tx: ReadTx,
  accountId: string,
  of: { subjectId: string; status: Email['status'] },
  most: number,
): Promise<number> {
  return countStore.countOfSubject(tx, accountId, { subject_id: of.subjectId, status: of.status }, most)
}

/** Mails of all accounts that wait, `most` at most: one server sends them all. */
export function countWaiting(tx: ReadTx, most: number): Promise<number> {
  return countStore.countWaiting(tx, most)
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
  return (await unsubscribedStore.find(tx, accountId, emailKey(email))) !== undefined
}

/** Those of these who want none, by `emailKey`. */
export async function findUnsubscribed(
  tx: ReadTx,
  accountId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  return new Set((await unsubscribedStore.list(tx, accountId, keys)).map(({ email_key }) => email_key))
}

/** Ends the announcements of an account to somebody; once more changes nothing. */
export async function unsubscribe(tx: WriteTx, accountId: string, email: string): Promise<void> {
  await unsubscribedStore.insert(tx, accountId, emailKey(email), await tx.now())
}

/**
 * Forgets mails to a person, sent and unsent, and what they did not want.
 *
 * @param key as e-mails are compared
 * @returns how many mails, `most` at most: none once all are forgotten
 */
export async function forget(tx: WriteTx, accountId: string, key: string, most: number): Promise<number> {
  await unsubscribedStore.remove(tx, accountId, key)
  return store.removeOfRecipient(tx, accountId, key, most)
}

/** Removes the mails about one thing, sent or not. */
export async function removeOfSubject(tx: WriteTx, accountId: string, subjectId: string): Promise<void> {
  await store.removeOfSubject(tx, accountId, subjectId)
}
