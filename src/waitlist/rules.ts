import type { ReadTx, WriteTx } from '../db/port.ts'
import { presentWaitlistEntry, type WaitlistEntry } from './schemas.ts'
import * as store from './store.ts'

/**
 * Notifies as many waiting entries of a type as tickets were released, the longest waiting first, each once. Runs in the
 * transaction of the cancel (specification section 3).
 */
export async function notifyNext(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  tickets: number,
): Promise<void> {
  await store.markNotified(tx, accountId, typeId, tickets, await tx.now())
}

/** The waitlist of an event, oldest first. */
export async function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistEntry[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(presentWaitlistEntry)
}
