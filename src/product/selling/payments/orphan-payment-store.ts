import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface OrphanPaymentRow {
  account_id: string
  session_id: string
  charge_id: string | null
  /** Minor units. */
  amount: number
  currency: string
  paid_at: number
  state: 'found' | 'refund_requested' | 'refunded' | 'left'
  refund_id: string | null
  /** A JSON object: the call that refunds it. */
  call: string | null
  trouble: string | null
}

const SELECT = `SELECT o.account_id, o.session_id, o.charge_id, o.amount, o.currency, o.paid_at, o.state, o.refund_id, o.call, o.trouble
  FROM orphan_payments o`

/** @returns 0 if it is known already */
export function insert(tx: WriteTx, row: OrphanPaymentRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO orphan_payments (account_id, session_id, charge_id, amount, currency, paid_at, state, refund_id, call, trouble,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     ON CONFLICT (account_id, session_id) DO NOTHING`,
    [
      row.account_id,
      row.session_id,
      row.charge_id,
      row.amount,
      row.currency,
      row.paid_at,
      row.state,
      row.refund_id,
      row.call,
      row.trouble,
      now,
    ],
  )
}

export function find(tx: ReadTx, sessionId: string): Promise<OrphanPaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.session_id = $2`, [tx.accountId, sessionId])
}

/** Returns those that somebody has to see to or that are being refunded, the oldest first. */
export function listOpen(tx: ReadTx, limit: number): Promise<OrphanPaymentRow[]> {
  return tx.all(
    `${SELECT} WHERE o.account_id = $1 AND o.state IN ('found', 'refund_requested')
     ORDER BY o.paid_at, o.session_id LIMIT $2`,
    [tx.accountId, limit],
  )
}

export type OrphanPaymentChanges = Partial<Pick<OrphanPaymentRow, 'state' | 'refund_id' | 'call' | 'trouble'>>

/** Changes a row if its state is still the one that was read. @returns 0 if it is not */
export function update(
  tx: WriteTx,
  was: OrphanPaymentRow,
  changes: OrphanPaymentChanges,
  now: number,
): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE orphan_payments SET state = $4, refund_id = $5, call = $6, trouble = $7, updated_at = $8
     WHERE account_id = $1 AND session_id = $2 AND state = $3`,
    [was.account_id, was.session_id, was.state, row.state, row.refund_id, row.call, row.trouble, now],
  )
}
