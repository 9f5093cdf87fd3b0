import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** A ticket whose badge is printed. */
export interface BadgeRow {
  id: string
  name: string | null
  buyer_name: string
  type_id: string
  qr_code: string
  /** A JSON object of strings. */
  answers: string
}

/** Lists the tickets of a print that still admit somebody, in no particular order. */
export function listOfPrint(tx: ReadTx, eventId: string, at: number, most: number): Promise<BadgeRow[]> {
  // CASE keeps the planner from an index on the event, through which it would read all of its registrations.
  return tx.all(
    `SELECT a.id, a.name, r.buyer_name, r.registration_type_id AS type_id, a.qr_code, a.answers
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.badge_printed_at = $3 AND a.voided = 0 AND r.status = 'confirmed'
       AND CASE WHEN r.account_id = $1 AND r.event_id = $2 THEN 1 ELSE 0 END = 1 LIMIT $4`,
    [tx.accountId, eventId, at, most],
  )
}

/** Returns whether a ticket admits somebody. */
export function find(tx: ReadTx, eventId: string, id: string): Promise<{ is_valid: 0 | 1 } | undefined> {
  return tx.one(
    `SELECT CASE WHEN a.voided = 0 AND r.status = 'confirmed' THEN 1 ELSE 0 END AS is_valid
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id = $3 AND r.account_id = $1 AND r.event_id = $2`,
    [tx.accountId, eventId, id],
  )
}

/** Lists those of these tickets whose badge was printed. */
export function listPrinted(
  tx: ReadTx,
  ids: readonly string[],
): Promise<{ id: string; badge_printed_at: number }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    list => `SELECT a.id, a.badge_printed_at FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id IN ${list} AND a.badge_printed_at IS NOT NULL AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}
