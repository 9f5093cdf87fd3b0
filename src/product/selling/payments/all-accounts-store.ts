import type { ReadTx } from '../db/port.ts'

/** Queries over every account at once, for the metrics: each reads what is open, by an index of that alone. */

/** Counts no further than `limit`. @param now milliseconds of the clock */
export async function countWaiting(tx: ReadTx, now: number, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM payments p WHERE p.created_at <= $1 AND p.ended_at IS NULL AND p.next_look_at IS NOT NULL LIMIT $2) AS slice`,
    [now, limit],
  )
  return row?.count ?? 0
}

/** When the oldest was begun that a processor is asked about. @param now milliseconds of the clock, as is what it gives */
export async function findOldestPayment(tx: ReadTx, now: number): Promise<number | undefined> {
  const row = await tx.one<{ created_at: number }>(
    `SELECT p.created_at FROM payments p WHERE p.created_at <= $1 AND p.ended_at IS NULL AND p.next_look_at IS NOT NULL
     ORDER BY p.created_at LIMIT 1`,
    [now],
  )
  return row?.created_at
}

/** The same of refunds. */
export async function findOldestRefund(tx: ReadTx, now: number): Promise<number | undefined> {
  const row = await tx.one<{ created_at: number }>(
    `SELECT f.created_at FROM refunds f WHERE f.created_at <= $1 AND f.next_look_at IS NOT NULL
     ORDER BY f.created_at LIMIT 1`,
    [now],
  )
  return row?.created_at
}

/** Among `limit` refunds that have not reached their buyers. */
export async function countFailed(tx: ReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT f.status FROM refunds f WHERE f.account_id IN (SELECT a.id FROM accounts a) AND f.status <> 'done'
           LIMIT $1) AS slice WHERE slice.status = 'failed'`,
    [limit],
  )
  return row?.count ?? 0
}

/** Those of them that somebody has to see to, as `refund-store.ts` lists them. */
export async function countToPayBack(tx: ReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT f.status, f.charge_id, f.trouble FROM refunds f
           WHERE f.account_id IN (SELECT a.id FROM accounts a) AND f.status <> 'done'
           LIMIT $1) AS slice WHERE slice.charge_id IS NULL OR slice.status = 'failed' OR slice.trouble IS NOT NULL`,
    [limit],
  )
  return row?.count ?? 0
}

/** When the events of the account were read that has waited longest, in milliseconds; undefined where none is connected. */
export async function findLeastRead(tx: ReadTx): Promise<number | undefined> {
  const row = await tx.one<{ at: number | null }>(
    `SELECT min(coalesce(c.events_read_at, c.created_at)) AS at FROM payment_connections c WHERE c.method = 'stripe'`,
  )
  return row?.at ?? undefined
}
