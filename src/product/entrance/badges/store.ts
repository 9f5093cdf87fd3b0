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
export function listOfPrint(tx: ReadTx, eventId: string, at: number): Promise<BadgeRow[]> {
  // CASE keeps the planner from an index on the event, through which it would read all of its registrations.
  return tx.all(
    `SELECT a.id, a.name, r.buyer_name, r.registration_type_id AS type_id, a.qr_code, a.answers
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.badge_printed_at = $3 AND a.voided = 0 AND r.status = 'confirmed'
       AND CASE WHEN r.account_id = $1 AND r.event_id = $2 THEN 1 ELSE 0 END = 1`,
    [tx.accountId, eventId, at],
  )
}

export async function isOfEvent(tx: ReadTx, eventId: string, id: string): Promise<boolean> {
  const query = `SELECT a.id FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id = $3 AND r.account_id = $1 AND r.event_id = $2`
  return (await tx.one(query, [tx.accountId, eventId, id])) !== undefined
}

/** Lists those of these tickets that have a badge: they admit somebody, and are no extras. */
export function listBadges(
  tx: ReadTx,
  ids: readonly string[],
): Promise<{ id: string; badge_printed_at: number | null }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT a.id, a.badge_printed_at FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id IN ${list} AND a.voided = 0 AND CASE WHEN r.account_id = $1 AND r.status = 'confirmed'
       AND (SELECT t.kind FROM registration_types t WHERE t.id = r.registration_type_id) = 'ticket' THEN 1 ELSE 0 END = 1`,
  )
}
