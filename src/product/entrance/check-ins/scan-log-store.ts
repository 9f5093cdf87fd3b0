import { keysetPage, type Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { ScanRow } from './scan-store.ts'
import type { CheckInRow } from './store.ts'

/**
 * Holds a scan with its ticket, if that belongs to its event, and what holds the ticket: the last entry that began before the scan,
 * or else the check-in.
 */
export interface LoggedRow extends ScanRow {
  ticket_id: string | null
  name: string | null
  type_name: string | null
  check_in_id: string | null
  checked_in_at: number | null
  source: CheckInRow['source'] | null
  /** Whether an entry holds the ticket that is not the one of its check-in. */
  is_later: 0 | 1
  /** The scan that holds it, and its door. */
  holder_id: string | null
  holder_door: string | null
}

/*
 * It uses LEFT JOINs, so that no planner starts from the tickets. A scan may name any id, so the query shows whose ticket it is
 * only if the ticket belongs to the event.
 */
const SELECT = `SELECT s.id, s.event_id, s.device_id, s.door, s.kind, s.of_id, s.attendee_id, s.by_hand, s.device_at,
    s.clock_offset, s.scanned_at, s.shown, s.note, s.outcome, s.reason, s.created_at, s.seen_at, s.case_id,
    CASE WHEN r.id IS NULL THEN NULL ELSE a.id END AS ticket_id,
    CASE WHEN r.id IS NULL THEN NULL ELSE coalesce(a.name, r.buyer_name) END AS name,
    (SELECT t.name FROM registration_types t WHERE t.id = r.registration_type_id) AS type_name,
    c.id AS check_in_id, coalesce(n.entered_at, c.checked_in_at) AS checked_in_at,
    CASE WHEN n.scan_id IS NULL THEN c.source ELSE 'scanner' END AS source,
    CASE WHEN n.scan_id <> coalesce(c.scan_id, '') THEN 1 ELSE 0 END AS is_later,
    coalesce(n.scan_id, c.scan_id) AS holder_id, h.door AS holder_door
  FROM scans s LEFT JOIN scans u ON u.account_id = s.account_id AND u.id = s.of_id
  LEFT JOIN attendees a ON a.id = coalesce(s.attendee_id, u.attendee_id)
  LEFT JOIN registrations r ON r.id = a.registration_id AND r.account_id = s.account_id AND r.event_id = s.event_id
  LEFT JOIN check_ins c ON c.attendee_id = a.id AND c.account_id = r.account_id
  LEFT JOIN entries n ON n.attendee_id = a.id AND n.account_id = c.account_id AND n.slot = (SELECT m.slot FROM entries m
    WHERE m.attendee_id = a.id AND m.entered_at <= s.scanned_at ORDER BY m.entered_at DESC, m.slot DESC LIMIT 1)
  LEFT JOIN scans h ON h.account_id = c.account_id AND h.id = coalesce(n.scan_id, c.scan_id)`

/** Lists what somebody has to look at, newest first: doubles that nobody has set aside, or held scans. */
export function listToLookAt(
  tx: ReadTx,
  eventId: string,
  outcome: 'conflict' | 'held',
  page: Page,
): Promise<LoggedRow[]> {
  const filters = { account_id: tx.accountId, event_id: eventId, outcome, seen_at: null }
  const { clause, params } = keysetPage('s', filters, page)
  // The condition repeats that of the index, which covers these two outcomes alone.
  const among = clause.replace('WHERE', "WHERE s.outcome IN ('conflict', 'held') AND")
  return tx.all(`${SELECT} ${among}`, params)
}

/** Lists all scans of an event, newest first. */
export function listPage(tx: ReadTx, eventId: string, page: Page): Promise<LoggedRow[]> {
  const { clause, params } = keysetPage('s', { account_id: tx.accountId, event_id: eventId }, page)
  return tx.all(`${SELECT} ${clause}`, params)
}

export function find(tx: ReadTx, scanId: string): Promise<LoggedRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, scanId])
}

/**
 * Lists the scans of a case by the instant of the scan, newest first.
 *
 * @param page the page, whose position has that instant
 */
export function listOfCase(tx: ReadTx, caseId: string, { limit, after }: Page): Promise<LoggedRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.case_id = $2 AND (s.scanned_at, s.id) < ($3, $4)
     ORDER BY s.scanned_at DESC, s.id DESC LIMIT $5`,
    [tx.accountId, caseId, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
  )
}
