import { readInList } from '#machinery/db/in-list.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { EntryRule } from '#product/entrance/check-ins/entry-rule.ts'
import { isExchanged } from '#product/guests/registrations/exchanged.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'

/** Holds a ticket of the event with its check-in. */
export interface TicketRow {
  id: string
  registration_type_id: string
  status: RegistrationStatus
  voided: 0 | 1
  /** Whether another ticket took its place. */
  exchanged: 0 | 1
  /** The buyer's name if the ticket has none. */
  name: string | null
  seat: string | null
  /** Whether the registration costs something. */
  costs: 0 | 1
  check_in_id: string | null
  checked_in_at: number | null
  /** Whether it is an extra, which is handed out only at a door with its type chosen. */
  is_extra: 0 | 1
  /** The scan that holds the check-in, with its door and the name of that at that time. */
  scan_id: string | null
  door_id: string | null
  door: string | null
  /** The order of the ticket if that has extras, which belong to all of its tickets. Without an order it is the registration. */
  beside: string | null
  /** How often its type admits, and whether again after an exit. */
  entries: EntryRule['entries']
  reentry: 0 | 1
}

// Whether the event has extras at all is asked once a statement, and most have none.
const SELECT = `SELECT a.id, r.registration_type_id, r.status, a.voided, coalesce(a.name, r.buyer_name) AS name, a.seat,
  CASE WHEN r.amount_total > 0 THEN 1 ELSE 0 END AS costs,
  CASE WHEN EXISTS (SELECT 1 FROM registration_types x WHERE x.account_id = $1 AND x.event_id = $2 AND x.kind = 'extra') THEN CASE
    WHEN r.beside IS NOT NULL THEN r.beside
    WHEN r.order_id IS NULL AND EXISTS (SELECT 1 FROM registrations y WHERE y.account_id = $1 AND y.beside = r.id) THEN r.id
    WHEN EXISTS (SELECT 1 FROM registrations y JOIN registration_types z ON z.id = y.registration_type_id
      WHERE y.account_id = $1 AND y.order_id = r.order_id AND z.kind = 'extra') THEN r.order_id END END AS beside,
  CASE WHEN t.kind = 'extra' THEN 1 ELSE 0 END AS is_extra, t.entries, t.reentry,
  c.id AS check_in_id, c.checked_in_at, c.scan_id, s.device_id AS door_id, nullif(s.door, '') AS door, ${isExchanged('a', 'r')} AS exchanged
  FROM registrations r JOIN attendees a ON a.registration_id = r.id
  JOIN registration_types t ON t.id = r.registration_type_id LEFT JOIN check_ins c ON c.attendee_id = a.id
  LEFT JOIN scans s ON s.account_id = c.account_id AND s.id = c.scan_id`

/** Lists the positions of the next registrations of an event, oldest first. */
export function listRegistrations(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<Position[]> {
  return tx.all(
    `SELECT r.id, r.created_at FROM registrations r
     WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) > ($3, $4) ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

/** Lists the tickets of the registrations from one to another, in no particular order. */
export function listBetween(tx: ReadTx, eventId: string, from: Position, to: Position): Promise<TicketRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) >= ($3, $4)
       AND (r.created_at, r.id) <= ($5, $6)`,
    [tx.accountId, eventId, from.created_at, from.id, to.created_at, to.id],
  )
}

/** Lists those of these tickets that belong to the event, in no particular order. */
export function listByIds(tx: ReadTx, eventId: string, ids: readonly string[]): Promise<TicketRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId, eventId],
    // CASE keeps the planner from an index on the event, through which it would read all of its rows.
    list =>
      `${SELECT} WHERE a.id IN ${list} AND CASE WHEN r.account_id = $1 AND r.event_id = $2 THEN 1 ELSE 0 END = 1`,
  )
}

export interface ExtraRow {
  /** What `beside` of the tickets is. */
  beside: string
  name: string
  count: number
}

/** Counts the extras that were not handed out yet, by their types in the order of the lines. @param groups `beside` of tickets */
export function listExtras(tx: ReadTx, groups: readonly string[]): Promise<ExtraRow[]> {
  return readInList(
    tx,
    groups,
    [tx.accountId],
    list =>
      `SELECT g.beside, t.name, count(*) AS count FROM (
         SELECT r.id, r.order_id AS beside, r.registration_type_id FROM registrations r
         WHERE r.account_id = $1 AND r.order_id IN ${list} AND r.status = 'confirmed'
         UNION ALL SELECT r.id, r.beside, r.registration_type_id FROM registrations r
         WHERE r.account_id = $1 AND r.beside IN ${list} AND r.status = 'confirmed') AS g
       JOIN registration_types t ON t.id = g.registration_type_id JOIN attendees a ON a.registration_id = g.id
       WHERE t.kind = 'extra' AND a.voided = 0
         AND NOT EXISTS (SELECT 1 FROM check_ins c WHERE c.attendee_id = a.id)
       GROUP BY g.beside, g.id, t.name ORDER BY g.beside, g.id`,
  )
}

/** Holds an entry of a ticket with the door of its scan. */
export interface EntryRow {
  attendee_id: string
  slot: string
  entered_at: number
  left_at: number | null
  door_id: string | null
  door: string | null
}

/** Lists the entries of tickets, in no particular order. */
export function listEntries(tx: ReadTx, ids: readonly string[]): Promise<EntryRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    list => `SELECT n.attendee_id, n.slot, n.entered_at, n.left_at, s.device_id AS door_id,
       nullif(s.door, '') AS door
     FROM entries n LEFT JOIN scans s ON s.account_id = n.account_id AND s.id = n.scan_id
     WHERE n.attendee_id IN ${list} AND n.account_id = $1`,
  )
}
