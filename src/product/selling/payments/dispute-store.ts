import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface DisputeRow {
  id: string
  account_id: string
  event_id: string
  order_id: string
  payment_id: string
  charge_id: string
  status: 'warning' | 'needs_response' | 'under_review' | 'won' | 'lost' | 'closed'
  reason: string
  currency: string
  /** Minor units. */
  amount: number
  due_by: number | null
  is_fee_foreign: 0 | 1
  opened_at: number
  /** What a member has made of the tickets. It is null for a dispute that is not lost. */
  decision: 'voided' | 'kept' | null
}

const SELECT = `SELECT d.id, d.account_id, d.event_id, d.order_id, d.payment_id, d.charge_id, d.status, d.reason, d.currency,
  d.amount, d.due_by, d.is_fee_foreign, d.opened_at, d.decision FROM disputes d`

export async function save(tx: WriteTx, row: DisputeRow, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO disputes (id, account_id, event_id, order_id, payment_id, charge_id, status, reason, currency, amount, due_by,
       is_fee_foreign, opened_at, decision, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
     ON CONFLICT (account_id, id) DO UPDATE SET status = excluded.status, reason = excluded.reason, amount = excluded.amount,
       due_by = excluded.due_by, is_fee_foreign = excluded.is_fee_foreign,
       decision = excluded.decision, updated_at = excluded.updated_at`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.order_id,
      row.payment_id,
      row.charge_id,
      row.status,
      row.reason,
      row.currency,
      row.amount,
      row.due_by,
      row.is_fee_foreign,
      row.opened_at,
      row.decision,
      now,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<DisputeRow | undefined> {
  return tx.one(`${SELECT} WHERE d.account_id = $1 AND d.id = $2`, [tx.accountId, id])
}

/** Returns the oldest first. */
export function listByOrder(tx: ReadTx, orderId: string): Promise<DisputeRow[]> {
  return tx.all(`${SELECT} WHERE d.account_id = $1 AND d.order_id = $2 ORDER BY d.opened_at, d.id`, [
    tx.accountId,
    orderId,
  ])
}

/** Returns the disputes that are not decided, the oldest first. */
export function listOpen(tx: ReadTx, limit: number): Promise<DisputeRow[]> {
  return tx.all(
    `${SELECT} WHERE d.account_id = $1 AND d.status IN ('warning', 'needs_response', 'under_review')
     ORDER BY d.opened_at, d.id LIMIT $2`,
    [tx.accountId, limit],
  )
}

/** Returns the lost disputes whose tickets nobody has decided about, the oldest first. */
export function listToDecide(tx: ReadTx, limit: number): Promise<DisputeRow[]> {
  return tx.all(
    `${SELECT} WHERE d.account_id = $1 AND d.status = 'lost' AND d.decision IS NULL ORDER BY d.opened_at, d.id LIMIT $2`,
    [tx.accountId, limit],
  )
}

export async function decide(
  tx: WriteTx,
  id: string,
  decision: NonNullable<DisputeRow['decision']>,
  now: number,
): Promise<void> {
  await tx.run('UPDATE disputes SET decision = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    decision,
    now,
  ])
}
