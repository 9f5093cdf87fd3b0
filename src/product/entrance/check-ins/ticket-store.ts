import { readInList } from '#machinery/db/in-list.ts'
import { keysetPage, type Page, type Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'

/** Describes a ticket as somebody at a door sees it. */
export interface DoorRow {
  id: string
  registration_id: string
  registration_status: RegistrationStatus
  registration_type_id: string
  registration_type_name: string
  buyer_name: string
  name: string | null
  email: string | null
  seat: string | null
  voided: 0 | 1
  checked_in_at: number | null
}

const columns = (
  checkedInAt: string,
) => `a.id, a.registration_id, r.status AS registration_status, r.registration_type_id,
  (SELECT t.name FROM registration_types t WHERE t.id = r.registration_type_id) AS registration_type_name,
  r.buyer_name, a.name, a.email, a.seat, a.voided, ${checkedInAt} AS checked_in_at`

/** Lists the tickets that are checked in, latest first, with the positions of their check-ins. */
export function listCheckedIn(
  tx: ReadTx,
  eventId: string,
  page: Page,
): Promise<(DoorRow & { check_in_id: string; created_at: number })[]> {
  const { clause, params } = keysetPage('c', { account_id: tx.accountId, event_id: eventId }, page)
  // The joins are left joins, so that no planner starts a list from the attendees.
  return tx.all(
    `SELECT ${columns('c.checked_in_at')}, c.id AS check_in_id, c.created_at FROM check_ins c
     LEFT JOIN attendees a ON a.id = c.attendee_id LEFT JOIN registrations r ON r.id = a.registration_id ${clause}`,
    params,
  )
}

export function listByIds(tx: ReadTx, ids: readonly string[]): Promise<DoorRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT ${columns('(SELECT c.checked_in_at FROM check_ins c WHERE c.attendee_id = a.id)')}
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

export function find(tx: ReadTx, eventId: string, id: string): Promise<DoorRow | undefined> {
  return tx.one(
    `SELECT ${columns('(SELECT c.checked_in_at FROM check_ins c WHERE c.attendee_id = a.id)')}
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE a.id = $3 AND r.account_id = $1 AND r.event_id = $2`,
    [tx.accountId, eventId, id],
  )
}

/** Holds a registration and how many tickets it has. */
export interface WalkedRow extends Position {
  quantity: number
}

/** Lists the registrations of an event after `last`, oldest first. */
export function walkRegistrations(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<WalkedRow[]> {
  return tx.all(
    `SELECT r.id, r.created_at, r.quantity FROM registrations r
     WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) > ($3, $4) ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

/**
 * Lists the tickets that are not void of the registrations from one to another, in no particular order. A ticket without a name
 * has the buyer's.
 */
export function listNames(
  tx: ReadTx,
  eventId: string,
  from: Position,
  to: Position,
): Promise<{ id: string; name: string; type_id: string }[]> {
  return tx.all(
    `SELECT a.id, coalesce(a.name, r.buyer_name) AS name, r.registration_type_id AS type_id FROM registrations r JOIN attendees a ON a.registration_id = r.id
     WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) >= ($3, $4) AND (r.created_at, r.id) <= ($5, $6)
       AND a.voided = 0`,
    [tx.accountId, eventId, from.created_at, from.id, to.created_at, to.id],
  )
}
