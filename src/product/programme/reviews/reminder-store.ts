import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'

export interface ReminderRow {
  closes_at: number
  /** The deadline of which reviewers were reminded last, and how many days before it. */
  reminded_for: number | null
  reminded_days: number | null
}

export interface RoundToRemindRow extends ReminderRow {
  event_id: string
  account_id: string
  /** That of the event. */
  zone: string
}

/** Lists the reviews of events that end after one and not after `until`. */
export function listToRemind(
  tx: InstanceReadTx,
  after: { closes_at: number; event_id: string },
  until: number,
  limit: number,
): Promise<RoundToRemindRow[]> {
  return tx.all(
    `SELECT r.event_id, r.account_id, r.closes_at, e.timezone AS zone, r.reminded_for, r.reminded_days
     FROM review_rounds r JOIN events e ON e.account_id = r.account_id AND e.id = r.event_id
     WHERE e.status <> 'cancelled' AND (r.closes_at, r.event_id) > ($1, $2) AND r.closes_at <= $3
     ORDER BY r.closes_at, r.event_id LIMIT $4`,
    [after.closes_at, after.event_id, until, limit],
  )
}

export function findReminded(tx: ReadTx, eventId: string): Promise<ReminderRow | undefined> {
  return tx.one(
    `SELECT r.closes_at, r.reminded_for, r.reminded_days FROM review_rounds r
     WHERE r.account_id = $1 AND r.event_id = $2`,
    [tx.accountId, eventId],
  )
}
