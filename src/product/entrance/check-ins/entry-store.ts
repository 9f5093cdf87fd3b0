import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/** Holds one entry of a ticket. */
export interface EntryRow {
  /** The day, or `-`, and the number of exits known in it, as `2026-11-27/0`. */
  slot: string
  /** The scan that holds it. It is null if no scanner has made it. */
  scan_id: string | null
  entered_at: number
  /** The exit that ended it. */
  left_scan_id: string | null
  left_at: number | null
}

/** Lists the entries of a ticket in their order. */
export function list(tx: ReadTx, attendeeId: string): Promise<EntryRow[]> {
  return tx.all(
    `SELECT n.slot, n.scan_id, n.entered_at, n.left_scan_id, n.left_at FROM entries n
     WHERE n.attendee_id = $2 AND n.account_id = $1 ORDER BY n.entered_at, n.slot`,
    [tx.accountId, attendeeId],
  )
}

/** Writes an entry, over the one that has its slot. */
export function put(
  tx: WriteTx,
  { attendee_id, event_id }: { attendee_id: string; event_id: string },
  row: EntryRow,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO entries (attendee_id, slot, account_id, event_id, scan_id, entered_at, left_scan_id, left_at,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
     ON CONFLICT (attendee_id, slot) DO UPDATE SET scan_id = excluded.scan_id, entered_at = excluded.entered_at,
       left_scan_id = excluded.left_scan_id, left_at = excluded.left_at, updated_at = excluded.updated_at`,
    [
      attendee_id,
      row.slot,
      tx.accountId,
      event_id,
      row.scan_id,
      row.entered_at,
      row.left_scan_id,
      row.left_at,
      now,
    ],
  )
}

export function remove(tx: WriteTx, attendeeId: string, slot: string): Promise<number> {
  return tx.run('DELETE FROM entries WHERE account_id = $1 AND attendee_id = $2 AND slot = $3', [
    tx.accountId,
    attendeeId,
    slot,
  ])
}

/** Holds what is counted of an entry. */
export interface CountedEntryRow {
  attendee_id: string
  slot: string
  entered_at: number
  left_at: number | null
}

/** Lists the entries of an event before one of them, newest first. */
export function listEntriesBefore(
  tx: ReadTx,
  eventId: string,
  last: CountedEntryRow | undefined,
  size: number,
): Promise<CountedEntryRow[]> {
  return tx.all(
    `SELECT n.attendee_id, n.slot, n.entered_at, n.left_at FROM entries n
     WHERE n.account_id = $1 AND n.event_id = $2 AND (n.entered_at, n.attendee_id, n.slot) < ($3, $4, $5)
     ORDER BY n.entered_at DESC, n.attendee_id DESC, n.slot DESC LIMIT $6`,
    [
      tx.accountId,
      eventId,
      last?.entered_at ?? Number.MAX_SAFE_INTEGER,
      last?.attendee_id ?? '',
      last?.slot ?? '',
      size,
    ],
  )
}
