import { ERASED_NAME } from '#base/words.ts'
import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface AttendeeRow {
  id: string
  registration_id: string
  position: number
  name: string | null
  email: string | null
  seat: string | null
  qr_code: string
  voided: 0 | 1
  /** A JSON object of strings. */
  answers: string
  /** The id of the code that the ticket was ordered with. */
  code_id: string | null
  /** This comes from the check-in of the ticket, if there is one. */
  checked_in_at: number | null
}

/** Describes a ticket as lists read it. They leave out its answers if these are long. */
export interface ListedRow extends Omit<AttendeeRow, 'answers'> {
  /** This is null for long answers, which have to be read separately. */
  answers: string | null
  /** The length of the answers, in bytes. */
  answers_size: number
}

/** Answers of up to this many bytes are read with their ticket. */
const SHORT_ANSWERS = 256

const select = (
  more = '',
) => `SELECT a.id, a.registration_id, a.position, a.name, a.email, a.seat, a.qr_code, a.voided, a.code_id,
  CASE WHEN octet_length(a.answers) <= ${SHORT_ANSWERS} THEN a.answers END AS answers,
  octet_length(a.answers) AS answers_size,
  c.checked_in_at${more} FROM attendees a LEFT JOIN check_ins c ON c.attendee_id = a.id`

// CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
const ofRegistrations = (
  list: string,
) => `a.registration_id IN (SELECT r.id FROM registrations r WHERE r.id IN ${list}
  AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1)`

const LIST_BY_REGISTRATIONS = keptTexts(list => `${select()} WHERE ${ofRegistrations(list)}`)

/** Lists the tickets of these registrations, in no particular order. */
export function listByRegistrations(tx: ReadTx, registrationIds: readonly string[]): Promise<ListedRow[]> {
  return readInList(tx, registrationIds, [tx.accountId], LIST_BY_REGISTRATIONS)
}

/** Returns the long answers of the tickets of these registrations, by ticket. */
export async function readLongAnswers(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<Pick<AttendeeRow, 'id' | 'answers'>>(
    tx,
    registrationIds,
    [tx.accountId],
    list => `SELECT a.id, a.answers FROM attendees a
       WHERE ${ofRegistrations(list)} AND octet_length(a.answers) > ${SHORT_ANSWERS}`,
  )
  return new Map(rows.map(({ id, answers }) => [id, answers]))
}

export type PersonRow = Pick<AttendeeRow, 'registration_id' | 'position' | 'name' | 'email'>

/** Lists the names and e-mails on the tickets of these registrations, in no particular order. */
export function listPeople(tx: ReadTx, registrationIds: readonly string[]): Promise<PersonRow[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    list =>
      `SELECT a.registration_id, a.position, a.name, a.email FROM attendees a WHERE ${ofRegistrations(list)}`,
  )
}

export interface HolderRow extends PersonRow {
  checked_in: 0 | 1
}

/** Selects a run of registrations in the order of their creation, after `after` and up to `last`. */
export interface Between {
  after: Position | undefined
  last: Position
}

/** Lists the valid tickets of confirmed registrations of an event, with their people and whether they are checked in. */
export function listHolders(tx: ReadTx, eventId: string, { after, last }: Between): Promise<HolderRow[]> {
  return tx.all(
    `SELECT a.registration_id, a.position, a.name, a.email, CASE WHEN c.id IS NULL THEN 0 ELSE 1 END AS checked_in
     FROM registrations r JOIN attendees a ON a.registration_id = r.id LEFT JOIN check_ins c ON c.attendee_id = a.id
     WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed' AND (r.created_at, r.id) > ($3, $4)
       AND (r.created_at, r.id) <= ($5, $6) AND a.voided = 0`,
    [
      tx.accountId,
      eventId,
      after?.created_at ?? Number.MIN_SAFE_INTEGER,
      after?.id ?? '',
      last.created_at,
      last.id,
    ],
  )
}

export interface TicketCheckInRow {
  id: string
  attendee_id: string
  source: 'scanner' | 'api'
  checked_in_at: number
}

/** Lists the check-ins of one registration, in no particular order. */
export function listCheckIns(tx: ReadTx, registrationId: string): Promise<TicketCheckInRow[]> {
  return tx.all(
    `SELECT c.id, c.attendee_id, c.source, c.checked_in_at
     FROM registrations r JOIN attendees a ON a.registration_id = r.id JOIN check_ins c ON c.attendee_id = a.id
     WHERE r.account_id = $1 AND r.id = $2`,
    [tx.accountId, registrationId],
  )
}

