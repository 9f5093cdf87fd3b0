import type { ReadTx } from '#machinery/db/port.ts'

/** A payment without a processor, with what a search needs. */
export interface CandidateRow {
  payment_id: string
  order_id: string
  event_id: string
  /** The reference of the order. `reference` is the payment's own. */
  order_reference: string
  reference: string
  buyer_name: string
  buyer_email: string
  currency: string
  amount: number
  received: number | null
  is_open: 0 | 1
}

/** Returns the newest payments with a reference that the payer states, of all events. */
export function listNewest(tx: ReadTx, limit: number): Promise<CandidateRow[]> {
  return tx.all(
    `SELECT p.id AS payment_id, p.order_id, p.event_id, o.reference AS order_reference, p.reference, o.buyer_name,
       o.buyer_email, p.currency, p.amount, p.received, CASE WHEN p.ended_at IS NULL THEN 1 ELSE 0 END AS is_open
     FROM payments p JOIN orders o ON o.id = p.order_id
     WHERE p.account_id = $1 AND p.reference IS NOT NULL ORDER BY p.created_at DESC, p.id DESC LIMIT $2`,
    [tx.accountId, limit],
  )
}
