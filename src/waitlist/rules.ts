import type { ReadTx, WriteTx } from '../db/port.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import * as store from './store.ts'

export interface WaitlistEntry {
  id: string
  reference: string
  name: string
  email: string
  quantity: number
  registration_type_id: string
  created_at: string
  notified_at: string | null
}

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
  const rows = await store.listByEvent(tx, accountId, eventId)
  return rows.map(row => ({
    id: row.id,
    reference: row.reference,
    name: row.name,
    email: row.email,
    quantity: row.quantity,
    registration_type_id: row.registration_type_id,
    created_at: toIso(row.created_at),
    notified_at: toIsoOrNull(row.notified_at),
  }))
}
