import type { ReadTx } from '../db/port.ts'

/** What has changed after a number, in its order. */
export function listAfter(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  number: number,
  limit: number,
): Promise<{ number: number; attendee_id: string }[]> {
  return tx.all(
    `SELECT c.number, c.attendee_id FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2 AND c.number > $3
     ORDER BY c.number, c.attendee_id LIMIT $4`,
    [accountId, eventId, number, limit],
  )
}

/** Everything that one write has changed. */
export function listOf(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  number: number,
): Promise<{ attendee_id: string }[]> {
  return tx.all(
    'SELECT c.attendee_id FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2 AND c.number = $3',
    [accountId, eventId, number],
  )
}

/** The oldest that is known of. */
export function findOldest(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<{ number: number; created_at: number } | undefined> {
  return tx.one(
    `SELECT c.number, c.created_at FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2
     ORDER BY c.number LIMIT 1`,
    [accountId, eventId],
  )
}

/** A scan that a device should hear of. */
export interface NoticeRow {
  id: string
  outcome: string
  reason: string | null
  attendee_id: string | null
  scanned_at: number
  door: string
  checked_in_at: number | null
  /** The door of the scan that holds the check-in. */
  holder: string | null
  device_id: string | null
  /** The device of that scan. */
  holder_id: string | null
}

const NOTICE = `SELECT s.id, s.outcome, s.reason, s.attendee_id, s.scanned_at, s.door, c.checked_in_at,
  nullif(h.door, '') AS holder, s.device_id, h.device_id AS holder_id FROM scans s
  LEFT JOIN check_ins c ON c.attendee_id = s.attendee_id AND c.account_id = s.account_id AND c.event_id = s.event_id
  LEFT JOIN scans h ON h.account_id = c.account_id AND h.id = c.scan_id`

/**
 * Scans of the device that have another outcome than they had at first, and doubles of others with a check-in that one of its scans
 * holds: what came of it after a number.
 */
export function listNotices(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  deviceId: string,
  number: number,
  until: number,
): Promise<NoticeRow[]> {
  return tx.all(
    `${NOTICE}
     WHERE s.event_id = $2 AND s.account_id = $1 AND s.number > $4 AND s.number <= $5 AND s.kind = 'scan'
       AND ((s.device_id = $3 AND s.changed = 1)
         OR (s.outcome = 'conflict' AND (s.device_id IS NULL OR s.device_id <> $3) AND h.device_id = $3))
     ORDER BY s.number, s.id`,
    [accountId, eventId, deviceId, number, until],
  )
}

/** The newest doubles of an event that nobody has set aside. */
export function listConflicts(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  limit: number,
): Promise<NoticeRow[]> {
  return tx.all(
    `${NOTICE}
     WHERE s.account_id = $1 AND s.event_id = $2 AND s.outcome = 'conflict' AND s.outcome IN ('conflict', 'held')
       AND s.seen_at IS NULL ORDER BY s.created_at DESC, s.id DESC LIMIT $3`,
    [accountId, eventId, limit],
  )
}
