import { inBatches, type Reader } from '../db/batches.ts'
import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { ERASED_EMAIL, ERASED_NAME } from '../words.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/** Waiting entries that are read at a time. */
const READ = 100
/** Those that one read looks through for a person. */
const WALKED = 1_000

/**
 * Tickets of a type were released: notifies the waiting entries that fit into what is free, the longest waiting first, each
 * once. An entry that wants more than is left is passed over and keeps its rank. No place is offered twice here; but first come,
 * first served: earlier notified entries hold none. Runs in the transaction of the cancel (specification section 3).
 *
 * @param free tickets of the type that nobody has
 */
export async function notifyNext(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  free: number,
): Promise<void> {
  const now = await tx.now()
  let left = free
  let after: Position = { created_at: Number.MIN_SAFE_INTEGER, id: '' }
  while (left > 0) {
    const entries = await store.listWaiting(tx, accountId, typeId, left, after, READ)
    for (const { id, quantity } of entries) {
      if (quantity > left) continue
      await store.markNotified(tx, accountId, id, now)
      left -= quantity
    }
    const last = entries.at(-1)
    if (last === undefined || entries.length < READ) return
    after = last
  }
}

/** The waitlist of an event, oldest first. */
export async function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(presentWaitlistEntry)
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
