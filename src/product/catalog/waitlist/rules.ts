import { createHash } from 'node:crypto'
import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { reserveSlot } from '#machinery/mail/pacing.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import type { Language } from '#texts/languages.ts'
import { placeFreeMail } from './kinds.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/** The waiting entries that one read gets, of all types together. */
const READ = 100
/** The entries that one read looks through for a person. */
const WALKED = 1_000

/** The free places of a type, or of a pool that several types share. */
export interface Room {
  free: number
}

interface Queue {
  typeId: string
  rooms: readonly Room[]
  /** The next entries that are already read. */
  waiting: Waiting[]
  after: Position
  isRead: boolean
}

type Waiting = Position & { quantity: number }

/** A person on the waitlist whose turn it is. */
export interface Chosen {
  id: string
  typeId: string
}

/** Marks entries as notified, and mails each person that there is room. It holds no places for them. */
export async function notify(tx: WriteTx, chosen: readonly Chosen[]): Promise<void> {
  const now = await tx.now()
  for (const { id } of chosen) {
    const notified = await store.markNotified(tx, id, null, now)
    if (notified === undefined) continue
    const { event_id: eventId, email: recipient, language } = notified
    const cause = `${id} ${now}`
    await queue(tx, placeFreeMail, { cause, recipient, language, eventId, subjectId: id })
  }
}

/**
 * Marks an entry as notified because an order holds places for it from now on. The caller that holds them sends the mail.
 *
 * @returns the person and what is held for them
 * @throws Problem not_found
 */
export async function markOffered(
  tx: WriteTx,
  id: string,
  orderId: string,
): Promise<Pick<NewEntry, 'name' | 'email' | 'quantity' | 'language'>> {
  const notified = await store.markNotified(tx, id, orderId, await tx.now())
  if (notified === undefined) throw new Problem('not_found', { subject: id })
  const { name, email, quantity, language } = notified
  return { name, email, quantity, language }
}

/**
 * Chooses the people on the waitlist whose turn it is after a release. They wait for these types and fit into the free places,
 * and whoever has waited longest comes first. An entry that wants more than is left is passed over and keeps its rank. No place
 * is given twice here (specification section 3).
 *
 * @param rooms the rooms of each type. Each of them must have space
 * @param atMost the most people to choose
 */
export async function chooseNext(
  tx: ReadTx,
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
      const entry = await findFirst(tx, queue, most, Math.ceil(READ / rooms.size))
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

/**
 * Returns the first entry of a queue that fits into what is left. The entries before it are passed over for good, because less
 * and less is left.
 */
async function findFirst(tx: ReadTx, queue: Queue, left: number, size: number): Promise<Waiting | undefined> {
  while (left > 0) {
    const at = queue.waiting.findIndex(({ quantity }) => quantity <= left)
    queue.waiting.splice(0, at < 0 ? queue.waiting.length : at)
    if (queue.waiting.length > 0 || queue.isRead) return queue.waiting[0]
    queue.waiting = await store.listWaiting(tx, queue.typeId, left, queue.after, size)
    queue.after = queue.waiting.at(-1) ?? queue.after
    queue.isRead = queue.waiting.length < size
  }
  return undefined
}

function isOlder(one: Position, other: Position): boolean {
  return one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id)
}

/** A person who wants tickets that are sold out. */
export interface NewEntry {
  typeId: string
  name: string
  email: string
  quantity: number
  language: Language
  /** The networks that the person comes from, hashed, the narrowest first. Without them, the entry is not counted. */
  placedFrom?: readonly string[]
}

/**
 * Puts a person on the waitlist of a type. Whoever already waits for it keeps their rank. Whoever was notified of a free place
 * and joins again waits behind all others. Everybody gets a mail once there is room, so a network can join no more often at a
 * time than it gets mails about its orders.
 *
 * @throws Problem too_many_joined
 */
export async function join(
  tx: WriteTx,
  eventId: string,
  { typeId, name, email, quantity, language, placedFrom: networks = [] }: NewEntry,
): Promise<WaitlistEntry> {
  const wanted = { networks, paces: ['buyers'], subjectId: typeId } as const
  const due = networks.length === 0 ? tx.clock() : await reserveSlot(tx, wanted)
  if (due === undefined || due > tx.clock()) throw new Problem('too_many_joined')
  // There is one reference for each person and type, and it contains no e-mail.
  const reference = `joined-${createHash('sha256')
    .update(`${typeId} ${emailKey(email)}`)
    .digest('hex')
    .slice(0, 32)}`
  const row = { id: newUuid(), reference, name, email, quantity, registration_type_id: typeId }
  const entry = { ...row, event_id: eventId, language }
  const joined = await store.join(tx, entry, ERASED_EMAIL, await tx.now())
  return get(tx, eventId, joined?.id as string)
}

/** Counts the people who wait for any of these types, no further than `most`. */
export async function countWaiting(tx: ReadTx, typeIds: readonly string[], most: number): Promise<number> {
  let count = 0
  for (const id of typeIds) count += await store.countWaiting(tx, id, most - count)
  return count
}

/** Lists the waitlist of an event, oldest first. */
export async function listByEvent(tx: ReadTx, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, eventId)).map(presentWaitlistEntry)
}

/**
 * Returns a page of an event's waitlist, or of that of one of its types. The oldest entry comes first and gets the next place.
 */
export async function list(
  tx: ReadTx,
  eventId: string,
  typeId: string | undefined,
  page: Page,
): Promise<Iterable<Listed<WaitlistEntry>>> {
  return toListed(await store.listPage(tx, eventId, typeId, page), presentWaitlistEntry)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<WaitlistEntry> {
  const row = await store.find(tx, eventId, id)
  if (row === undefined) throw new Problem('not_found', { subject: id })
  return presentWaitlistEntry(row)
}

/**
 * Removes a person from the waitlist. It notifies nobody, because an entry holds no place. Offered places belong to the person's
 * order, which continues.
 *
 * @throws Problem not_found
 */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<WaitlistEntry> {
  const entry = await get(tx, eventId, id)
  await store.remove(tx, id)
  return entry
}

/** Returns the entry of a removal in the access log, for `recordedWrite`. It does not say whom it was about. */
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

/** Finds the entries of a person, in batches. @param key the e-mail in the form that is compared */
export async function* findByPerson(
  reader: Reader,
  accountId: string,
  key: string,
): AsyncGenerator<string[]> {
  const batches = inBatches(reader, accountId, WALKED, (tx, last: store.WaitingPersonRow | undefined, size) =>
    store.listPeople(tx, last, size),
  )
  for await (const rows of batches) {
    const own = rows.filter(({ email }) => emailKey(email) === key)
    if (own.length > 0) yield own.map(({ id }) => id)
  }
}

/** Makes an entry anonymous. It keeps its place in the file, and is offered no place any more. */
export async function erase(tx: WriteTx, id: string): Promise<void> {
  await store.erase(tx, id, { name: ERASED_NAME, email: ERASED_EMAIL }, await tx.now())
}
