import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'

export interface RemindedRow {
  closes_at: number
  zone: string | null
  /** The deadline of which people were reminded last, and how many days before it. */
  reminded_for: number | null
  reminded_days: number | null
}

export interface CallToRemindRow extends RemindedRow {
  event_id: string
  account_id: string
  /** That of the event where the call has none. */
  zone: string
}

/** Lists the calls of published events that end after one and not after `until`. */
export function listToRemind(
  tx: InstanceReadTx,
  after: { closes_at: number; event_id: string },
  until: number,
  limit: number,
): Promise<CallToRemindRow[]> {
  return tx.all(
    `SELECT c.event_id, c.account_id, c.closes_at, coalesce(c.zone, e.timezone) AS zone, c.reminded_for, c.reminded_days
     FROM calls c JOIN events e ON e.account_id = c.account_id AND e.id = c.event_id
     WHERE e.status = 'published' AND (c.closes_at, c.event_id) > ($1, $2) AND c.closes_at <= $3
     ORDER BY c.closes_at, c.event_id LIMIT $4`,
    [after.closes_at, after.event_id, until, limit],
  )
}

export function findReminded(tx: ReadTx, eventId: string): Promise<RemindedRow | undefined> {
  return tx.one(
    `SELECT c.closes_at, c.zone, c.reminded_for, c.reminded_days FROM calls c
     WHERE c.account_id = $1 AND c.event_id = $2`,
    [tx.accountId, eventId],
  )
}
