import { createHash } from 'node:crypto'
import type { WriteEntry } from '../access-log/recorded-write.ts'
import { inBatches, type Reader } from '../db/batches.ts'
import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { queue } from '../emails/outbox.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import type { Language } from '../web/texts/languages.ts'
import { ERASED_EMAIL, ERASED_NAME } from '../words.ts'
import { placeFreeMail } from './kinds.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/** Waiting entries that are read at a time, of all types together. */
const READ = 100
/** Those that one read looks through for a person. */
const WALKED = 1_000

/** What is left to offer: of a type, or of a pool that several types share. */
export interface Room {
  free: number
}

interface Queue {
  typeId: string
  rooms: readonly Room[]
  /** The next that are read already. */
  waiting: Waiting[]
  after: Position
  isRead: boolean
}

type Waiting = Position & { quantity: number }

/** Somebody whose turn it is. */
export interface Chosen {
  id: string
  typeId: string
}

/** Marks entries as notified, and mails to each that there is room. None is held for them. */
export async function notify(tx: WriteTx, accountId: string, chosen: readonly Chosen[]): Promise<void> {
  const now = await tx.now()
  for (const { id } of chosen) {
    const told = await store.markNotified(tx, accountId, id, null, now)
    if (told === undefined) continue
    const { event_id: eventId, email: recipient, language } = told
    const cause = `${id} ${now}`
    await queue(tx, accountId, placeFreeMail, { cause, recipient, language, eventId, subjectId: id })
  }
}

/**
 * Marks an entry as notified, for whom an order holds places from now on. Whoever holds them mails that.
 *
 * @returns what is held, and for whom
 * @throws Problem not_found
 */
export async function markOffered(
  tx: WriteTx,
  accountId: string,
  id: string,
  orderId: string,
): Promise<Pick<NewEntry, 'name' | 'email' | 'quantity' | 'language'>> {
  const told = await store.markNotified(tx, accountId, id, orderId, await tx.now())
  if (told === undefined) throw new Problem('not_found', { subject: id })
  const { name, email, quantity, language } = told
  return { name, email, quantity, language }
}

/**
 * Whose turn it is once places were released: those waiting for these types who fit into what is free, the longest waiting
 * first. An entry that wants more than is left is passed over and keeps its rank. No place is given twice here (specification
 * section 3).
 *
 * @param rooms of each type, of which each has to have room
 * @param atMost of them
 */
export async function chooseNext(
  tx: ReadTx,
  accountId: string,
  rooms: ReadonlyMap<string, readonly Room[]>,
  atMost = Number.POSITIVE_INFINITY,
): Promise<Chosen[]> {
  const chosen: Chosen[] = []
  const left = new Map([...rooms.values()].flat().map(room => [room, room.free]))
  const queues = [...rooms].map(([typeId, ofType]): Queue => {
    const after = { created_at: Number.MIN_SAFE_INTEGER, id: '' }
    return { typeId, rooms: ofType, waiting: [], after, isRead: false }
  })
  for (;;) {
    let next: { entry: Waiting; queue: Queue } | undefined
    for (const queue of queues) {
      const most = Math.min(...queue.rooms.map(room => left.get(room) as number))
      const entry = await findFirst(tx, accountId, queue, most, Math.ceil(READ / rooms.size))
      if (entry !== undefined && (next === undefined || isOlder(entry, next.entry))) next = { entry, queue }
    }
    if (next === undefined) return chosen
    const { entry, queue } = next
    chosen.push({ id: entry.id, typeId: queue.typeId })
    if (chosen.length >= atMost) return chosen
    for (const room of queue.rooms) left.set(room, (left.get(room) as number) - entry.quantity)
    queue.waiting.shift()
  }
}

