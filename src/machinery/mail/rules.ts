import { emailKey } from '#base/fields.ts'
import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { AnyReadTx, InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { compose, type Letters, withoutSecrets } from './compose.ts'
import * as countStore from './count-store.ts'
import { listFailed, listFailedOf } from './failed-store.ts'
import type { KindName } from './kind.ts'
import type { Letter } from './letter.tsx'
import type { Email } from './schemas.ts'
import * as store from './store.ts'
import * as unsubscribedStore from './unsubscribed-store.ts'

export interface EmailFilters {
  /** Null for mails of no event. */
  eventId?: string | null | undefined
  status?: Email['status'] | undefined
  /** A whole e-mail. */
  recipient?: string | undefined
  /** The subject of the mail: a registration, an abstract, a member. */
  subjectId?: string | undefined
}

/** Lists mails, newest first. */
export function list(tx: ReadTx, filters: EmailFilters, page: Page): Promise<Email[]> {
  const { eventId: event_id, status, recipient, subjectId: subject_id } = filters
  const recipient_key = recipient === undefined ? undefined : emailKey(recipient)
  return store.listPage(tx, { event_id, status, recipient_key, subject_id }, page)
}

/** Returns a mail. @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Email> {
  return (await store.find(tx, id)) ?? refuseMissing(id)
}

/** Returns the account of a mail that is known only by its id. @throws Problem not_found */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  return ((await store.findOwner(tx, id)) ?? refuseMissing(id)).account_id
}

function refuseMissing(id: string): never {
  throw new Problem('not_found', { message: `There is no mail ${id}.` })
}

/** The most mails to one address that a search looks through for a page. Nobody gets that many of one event. */
const MOST_LOOKED_AT = 500

/** Mails of an event, or of no event if that is null. @param next where the next page begins, or undefined at the end */
export interface FoundEmails {
  rows: Email[]
  next: Position | undefined
}

/**
 * Searches mails, newest first. A search for an address may find fewer mails than its limit, or none, and goes on after `next`.
 */
export async function search(
  tx: ReadTx,
  { eventId, status, recipient }: EmailFilters & { eventId: string | null },
  { limit, after }: Page,
): Promise<FoundEmails> {
  const isSearch = recipient !== undefined
  const looked = isSearch ? MOST_LOOKED_AT : limit + 1
  const wanted = isSearch ? { recipient } : { eventId, status }
  const found = await list(tx, wanted, { limit: looked, after })
  const fitting = found.filter(
    email => email.event_id === eventId && (status === undefined || email.status === status),
  )
  const rows = fitting.slice(0, limit)
  if (fitting.length > limit) return { rows, next: rows.at(-1) }
  return { rows, next: isSearch && found.length === looked ? found.at(-1) : undefined }
}

/** Returns a mail of an event, or of no event if that is null. @throws Problem not_found */
export async function getOf(tx: ReadTx, eventId: string | null, id: string): Promise<Email> {
  const email = isUuid(id) ? await store.find(tx, id.toLowerCase()) : undefined
  if (email === undefined || email.event_id !== eventId) throw new Problem('not_found')
  return email
}

/**
 * Returns a mail that waits or failed, as it would be sent now, without the parts that only its recipient may read.
 *
 * @param now milliseconds
 * @returns undefined if there is nothing left to say. `isHiding` is true if it lacks something that the recipient gets
 * @throws Problem not_found; whatever its kind throws
 */
export async function preview(
  tx: ReadTx,
  id: string,
  letters: Letters,
  now: number,
): Promise<{ letter: Letter; isHiding: boolean } | undefined> {
  const row = await store.findDetails(tx, id)
  if (row === undefined) throw new Problem('not_found')
  const composed = await compose(tx, row, letters, now)
  return composed && { letter: withoutSecrets(composed), isHiding: composed.secrets.length > 0 }
}

/** Counts the mails of a status, up to `most`: of an event, of no event if that is null, or of the account. */
export function countStatus(
  tx: ReadTx,
  of: { eventId?: string | null | undefined; status: Email['status'] },
  most: number,
): Promise<number> {
  return countStore.countStatus(tx, { event_id: of.eventId, status: of.status }, most)
}

