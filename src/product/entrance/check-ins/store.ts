import { type Page, type Position, readPage, readThinnedPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import type { TypeKind } from '#product/catalog/registration-types/kinds.ts'
import type { entryModes } from '#product/catalog/registration-types/states.ts'
import { isExchanged } from '#product/guests/registrations/exchanged.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'
import type { checkInSources } from './states.ts'

export interface CheckInRow {
  id: string
  event_id: string
  attendee_id: string
  registration_id: string
  source: (typeof checkInSources)[number]
  name: string | null
  email: string | null
  seat: string | null
  voided: 0 | 1
  /** When the ticket was admitted. */
  checked_in_at: number
  /** The scan that holds it. It is null if no scanner has made it. */
  scan_id: string | null
  /** When it was recorded. */
  created_at: number
}

/** Holds a ticket with everything that decides whether it is admitted. */
export interface TicketRow {
  attendee_id: string
  registration_id: string
  registration_type_id: string
  event_id: string
  name: string | null
  email: string | null
  seat: string | null
  voided: 0 | 1
  status: RegistrationStatus
  checked_in_at: number | null
  valid_from: number | null
  valid_until: number | null
  starts_at: number | null
  ends_at: number | null
  timezone: string
  /** Whether its event has devices. */
  at_doors: 0 | 1
  /** Whether another ticket took its place. */
  exchanged: 0 | 1
  kind: TypeKind
  /** The scan that holds its check-in. */
  held_by: string | null
  /** How often its type admits, and whether again after an exit. */
  entries: (typeof entryModes)[number]
  reentry: 0 | 1
  /** Whether it has entries beside its check-in. */
  has_entries: 0 | 1
}

export function findTicket(tx: ReadTx, attendeeId: string): Promise<TicketRow | undefined> {
  return tx.one(
    `SELECT a.id AS attendee_id, a.registration_id, r.registration_type_id, r.event_id, a.name, a.email, a.seat, a.voided,
       r.status, c.checked_in_at, c.scan_id AS held_by, t.kind, t.valid_from, t.valid_until, t.entries, t.reentry,
       e.starts_at, e.ends_at, e.timezone,
       CASE WHEN EXISTS (SELECT 1 FROM entries n WHERE n.attendee_id = a.id) THEN 1 ELSE 0 END AS has_entries,
       CASE WHEN EXISTS (SELECT 1 FROM devices d WHERE d.event_id = r.event_id AND d.revoked_at IS NULL)
         THEN 1 ELSE 0 END AS at_doors,
       ${isExchanged('a', 'r')} AS exchanged
     FROM attendees a
     JOIN registrations r ON r.id = a.registration_id
     JOIN registration_types t ON t.id = r.registration_type_id
     JOIN events e ON e.id = r.event_id
     LEFT JOIN check_ins c ON c.attendee_id = a.id
     WHERE a.id = $2 AND r.account_id = $1 AND e.deleting_at IS NULL`,
    [tx.accountId, attendeeId],
  )
}

export function insert(
  tx: WriteTx,
  row: Pick<
    CheckInRow,
    'id' | 'event_id' | 'attendee_id' | 'source' | 'checked_in_at' | 'scan_id' | 'created_at'
  >,
): Promise<number> {
  return tx.run(
    `INSERT INTO check_ins (id, account_id, event_id, attendee_id, source, created_at, updated_at, checked_in_at, scan_id)
     VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.attendee_id,
      row.source,
      row.created_at,
      row.checked_in_at,
      row.scan_id,
    ],
  )
}

// Nobody sees what belongs to an event that is being deleted.
const OF_KEPT_EVENT = ofKeptEvent('c')

/** Finds the check-in of a ticket. */
export function findByTicket(
  tx: ReadTx,
  attendeeId: string,
): Promise<(CheckInRow & { registration_type_id: string }) | undefined> {
  return tx.one(
    `SELECT c.id, c.event_id, c.attendee_id, a.registration_id, r.registration_type_id, c.source, a.name, a.email, a.seat,
       a.voided, c.checked_in_at, c.scan_id, c.created_at
     FROM check_ins c JOIN attendees a ON a.id = c.attendee_id JOIN registrations r ON r.id = a.registration_id
     WHERE c.attendee_id = $2 AND c.account_id = $1
       AND ${OF_KEPT_EVENT}`,
    [tx.accountId, attendeeId],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM check_ins WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

// The ticket comes from a LEFT JOIN, so that no planner starts a list from the attendees.
const SELECT = `SELECT c.id, c.event_id, c.attendee_id, a.registration_id, c.source, a.name, a.email, a.seat, a.voided,
  c.checked_in_at, c.scan_id, c.created_at FROM check_ins c LEFT JOIN attendees a ON a.id = c.attendee_id`

export function listPage(tx: ReadTx, eventId: string | undefined, page: Page): Promise<CheckInRow[]> {
  return readPage(tx, SELECT, 'c', { account_id: tx.accountId, event_id: eventId }, page)
}

/** Lists a page while an event is being deleted, without what belongs to it. The page may have fewer rows than its limit. */
export function listKeptPage(
  tx: ReadTx,
  page: Page,
): Promise<{ rows: CheckInRow[]; end: Position | undefined }> {
  const of = { select: SELECT, from: 'check_ins c', alias: 'c', kept: OF_KEPT_EVENT }
  return readThinnedPage(tx, of, { account_id: tx.accountId }, page)
}