/** The first of a queue that fits into what is left: it only gets less, so those before it are passed over for good. */
async function findFirst(
  tx: ReadTx,
  accountId: string,
  queue: Queue,
  left: number,
  size: number,
): Promise<Waiting | undefined> {
  while (left > 0) {
    const at = queue.waiting.findIndex(({ quantity }) => quantity <= left)
    queue.waiting.splice(0, at < 0 ? queue.waiting.length : at)
    if (queue.waiting.length > 0 || queue.isRead) return queue.waiting[0]
    queue.waiting = await store.listWaiting(tx, accountId, queue.typeId, left, queue.after, size)
    queue.after = queue.waiting.at(-1) ?? queue.after
    queue.isRead = queue.waiting.length < size
  }
  return undefined
}

function isOlder(one: Position, other: Position): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id)
}

/** Somebody who wants tickets that are sold out. */
export interface NewEntry {
  typeId: string
  name: string
  email: string
  quantity: number
  language: Language
}

/**
 * Puts somebody on the waitlist of a type. Whoever waits for it already stays where they are; whoever was told of a free place,
 * and joins again, waits behind all others.
 */
export async function join(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { typeId, name, email, quantity, language }: NewEntry,
): Promise<WaitlistEntry> {
  // One of each person and type, and no e-mail in it.
  const reference = `joined-${createHash('sha256')
    .update(`${typeId} ${emailKey(email)}`)
    .digest('hex')
    .slice(0, 32)}`
  const row = { id: newUuid(), reference, name, email, quantity, registration_type_id: typeId }
  const entry = { ...row, event_id: eventId, language }
  const joined = await store.join(tx, accountId, entry, ERASED_EMAIL, await tx.now())
  return get(tx, accountId, eventId, joined?.id as string)
}

/** How many wait for any of these types; counts no further than `most`. */
export async function countWaiting(
  tx: ReadTx,
  accountId: string,
  typeIds: readonly string[],
  most: number,
): Promise<number> {
  let count = 0
  for (const id of typeIds) count += await store.countWaiting(tx, accountId, id, most - count)
  return count
}

/** The waitlist of an event, oldest first. */
export async function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(presentWaitlistEntry)
}

/** A page of an event's waitlist, or of those who wait for one of its types, oldest first: who is first gets the next place. */
export async function list(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  typeId: string | undefined,
  page: Page,
): Promise<Iterable<Listed<WaitlistEntry>>> {
  return toListed(await store.listPage(tx, accountId, eventId, typeId, page), presentWaitlistEntry)
}

/** @throws Problem not_found */
export async function get(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<WaitlistEntry> {
  const row = await store.find(tx, accountId, eventId, id)
  if (row === undefined) throw new Problem('not_found', { subject: id })
  return presentWaitlistEntry(row)
}

/**
 * Takes somebody off the waitlist. Nobody is told, and nobody else is notified: an entry holds no place. Those that are offered to
 * them their order holds, which goes on.
 *
 * @throws Problem not_found
 */
export async function remove(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<WaitlistEntry> {
  const entry = await get(tx, accountId, eventId, id)
  await store.remove(tx, accountId, id)
  return entry
}

/** The entry of a removal in the access log, for `recordedWrite`: whom it was about it does not say. */
export function removeEntry(id: string): WriteEntry<WaitlistEntry> {
  return {
    action: 'waitlist.remove',
    targetType: 'waitlist_entry',
    targetId: id,
    details: (_, removed) => ({
      reference: removed?.reference,
      registration_type_id: removed?.registration_type_id,
      quantity: removed?.quantity,
    }),
  }
}

/** The entries of a person, in batches. @param key as e-mails are compared */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches<store.WaitingPersonRow>(reader, WALKED, (tx, last, size) =>
    store.listPeople(tx, accountId, last, size),
  )
  for await (const rows of batches) {
    const own = rows.filter(({ email }) => emailKey(email) === key)
    if (own.length > 0) yield own.map(({ id }) => id)
  }
}

/** Makes an entry anonymous. It keeps its place in the file, and no place is offered to it any more. */
export async function erase(tx: WriteTx, accountId: string, id: string): Promise<void> {
  await store.erase(tx, accountId, id, { name: ERASED_NAME, email: ERASED_EMAIL }, await tx.now())
}
