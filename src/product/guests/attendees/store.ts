import { readInList } from '../db/in-list.ts'
import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { ERASED_NAME } from '../words.ts'

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
  /** Of the code that it was ordered with. */
  code_id: string | null
  /** From the check-in of the ticket, if there is one. */
  checked_in_at: number | null
}

/** A ticket as many are read: its answers can be long. */
export interface ListedRow extends Omit<AttendeeRow, 'answers'> {
  /** Null for long answers, which have to be read separately. */
  answers: string | null
  /** Bytes. */
  answers_size: number
}

/** Answers up to this many bytes are read with their ticket. */
const SHORT_ANSWERS = 256

const SELECT = `SELECT a.id, a.registration_id, a.position, a.name, a.email, a.seat, a.qr_code, a.voided, a.code_id,
  CASE WHEN octet_length(a.answers) <= ${SHORT_ANSWERS} THEN a.answers END AS answers,
  octet_length(a.answers) AS answers_size,
  c.checked_in_at FROM attendees a LEFT JOIN check_ins c ON c.attendee_id = a.id`

// CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
const ofRegistrations = (
  list: string,
) => `a.registration_id IN (SELECT r.id FROM registrations r WHERE r.id IN ${list}
  AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1)`

/** The tickets of these registrations, in no particular order. */
export function listByRegistrations(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<ListedRow[]> {
  return readInList(tx, registrationIds, [accountId], list => `${SELECT} WHERE ${ofRegistrations(list)}`)
}

/** The long answers of the tickets of these registrations, by ticket. */
export async function readLongAnswers(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<Pick<AttendeeRow, 'id' | 'answers'>>(
    tx,
    registrationIds,
    [accountId],
    list => `SELECT a.id, a.answers FROM attendees a
       WHERE ${ofRegistrations(list)} AND octet_length(a.answers) > ${SHORT_ANSWERS}`,
  )
  return new Map(rows.map(({ id, answers }) => [id, answers]))
}

export type PersonRow = Pick<AttendeeRow, 'registration_id' | 'position' | 'name' | 'email'>

/** The same of these alone, in no order. */
export function listPeople(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<PersonRow[]> {
  return readInList(
    tx,
    registrationIds,
    [accountId],
    list =>
      `SELECT a.registration_id, a.position, a.name, a.email FROM attendees a WHERE ${ofRegistrations(list)}`,
  )
}

export interface HolderRow extends PersonRow {
  checked_in: 0 | 1
}

/** Registrations that stand one after the other, by their creation. */
export interface Between {
  after: Position | undefined
  last: Position
}

/** The same of the tickets of confirmed registrations of an event that are not void, and whether they are checked in. */
export function listHolders(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { after, last }: Between,
): Promise<HolderRow[]> {
  return tx.all(
    `SELECT a.registration_id, a.position, a.name, a.email, CASE WHEN c.id IS NULL THEN 0 ELSE 1 END AS checked_in
     FROM registrations r JOIN attendees a ON a.registration_id = r.id LEFT JOIN check_ins c ON c.attendee_id = a.id
     WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed' AND (r.created_at, r.id) > ($3, $4)
       AND (r.created_at, r.id) <= ($5, $6) AND a.voided = 0`,
    [
      accountId,
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

/** Those of one registration, in no order. */
export function listCheckIns(
  tx: ReadTx,
  accountId: string,
  registrationId: string,
): Promise<TicketCheckInRow[]> {
  return tx.all(
    `SELECT c.id, c.attendee_id, c.source, c.checked_in_at
     FROM registrations r JOIN attendees a ON a.registration_id = r.id JOIN check_ins c ON c.attendee_id = a.id
     WHERE r.account_id = $1 AND r.id = $2`,
    [accountId, registrationId],
  )
}

export function amend(
  tx: WriteTx,
  accountId: string,
  row: Pick<AttendeeRow, 'id' | 'name' | 'email' | 'seat' | 'answers'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE attendees SET name = $3, email = $4, seat = $5, answers = $6, updated_at = $7
     WHERE id = $2 AND registration_id IN (SELECT r.id FROM registrations r WHERE r.id = attendees.registration_id
       AND r.account_id = $1)`,
    [accountId, row.id, row.name, row.email, row.seat, row.answers, now],
  )
}

/** Those of these registrations that nobody is named on any more. */
export function listErased(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<{ id: string }[]> {
  return readInList(
    tx,
    registrationIds,
    [accountId, ERASED_NAME],
    list => `SELECT a.id FROM attendees a WHERE ${ofRegistrations(list)} AND a.email IS NULL AND a.name = $2`,
  )
}

/** @param price what it is sold for, where it is ordered: of an import, nobody knows */
export function insert(
  tx: WriteTx,
  row: Omit<AttendeeRow, 'checked_in_at'>,
  now: number,
  price?: Omit<PriceRow, 'id'>,
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

/** @param id of one ticket alone @returns how many were not void before */
export function voidTickets(
  tx: WriteTx,
  accountId: string,
  registrationId: string,
  now: number,
  id?: string,
): Promise<number> {
  return tx.run(
    `UPDATE attendees SET voided = 1, updated_at = $3 WHERE registration_id =
       (SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id = $2) AND voided = 0 ${id ? 'AND id = $4' : ''}`,
    [accountId, registrationId, now, ...(id ? [id] : [])],
  )
}

export function admitAll(
  tx: WriteTx,
  accountId: string,
  registrationId: string,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE attendees SET voided = 0, updated_at = $3 WHERE registration_id =
       (SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.id = $2)`,
    [accountId, registrationId, now],
  )
}

/** How many tickets of these registrations are not void, a row for each part of a long list. */
export function countValid(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<{ count: number }[]> {
  return readInList(
    tx,
    registrationIds,
    [accountId],
    list => `SELECT count(*) AS count FROM attendees a WHERE ${ofRegistrations(list)} AND a.voided = 0`,
  )
}

export interface PriceRow {
  id: string
  price: number
  discount: number
  tax: number
  tax_basis_points: number
}

/** Of those that were ordered, in no order. */
export function listPrices(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<PriceRow[]> {
  return readInList(
    tx,
    registrationIds,
    [accountId],
    list => `SELECT a.id, a.price, a.discount, a.tax, a.tax_basis_points FROM attendees a
      WHERE a.price IS NOT NULL AND ${ofRegistrations(list)}`,
  )
}
