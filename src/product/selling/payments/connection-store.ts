import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface StripeRow {
  account_id: string
  secret_key: string
  is_live: 0 | 1
  processor_account: string
  processor_name: string | null
  webhook_id: string | null
  webhook_url: string | null
  webhook_secret: string | null
  former_webhook_secret: string | null
  events_cursor: string | null
  events_read_at: number | null
  trouble: string | null
  /** Whether buyers are offered methods whose money comes days later. */
  takes_delayed: 0 | 1
  created_at: number
}

const SELECT = `SELECT c.account_id, c.secret_key, c.is_live, c.processor_account, c.processor_name, c.webhook_id, c.webhook_url,
  c.webhook_secret, c.former_webhook_secret, c.events_cursor, c.events_read_at, c.trouble, c.takes_delayed, c.created_at
  FROM payment_connections c`

export function findStripe(tx: ReadTx): Promise<StripeRow | undefined> {
  return tx.one(`${SELECT} WHERE c.account_id = $1 AND c.method = 'stripe'`, [tx.accountId])
}

/** Returns the connections of all accounts. */
export function listStripe(tx: InstanceReadTx): Promise<StripeRow[]> {
  return tx.all(`${SELECT} WHERE c.method = 'stripe' ORDER BY c.account_id`)
}

/** Adds a connection to Stripe, or gives the existing one another key. */
export async function saveStripe(
  tx: WriteTx,
  row: Pick<
    StripeRow,
    'account_id' | 'secret_key' | 'is_live' | 'processor_account' | 'processor_name' | 'events_cursor'
  >,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO payment_connections (account_id, method, secret_key, is_live, processor_account, processor_name, events_cursor,
       created_at, updated_at)
     VALUES ($1, 'stripe', $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (account_id, method) DO UPDATE SET secret_key = excluded.secret_key, processor_name = excluded.processor_name,
       trouble = NULL, updated_at = excluded.updated_at`,
    [
      row.account_id,
      row.secret_key,
      row.is_live,
      row.processor_account,
      row.processor_name,
      row.events_cursor,
      now,
    ],
  )
}

export type StripeChanges = Partial<
  Pick<
    StripeRow,
    | 'webhook_id'
    | 'webhook_url'
    | 'webhook_secret'
    | 'former_webhook_secret'
    | 'events_cursor'
    | 'events_read_at'
    | 'trouble'
    | 'takes_delayed'
  >
>

export function updateStripe(
  tx: WriteTx,
  was: StripeRow,
  changes: StripeChanges,
  now: number,
): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE payment_connections SET webhook_id = $2, webhook_url = $3, webhook_secret = $4, former_webhook_secret = $5,
       events_cursor = $6, events_read_at = $7, trouble = $8, takes_delayed = $9, updated_at = $10
     WHERE account_id = $1 AND method = 'stripe'`,
    [
      was.account_id,
      row.webhook_id,
      row.webhook_url,
      row.webhook_secret,
      row.former_webhook_secret,
      row.events_cursor,
      row.events_read_at,
      row.trouble,
      row.takes_delayed,
      now,
    ],
  )
}

/** Returns a JSON object, or undefined if there is none. */
export async function findBank(tx: ReadTx): Promise<string | undefined> {
  const row = await tx.one<{ bank: string }>(
    `SELECT c.bank FROM payment_connections c WHERE c.account_id = $1 AND c.method = 'transfer'`,
    [tx.accountId],
  )
  return row?.bank
}

export async function saveBank(tx: WriteTx, bank: string, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at) VALUES ($1, 'transfer', $2, $3, $3)
     ON CONFLICT (account_id, method) DO UPDATE SET bank = excluded.bank, updated_at = excluded.updated_at`,
    [tx.accountId, bank, now],
  )
}

export function remove(tx: WriteTx, method: 'stripe' | 'transfer'): Promise<number> {
  return tx.run('DELETE FROM payment_connections WHERE account_id = $1 AND method = $2', [
    tx.accountId,
    method,
  ])
}

/** Counts the payments that may still be paid in this way, and the refunds that still have to be made in it. */
export async function countOpen(tx: ReadTx, method: 'stripe' | 'transfer'): Promise<number> {
  const payments = await tx.one<{ open: number }>(
    `SELECT COUNT(*) AS open FROM payments p WHERE p.account_id = $1 AND p.method = $2 AND p.ended_at IS NULL`,
    [tx.accountId, method],
  )
  const refunds = await tx.one<{ open: number }>(
    `SELECT COUNT(*) AS open FROM refunds f WHERE f.account_id = $1 AND f.method = $2 AND f.status NOT IN ('done', 'dropped')
       AND f.ended_at IS NULL AND f.charge_id IS NOT NULL`,
    [tx.accountId, method],
  )
  return (payments?.open ?? 0) + (refunds?.open ?? 0)
}
