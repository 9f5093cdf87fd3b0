import type { AnyReadTx, InstanceReadTx } from '#machinery/db/port.ts'

/** Returns the account of an order. A link needs it, as it names no account. */
export function findAccount(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT o.account_id FROM orders o WHERE o.id = $1', [id])
}

/** Returns the account and the order of a ticket. */
export function findOfTicket(
  tx: AnyReadTx,
  id: string,
): Promise<{ account_id: string; order_id: string } | undefined> {
  return tx.one(
    `SELECT r.account_id, r.order_id FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id = $1 AND r.order_id IS NOT NULL`,
    [id],
  )
}