/** Changes a ticket. A badge with another name is yet to be printed. */
export function amend(
  tx: WriteTx,
  row: Pick<AttendeeRow, 'id' | 'name' | 'email' | 'seat' | 'answers'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE attendees SET name = $3, email = $4, seat = $5, answers = $6, updated_at = $7,
       badge_printed_at = CASE WHEN coalesce(name, '') = coalesce($3, '') THEN badge_printed_at END
     WHERE id = $2 AND registration_id IN (SELECT r.id FROM registrations r WHERE r.id = attendees.registration_id
       AND r.account_id = $1)`,
    [tx.accountId, row.id, row.name, row.email, row.seat, row.answers, now],
  )
}

/** Lists those tickets of these registrations on which nobody is named any more. */
export function listErased(tx: ReadTx, registrationIds: readonly string[]): Promise<{ id: string }[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId, ERASED_NAME],
    list => `SELECT a.id FROM attendees a WHERE ${ofRegistrations(list)} AND a.email IS NULL AND a.name = $2`,
  )
}

/** @param price what the ticket is sold for; it is absent for an import, whose price is unknown */
export function insert(
  tx: WriteTx,
  row: Omit<AttendeeRow, 'checked_in_at'>,
  now: number,
  price?: Price,
): Promise<number> {
  return tx.run(
    `INSERT INTO attendees (id, registration_id, position, name, email, seat, qr_code, voided, answers, code_id,
       created_at, updated_at, price, discount, tax, tax_basis_points)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15)`,
    [
      row.id,
      row.registration_id,
      row.position,
      row.name,
      row.email,
      row.seat,
      row.qr_code,
      row.voided,
      row.answers,
      row.code_id,
      now,
      price?.price ?? null,
      price?.discount ?? null,
      price?.tax ?? null,
      price?.tax_basis_points ?? null,
    ],
  )
}

/**
 * Lists the tickets of some registrations of an event, in the order of the registrations.
 *
 * @param after the last registration of the read before
 */
export function listIds(
  tx: ReadTx,
  eventId: string,
  after: Position | undefined,
  limit: number,
): Promise<(Position & { ticket_id: string | null })[]> {
  return tx.all(
    `SELECT r.created_at, r.id, a.id AS ticket_id FROM
       (SELECT s.created_at, s.id FROM registrations s WHERE s.account_id = $1 AND s.event_id = $2
          AND (s.created_at, s.id) > ($3, $4) ORDER BY s.created_at, s.id LIMIT $5) r
     LEFT JOIN attendees a ON a.registration_id = r.id ORDER BY r.created_at, r.id`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Notes when a mail with the ticket was written, or with null that whom it is for has none. */
export function setMailed(tx: WriteTx, id: string, at: number | null, now: number): Promise<number> {
  return tx.run(
    `UPDATE attendees SET mailed_at = $3, updated_at = $4
     WHERE id = $2 AND registration_id IN (SELECT r.id FROM registrations r WHERE r.id = attendees.registration_id
       AND r.account_id = $1)`,
    [tx.accountId, id, at, now],
  )
}

/** Notes when the badge of a ticket was printed. @param again whether also if it was printed before */
export function setPrinted(
  tx: WriteTx,
  id: string,
  { at, again }: { at: number; again: boolean },
): Promise<number> {
  return tx.run(
    `UPDATE attendees SET badge_printed_at = $3, updated_at = $4
     WHERE id = $2 AND registration_id IN (SELECT r.id FROM registrations r WHERE r.id = attendees.registration_id
       AND r.account_id = $1) ${again ? '' : 'AND badge_printed_at IS NULL'}`,
    [tx.accountId, id, at, at],
  )
}

/** Forgets that the badges of a print were printed. */
export function clearPrinted(tx: WriteTx, eventId: string, at: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE attendees SET badge_printed_at = NULL, updated_at = $4
     WHERE badge_printed_at = $3 AND registration_id IN (SELECT r.id FROM registrations r
       WHERE r.id = attendees.registration_id AND r.account_id = $1 AND r.event_id = $2)`,
    [tx.accountId, eventId, at, now],
  )
}

/** Gives a ticket another code. A mail or a badge with the former code is none of the ticket. */
export function setCode(tx: WriteTx, id: string, code: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE attendees SET qr_code = $3, mailed_at = NULL, badge_printed_at = NULL, updated_at = $4
     WHERE id = $2 AND registration_id IN (SELECT r.id FROM registrations r WHERE r.id = attendees.registration_id
       AND r.account_id = $1)`,
    [tx.accountId, id, code, now],
  )
}

/**
 * Voids the tickets of a registration.
 *
 * @param id the only ticket to void, if it is given
 * @returns how many were not void before
 */
export function voidTickets(tx: WriteTx, registrationId: string, now: number, id?: string): Promise<number> {
  return tx.run(
    `UPDATE attendees SET voided = 1, updated_at = $3 WHERE registration_id =
       (SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id = $2) AND voided = 0 ${id ? 'AND id = $4' : ''}`,
    [tx.accountId, registrationId, now, ...(id ? [id] : [])],
  )
}

export function admitAll(tx: WriteTx, registrationId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE attendees SET voided = 0, updated_at = $3 WHERE registration_id =
       (SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id = $2)`,
    [tx.accountId, registrationId, now],
  )
}

/** Counts the tickets of these registrations that are not void. A long list gives a row for each of its parts. */
export function countValid(tx: ReadTx, registrationIds: readonly string[]): Promise<{ count: number }[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    list => `SELECT count(*) AS count FROM attendees a WHERE ${ofRegistrations(list)} AND a.voided = 0`,
  )
}

export interface Price {
  price: number
  discount: number
  tax: number
  tax_basis_points: number
}

/** Holds a ticket with what it was sold for. All four are null if the price is unknown. */
export type SoldRow = ListedRow & (Price | { [key in keyof Price]: null })

/** Does the same as `listByRegistrations`, with the prices of the tickets. */
export function listSold(tx: ReadTx, registrationIds: readonly string[]): Promise<SoldRow[]> {
  const text = select(', a.price, a.discount, a.tax, a.tax_basis_points')
  return readInList(tx, registrationIds, [tx.accountId], list => `${text} WHERE ${ofRegistrations(list)}`)
}
