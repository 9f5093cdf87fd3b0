import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import type { ScanRow } from './scan-store.ts'

/** Holds the part of a scan that one database carries to another. */
export type HistoryRow = Pick<
  ScanRow,
  | 'id'
  | 'event_id'
  | 'door'
  | 'kind'
  | 'of_id'
  | 'attendee_id'
  | 'by_hand'
  | 'device_at'
  | 'clock_offset'
  | 'scanned_at'
  | 'note'
  | 'outcome'
  | 'reason'
> & {
  /** Whether it holds an entry beside the check-in, or has ended one. */
  has_entry: 0 | 1
  /** The kind of the scan that an undo takes back, if that has come. */
  of_kind: ScanRow['kind'] | null
}

const SELECT = `SELECT s.id, s.event_id, s.door, s.kind, s.of_id, s.attendee_id, s.by_hand, s.device_at, s.clock_offset,
  s.scanned_at, s.note, s.outcome, s.reason, CASE WHEN EXISTS (SELECT 1 FROM entries n
    WHERE n.attendee_id = s.attendee_id AND (n.scan_id = s.id OR n.left_scan_id = s.id)) THEN 1 ELSE 0 END AS has_entry,
  (SELECT o.kind FROM scans o WHERE o.account_id = s.account_id AND o.id = s.of_id) AS of_kind
  FROM scans s`

/**
 * Lists all scans of an account by their ids.
 *
 * @param after the id after which the list starts
 */
export function listScans(tx: ReadTx, after: string, limit: number): Promise<HistoryRow[]> {
  return tx.all(`${SELECT} WHERE s.account_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`, [
    tx.accountId,
    after,
    limit,
  ])
}

/** Names a ticket that has entries, by its check-in. */
export interface HistoryTicket {
  id: string
  event_id: string
  attendee_id: string
  /** The scan that holds the check-in. It is null if no scan has made that. */
  scan_id: string | null
  created_at: number
}

/** Lists the tickets of an account that have entries, starting after the check-in of one of them. */
export function listTickets(
  tx: ReadTx,
  after: { created_at: number; id: string },
  limit: number,
): Promise<HistoryTicket[]> {
  return tx.all(
    `SELECT c.id, c.event_id, c.attendee_id, c.scan_id, c.created_at FROM check_ins c
     WHERE c.account_id = $1 AND (c.created_at, c.id) > ($2, $3) AND ${ofKeptEvent('c')}
       AND EXISTS (SELECT 1 FROM entries n WHERE n.attendee_id = c.attendee_id)
     ORDER BY c.created_at, c.id LIMIT $4`,
    [tx.accountId, after.created_at, after.id, limit],
  )
}

/** Names the scans of an entry. */
export interface HistoryEntry {
  attendee_id: string
  slot: string
  entered_at: number
  scan_id: string | null
  left_scan_id: string | null
}

/** Lists the entries of these tickets, those of each ticket in their order. */
export async function listEntries(tx: ReadTx, ids: readonly string[]): Promise<HistoryEntry[]> {
  const rows = await readInList<HistoryEntry>(
    tx,
    ids,
    [tx.accountId],
    list => `SELECT n.attendee_id, n.slot, n.entered_at, n.scan_id, n.left_scan_id FROM entries n
     WHERE n.account_id = $1 AND n.attendee_id IN ${list}`,
  )
  return rows.sort((one, other) => one.entered_at - other.entered_at || (one.slot < other.slot ? -1 : 1))
}

/** Lists all scans of these tickets, in no particular order. */
export function listByTickets(tx: ReadTx, ids: readonly string[]): Promise<HistoryRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    list => `${SELECT} WHERE s.account_id = $1 AND s.attendee_id IN ${list}`,
  )
}

/** Returns whether an account has entries. */
export async function hasEntries(tx: ReadTx): Promise<boolean> {
  const row = await tx.one('SELECT 1 AS found FROM entries n WHERE n.account_id = $1 LIMIT 1', [tx.accountId])
  return row !== undefined
}

export interface HistoryCheckIn {
  id: string
  event_id: string
  attendee_id: string
  checked_in_at: number
  created_at: number
}

/** Lists the check-ins that no scan holds, oldest first, starting after one of them. */
export function listWithoutScan(
  tx: ReadTx,
  after: { created_at: number; id: string },
  limit: number,
): Promise<HistoryCheckIn[]> {
  return tx.all(
    `SELECT c.id, c.event_id, c.attendee_id, c.checked_in_at, c.created_at FROM check_ins c
     WHERE c.account_id = $1 AND c.scan_id IS NULL AND (c.created_at, c.id) > ($2, $3)
     ORDER BY c.created_at, c.id LIMIT $4`,
    [tx.accountId, after.created_at, after.id, limit],
  )
}

/** Finds the ticket of a check-in. */
export function findCheckIn(
  tx: ReadTx,
  eventId: string,
  id: string,
): Promise<{ attendee_id: string } | undefined> {
  return tx.one(
    'SELECT c.attendee_id FROM check_ins c WHERE c.account_id = $1 AND c.event_id = $2 AND c.id = $3',
    [tx.accountId, eventId, id],
  )
}

export async function countHeld(tx: ReadTx, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM scans s WHERE s.account_id = $1 AND s.outcome IN ('conflict', 'held')
       AND s.seen_at IS NULL AND s.outcome = 'held' LIMIT $2) AS slice`,
    [tx.accountId, most],
  )
  return Number(row?.count)
}

/** Lists the doors of the scans that were judged, and whose guests saw something that nobody has said yet, each once a scan. */
export function listOpen(tx: ReadTx): Promise<{ door: string }[]> {
  return tx.all(
    `SELECT s.door FROM scans s WHERE s.account_id = $1 AND s.kind = 'scan' AND s.shown IS NULL
       AND s.outcome IN ('admitted', 'refused')`,
    [tx.accountId],
  )
}
