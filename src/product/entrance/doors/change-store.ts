import type { ReadTx } from '#machinery/db/port.ts'

/** Lists what has changed after a number, in the order of the numbers. */
export function listAfter(
  tx: ReadTx,
  eventId: string,
  number: number,
  limit: number,
): Promise<{ number: number; attendee_id: string }[]> {
  return tx.all(
    `SELECT c.number, c.attendee_id FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2 AND c.number > $3
     ORDER BY c.number, c.attendee_id LIMIT $4`,
    [tx.accountId, eventId, number, limit],
  )
}

/** Lists everything that one write has changed. */
export function listOf(tx: ReadTx, eventId: string, number: number): Promise<{ attendee_id: string }[]> {
  return tx.all(
    'SELECT c.attendee_id FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2 AND c.number = $3',
    [tx.accountId, eventId, number],
  )
}

/** Finds the oldest change that is known. */
export function findOldest(
  tx: ReadTx,
  eventId: string,
): Promise<{ number: number; created_at: number } | undefined> {
  return tx.one(
    `SELECT c.number, c.created_at FROM door_changes c WHERE c.account_id = $1 AND c.event_id = $2
     ORDER BY c.number LIMIT 1`,
    [tx.accountId, eventId],
  )
}

/** Describes a scan that a device should hear of. */
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

// A double is of the last entry before it, or of the check-in. Tickets of most types have no entries.
const NOTICE = `SELECT s.id, s.outcome, s.reason, s.attendee_id, s.scanned_at, s.door,
  CASE WHEN c.id IS NULL THEN NULL ELSE coalesce(n.entered_at, c.checked_in_at) END AS checked_in_at,
  nullif(h.door, '') AS holder, s.device_id, h.device_id AS holder_id FROM scans s
  LEFT JOIN check_ins c ON c.attendee_id = s.attendee_id AND c.account_id = s.account_id AND c.event_id = s.event_id
  LEFT JOIN entries n ON n.attendee_id = s.attendee_id AND n.entered_at = (SELECT max(m.entered_at) FROM entries m
    WHERE m.attendee_id = s.attendee_id AND m.entered_at <= s.scanned_at)
  LEFT JOIN scans h ON h.account_id = c.account_id AND h.id = coalesce(n.scan_id, c.scan_id)`

/**
 * Lists what came of scans after a number. These are scans of the device whose outcome has changed, and doubles by other devices
 * of a check-in that one of its scans holds. The first double of a case stands for all of them.
 */
export function listNotices(
  tx: ReadTx,
  eventId: string,
  deviceId: string,
  number: number,
  until: number,
): Promise<NoticeRow[]> {
  return tx.all(
    `${NOTICE}
     WHERE s.event_id = $2 AND s.account_id = $1 AND s.number > $4 AND s.number <= $5 AND s.kind IN ('scan', 'exit')
       AND ((s.device_id = $3 AND s.changed = 1)
         OR (s.outcome = 'conflict' AND (s.device_id IS NULL OR s.device_id <> $3) AND h.device_id = $3
           AND NOT EXISTS (SELECT 1 FROM scans e WHERE e.account_id = s.account_id AND e.case_id = s.case_id
             AND (e.scanned_at, e.id) < (s.scanned_at, s.id))))
     ORDER BY s.number, s.id`,
    [tx.accountId, eventId, deviceId, number, until],
  )
}

/** Lists the newest doubles of an event that nobody has set aside. */
export function listConflicts(tx: ReadTx, eventId: string, limit: number): Promise<NoticeRow[]> {
  return tx.all(
    `${NOTICE}
     WHERE s.account_id = $1 AND s.event_id = $2 AND s.outcome = 'conflict' AND s.outcome IN ('conflict', 'held')
       AND s.seen_at IS NULL ORDER BY s.created_at DESC, s.id DESC LIMIT $3`,
    [tx.accountId, eventId, limit],
  )
}
