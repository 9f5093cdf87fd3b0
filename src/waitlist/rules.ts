import type { ReadTx, WriteTx } from '../db/port.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/**
 * Tickets of a type were released: as many waiting entries become notified, those that have waited longest first, each
 * once. In the transaction of the cancel (specification section 3).
 */
export async function notifyNext(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  tickets: number,
): Promise<void> {
  await store.markNotified(tx, accountId, typeId, tickets, await tx.now())
}

/** Who waits for an event, oldest first. */
export async function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(presentWaitlistEntry)
}
