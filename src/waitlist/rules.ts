import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/** Waiting entries that are read at a time. */
const READ = 100

/**
 * Tickets of a type were released: the waiting entries that fit into what is free become notified, those that have waited
 * longest first, each once. Who wants more than is left is passed over and keeps the rank. No place is told of twice here; but
 * first come, first served: those who were told before hold none. In the transaction of the cancel (specification section 3).
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

/** Who waits for an event, oldest first. */
export async function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(presentWaitlistEntry)
}
