import { keysetPage, type Page } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { ScanRow } from './scan-store.ts'
import type { CheckInRow } from './store.ts'

/** A scan with its ticket, where that is one of its event, and the check-in that the ticket has. */
export interface LoggedRow extends ScanRow {
  seen_at: number | null
  ticket_id: string | null
  name: string | null
  type_name: string | null
  check_in_id: string | null
  checked_in_at: number | null
  source: CheckInRow['source'] | null
  /** The scan that holds the check-in, and its door. */
  holder_id: string | null
  holder_door: string | null
}

/*
 * From LEFT JOINs, so that no planner starts from the tickets. A scan may say any id: whose ticket that is, is told only where
 * it is one of the event.
 */
const SELECT = `SELECT s.id, s.event_id, s.device_id, s.door, s.kind, s.of_id, s.attendee_id, s.by_hand, s.device_at,
    s.clock_offset, s.scanned_at, s.shown, s.note, s.outcome, s.reason, s.created_at, s.seen_at,
    CASE WHEN r.id IS NULL THEN NULL ELSE a.id END AS ticket_id,
    CASE WHEN r.id IS NULL THEN NULL ELSE coalesce(a.name, r.buyer_name) END AS name,
    (SELECT t.name FROM registration_types t WHERE t.id = r.registration_type_id) AS type_name,
    c.id AS check_in_id, c.checked_in_at, c.source, c.scan_id AS holder_id, h.door AS holder_door
  FROM scans s LEFT JOIN scans u ON u.account_id = s.account_id AND u.id = s.of_id
  LEFT JOIN attendees a ON a.id = coalesce(s.attendee_id, u.attendee_id)
  LEFT JOIN registrations r ON r.id = a.registration_id AND r.account_id = s.account_id AND r.event_id = s.event_id
  LEFT JOIN check_ins c ON c.attendee_id = a.id AND c.account_id = r.account_id
  LEFT JOIN scans h ON h.account_id = c.account_id AND h.id = c.scan_id`

/** What somebody is to look at: doubles that nobody has set aside, or what is held. Newest first. */
export function listToLookAt(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  outcome: 'conflict' | 'held',
  page: Page,
): Promise<LoggedRow[]> {
  const filters = { account_id: accountId, event_id: eventId, outcome, seen_at: null }
  const { clause, params } = keysetPage('s', filters, page)
  // As the index has it, which is of these two alone.
  const among = clause.replace('WHERE', "WHERE s.outcome IN ('conflict', 'held') AND")
  return tx.all(`${SELECT} ${among}`, params)
}

/** All of an event, newest first. */
export function listPage(tx: ReadTx, accountId: string, eventId: string, page: Page): Promise<LoggedRow[]> {
  const { clause, params } = keysetPage('s', { account_id: accountId, event_id: eventId }, page)
  return tx.all(`${SELECT} ${clause}`, params)
}

export function find(tx: ReadTx, accountId: string, scanId: string): Promise<LoggedRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [accountId, scanId])
}

/** How many of an event somebody is to look at; counts no further than `most`. */
export async function countToLookAt(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  outcome: 'conflict' | 'held',
  most: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM scans s WHERE s.account_id = $1 AND s.event_id = $2 AND s.outcome = $3
       AND s.outcome IN ('conflict', 'held') AND s.seen_at IS NULL LIMIT $4) AS slice`,
    [accountId, eventId, outcome, most],
  )
  return Number(row?.count)
}

/** The events of those of an account: of no more than `most`. */
export function listEventsToLookAt(
  tx: ReadTx,
  accountId: string,
  most: number,
): Promise<{ event_id: string }[]> {
  return tx.all(
    `SELECT s.event_id FROM scans s WHERE s.account_id = $1 AND s.outcome IN ('conflict', 'held') AND s.seen_at IS NULL
     LIMIT $2`,
    [accountId, most],
  )
}
