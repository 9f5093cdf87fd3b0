import type { InstanceReadTx } from '#machinery/db/port.ts'

/**
 * These queries cover all accounts at once, for the metrics. Those of payments and refunds read only open rows, by an index of
 * these.
 */

/** Counts no further than `limit`. @param now milliseconds of the clock */
export async function countWaiting(tx: InstanceReadTx, now: number, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM payments p WHERE p.created_at <= $1 AND p.ended_at IS NULL AND p.next_look_at IS NOT NULL LIMIT $2) AS slice`,
    [now, limit],
  )
  return row?.count ?? 0
}

/**
 * Returns when the oldest payment began that a processor is asked about.
 *
 * @param now milliseconds of the clock, as is the result
 */
export async function findOldestPayment(tx: InstanceReadTx, now: number): Promise<number | undefined> {
  const row = await tx.one<{ created_at: number }>(
    `SELECT p.created_at FROM payments p WHERE p.created_at <= $1 AND p.ended_at IS NULL AND p.next_look_at IS NOT NULL
     ORDER BY p.created_at LIMIT 1`,
    [now],
  )
  return row?.created_at
}

/**
 * Returns when the oldest refund was made that a processor is asked about.
 *
 * @param now milliseconds of the clock, as is the result
 */
export async function findOldestRefund(tx: InstanceReadTx, now: number): Promise<number | undefined> {
  const row = await tx.one<{ created_at: number }>(
    `SELECT f.created_at FROM refunds f WHERE f.created_at <= $1 AND f.next_look_at IS NOT NULL
     ORDER BY f.created_at LIMIT 1`,
    [now],
  )
  return row?.created_at
}

/** Counts the failed ones among `limit` refunds that have not reached their buyers. */
export async function countFailed(tx: InstanceReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT f.status FROM refunds f WHERE f.account_id IN (SELECT a.id FROM accounts a) AND f.status NOT IN ('done', 'dropped')
           LIMIT $1) AS slice WHERE slice.status = 'failed'`,
    [limit],
  )
  return row?.count ?? 0
}

/** Counts those among them that somebody has to see to, as `refund-store.ts` lists them. */
export async function countToPayBack(tx: InstanceReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT f.status, f.charge_id, f.trouble FROM refunds f
           WHERE f.account_id IN (SELECT a.id FROM accounts a) AND f.status NOT IN ('done', 'dropped')
           LIMIT $1) AS slice WHERE slice.charge_id IS NULL OR slice.status = 'failed' OR slice.trouble IS NOT NULL`,
    [limit],
  )
  return row?.count ?? 0
}

/**
 * Returns when the events were last read of the account that has waited longest, in milliseconds. It is undefined if no account
 * is connected.
 */
export async function findLeastRead(tx: InstanceReadTx): Promise<number | undefined> {
  const row = await tx.one<{ at: number | null }>(
    `SELECT min(coalesce(c.events_read_at, c.created_at)) AS at FROM payment_connections c WHERE c.method = 'stripe'`,
  )
  return row?.at ?? undefined
}
