import type { ReadTx, WriteTx } from '../db/port.ts'

export interface WaitlistRow {
  id: string
  reference: string
  name: string
  email: string
  quantity: number
  registration_type_id: string
  created_at: number
  notified_at: number | null
}

/** Marks the `count` entries of a type that have waited longest. */
export function markNotified(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  count: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE waitlist_entries SET notified_at = $4, updated_at = $4 WHERE id IN
       (SELECT id FROM waitlist_entries
        WHERE registration_type_id = $2 AND notified_at IS NULL AND account_id = $1 ORDER BY created_at, id LIMIT $3)`,
    [accountId, typeId, count, now],
  )
}

/** Oldest first. */
export function listByEvent(tx: ReadTx, accountId: string, eventId: string): Promise<WaitlistRow[]> {
  return tx.all(
    `SELECT w.id, w.reference, w.name, w.email, w.quantity, w.registration_type_id, w.created_at, w.notified_at
     FROM waitlist_entries w WHERE w.account_id = $1 AND w.event_id = $2 ORDER BY w.created_at, w.id`,
    [accountId, eventId],
  )
}
