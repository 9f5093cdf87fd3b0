import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface TestSessionRow {
  id: string
  account_id: string
  call_key: string
  payment_id: string
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired'
  /** Whether the last try was declined. */
  is_declined: 0 | 1
  currency: string
  amount: number
  fee: number | null
  /** A JSON array with the id, key, refund id, amount and instant of each. */
  refunds: string
  expires_at: number
  paid_at: number | null
  created_at: number
}

const SELECT = `SELECT s.id, s.account_id, s.call_key, s.payment_id, s.state, s.is_declined, s.currency, s.amount, s.fee, s.refunds,
  s.expires_at, s.paid_at, s.created_at FROM test_sessions s`

/** @returns 0 if the key has made a session already */
export function insert(tx: WriteTx, row: TestSessionRow): Promise<number> {
  return tx.run(
    `INSERT INTO test_sessions (id, account_id, call_key, payment_id, state, is_declined, currency, amount, fee, refunds,
       expires_at, paid_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) ON CONFLICT (account_id, call_key) DO NOTHING`,
    [
      row.id,
      row.account_id,
      row.call_key,
      row.payment_id,
      row.state,
      row.is_declined,
      row.currency,
      row.amount,
      row.fee,
      row.refunds,
      row.expires_at,
      row.paid_at,
      row.created_at,
    ],
  )
}

export function findByKey(tx: ReadTx, key: string): Promise<TestSessionRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.call_key = $2`, [tx.accountId, key])
}

export function find(tx: ReadTx, id: string): Promise<TestSessionRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, id])
}

/** Returns the newest session of a payment of ours. */
export function findByPayment(tx: ReadTx, paymentId: string): Promise<TestSessionRow | undefined> {
  return tx.one(
    `${SELECT} WHERE s.account_id = $1 AND s.payment_id = $2 ORDER BY s.created_at DESC, s.id DESC LIMIT 1`,
    [tx.accountId, paymentId],
  )
}

export function update(
  tx: WriteTx,
  was: TestSessionRow,
  changes: Partial<Pick<TestSessionRow, 'state' | 'is_declined' | 'fee' | 'refunds' | 'paid_at'>>,
  now: number,
): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE test_sessions SET state = $3, is_declined = $4, fee = $5, refunds = $6, paid_at = $7, updated_at = $8
     WHERE account_id = $1 AND id = $2`,
    [was.account_id, was.id, row.state, row.is_declined, row.fee, row.refunds, row.paid_at, now],
  )
}
