import type { ReadTx } from '../db/port.ts'

/** Whose order it is, for a link, which names no account. */
export function findAccount(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT o.account_id FROM orders o WHERE o.id = $1', [id])
}

/** The same of a ticket. */
export function findOfTicket(
  tx: ReadTx,
  id: string,
): Promise<{ account_id: string; order_id: string } | undefined> {
  return tx.one(
    `SELECT r.account_id, r.order_id FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id = $1 AND r.order_id IS NOT NULL`,
    [id],
  )
}