/** Returns whether an event has a mail of a kind with this status. */
export function hasOfKind(
  tx: ReadTx,
  eventId: string,
  of: { kind: KindName; status: Email['status'] },
): Promise<boolean> {
  return countStore.hasOfKind(tx, { ...of, event_id: eventId })
}

/**
 * Counts the failed mails by event. The key is null for mails of no event.
 *
 * @param eventIds counts these events alone, or all mails of the account if it is null
 * @param without leaves out these events, where all count
 * @param since milliseconds: counts mails that were made then or after it
 * @param most mails that are counted in all, or of each 128 of these events
 */
export async function countFailed(
  tx: ReadTx,
  {
    eventIds,
    without,
    since,
  }: { eventIds: readonly string[] | null; without: readonly string[]; since: number },
  most: number,
): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>()
  const failed =
    eventIds === null
      ? await listFailed(tx, { without, since }, most)
      : await listFailedOf(tx, eventIds, since, most)
  for (const { event_id } of failed) counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  return counts
}

/** Counts the mails of a status about one subject. It looks at no more than `most` of its mails. */
export function countOfSubject(
  tx: ReadTx,
  of: { subjectId: string; status: Email['status'] },
  most: number,
): Promise<number> {
  return countStore.countOfSubject(tx, { subject_id: of.subjectId, status: of.status }, most)
}

/**
 * Counts the mails of a kind about one subject that were made at or after an instant of writes, in milliseconds, up to `most`.
 */
export function countSince(
  tx: ReadTx,
  of: { subjectId: string; kind: string; since: number },
  most: number,
): Promise<number> {
  return countStore.countSince(tx, { ...of, subject_id: of.subjectId }, most)
}

/**
 * Counts the mails of a kind to one address that were made at or after an instant of writes, in milliseconds, up to `most`.
 */
export function countToSince(
  tx: ReadTx,
  { recipient, ...of }: { recipient: string; kind: string; since: number },
  most: number,
): Promise<number> {
  return countStore.countToSince(tx, { ...of, recipient_key: emailKey(recipient) }, most)
}

/** Counts the waiting mails of all accounts, up to `most`. One server sends them all. */
export function countWaiting(tx: AnyReadTx, most: number): Promise<number> {
  return countStore.countWaiting(tx, most)
}

/**
 * Makes a mail due soon that waits for its next attempt or that failed.
 *
 * @throws Problem not_found; email_ended for one that was sent, or is no longer needed
 */
export async function retry(tx: WriteTx, id: string): Promise<Email> {
  const email = await get(tx, id)
  if (email.status !== 'waiting' && email.status !== 'failed') throw new Problem('email_ended')
  await store.makeDue(tx, id, tx.clock(), await tx.now())
  return get(tx, id)
}

/** Returns whether somebody wants no announcements of the account. */
export async function isUnsubscribed(tx: ReadTx, email: string): Promise<boolean> {
  return (await unsubscribedStore.find(tx, emailKey(email))) !== undefined
}

/** Returns the keys, by `emailKey`, of those who want no announcements. */
export async function findUnsubscribed(tx: ReadTx, keys: readonly string[]): Promise<Set<string>> {
  return new Set((await unsubscribedStore.list(tx, keys)).map(({ email_key }) => email_key))
}

/** Stops the announcements of an account to somebody. A second call changes nothing. */
export async function unsubscribe(tx: WriteTx, email: string): Promise<void> {
  await unsubscribedStore.insert(tx, emailKey(email), await tx.now())
}

/**
 * Forgets the mails to a person, sent and unsent, and the person's unsubscription.
 *
 * @param key as e-mails are compared
 * @returns how many mails, up to `most`, or 0 once all are forgotten
 */
export async function forget(tx: WriteTx, key: string, most: number): Promise<number> {
  await unsubscribedStore.remove(tx, key)
  return store.removeOfRecipient(tx, key, most)
}

/** Removes the mails of an event to an address, sent or not. @param key as e-mails are compared */
export async function forgetOfEvent(tx: WriteTx, eventId: string, key: string): Promise<void> {
  await store.removeOfEvent(tx, eventId, key)
}

/** Removes the mails about one subject, sent or not. */
export async function removeOfSubject(tx: WriteTx, subjectId: string): Promise<void> {
  await store.removeOfSubject(tx, subjectId)
}
