import type { Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { LedgerKind } from '../ledger/rules.ts'

/** Answers up to this many bytes are read with their registration; longer ones, which can be megabytes, by themselves. */
const SHORT_ANSWERS = 4096

/** The registrations of a report: those of an event up to the one that was the latest when it began. */
export interface Extent {
  accountId: string
  eventId: string
  /** Undefined where there was none. */
  until: Position | undefined
  /** That of the newest registration of the account: those that a file brings later have a higher one. */
  lastNumber: number
}

/** A registration with its answers. */
export interface AnsweredRow extends Position {
  /** A JSON object of strings; null where it is long, and has to be read by itself. */
  answers: string | null
}

/** A registration as a row of the report has it, before its attendees. */
export interface ReportedRegistrationRow extends AnsweredRow {
  status: string
  source: string
  registration_type_id: string
  buyer_name: string
  buyer_email: string
  quantity: number
  amount_subtotal: number
  amount_total: number
  currency: string
  /** Bytes. */
  answers_size: number
  /** From 1 in each account, in the order in which they came into the database. */
  number: number
  confirmed_at: number | null
  cancelled_at: number | null
}

/** An attendee as a row of the report has it. */
export interface ReportedTicketRow {
  id: string
  registration_id: string
  name: string | null
  email: string | null
  seat: string | null
  voided: 0 | 1
  checked_in_at: number | null
  /** A JSON object of strings; null where it is long, and has to be read by itself. */
  answers: string | null
  /** Bytes. */
  answers_size: number
}

/** The latest registration of the event in the order of its list; created_at alone would not do, for a file may bring any. */
export function findLatest(tx: ReadTx, accountId: string, eventId: string): Promise<Position | undefined> {
  return tx.one(
    `SELECT r.created_at, r.id FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2
     ORDER BY r.created_at DESC, r.id DESC LIMIT 1`,
    [accountId, eventId],
  )
}

/** The number of the newest registration; 0 before there is one. */
export async function findLastNumber(tx: ReadTx, accountId: string): Promise<number> {
  const row = await tx.one<{ number: number | null }>(
    'SELECT max(r.number) AS number FROM registrations r WHERE r.account_id = $1',
    [accountId],
  )
  return row?.number ?? 0
}

const OF_EVENT = 'WHERE r.account_id = $1 AND r.event_id = $2'
const ORDER = 'ORDER BY r.created_at, r.id'

/** Of registrations or tickets. */
const answersOf = (row: string) =>
  `CASE WHEN octet_length(${row}.answers) <= ${SHORT_ANSWERS} THEN ${row}.answers END AS answers,
    octet_length(${row}.answers) AS answers_size`

/**
 * Reads the registrations of the report after one, oldest first. Its end is looked for here and not in the statement: with
 * bounds at both sides SQLite reads through the account's other events too.
 */
async function readAfter<Row extends Position>(
  tx: ReadTx,
  select: string,
  { accountId, eventId, until }: Extent,
  after: Position | undefined,
  size: number,
): Promise<Row[]> {
  if (until === undefined) return []
  const rows =
    after === undefined
      ? await tx.all<Row>(`${select} ${OF_EVENT} ${ORDER} LIMIT $3`, [accountId, eventId, size])
      : await tx.all<Row>(`${select} ${OF_EVENT} AND (r.created_at, r.id) > ($3, $4) ${ORDER} LIMIT $5`, [
          accountId,
          eventId,
          after.created_at,
          after.id,
          size,
        ])
  return isLater(rows.at(-1), until) ? rows.filter(row => !isLater(row, until)) : rows
}

function isLater(row: Position | undefined, until: Position): boolean {
  if (row === undefined || row.created_at < until.created_at) return false
  return row.created_at > until.created_at || row.id > until.id
}

export function listRegistrations(
  tx: ReadTx,
  extent: Extent,
  after: Position | undefined,
  size: number,
): Promise<ReportedRegistrationRow[]> {
  const select = `SELECT r.id, r.status, r.source, r.registration_type_id, r.buyer_name, r.buyer_email, r.quantity,
    r.amount_subtotal, r.amount_total, r.currency, ${answersOf('r')}, r.number, r.created_at,
    r.confirmed_at, r.cancelled_at FROM registrations r`
  return readAfter(tx, select, extent, after, size)
}

/** The tickets of the registrations from one to another, in the order of these. */
export function listTickets(
  tx: ReadTx,
  { accountId, eventId }: Extent,
  from: Position,
  to: Position,
): Promise<ReportedTicketRow[]> {
  return tx.all(
    `SELECT a.id, a.registration_id, a.name, a.email, a.seat, a.voided, c.checked_in_at, ${answersOf('a')}
     FROM registrations r JOIN attendees a ON a.registration_id = r.id LEFT JOIN check_ins c ON c.attendee_id = a.id
     ${OF_EVENT} AND (r.created_at, r.id) >= ($3, $4) AND (r.created_at, r.id) <= ($5, $6) ${ORDER}, a.position`,
    [accountId, eventId, from.created_at, from.id, to.created_at, to.id],
  )
}

/** The answers of one registration, however long. */
export async function readAnswers(tx: ReadTx, accountId: string, id: string): Promise<string> {
  const row = await tx.one<{ answers: string }>(
    'SELECT r.answers FROM registrations r WHERE r.account_id = $1 AND r.id = $2',
    [accountId, id],
  )
  return row?.answers ?? '{}'
}

/** The answers of one ticket, however long. */
export async function readTicketAnswers(tx: ReadTx, accountId: string, id: string): Promise<string> {
  const row = await tx.one<{ answers: string }>(
    `SELECT a.answers FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE r.account_id = $1 AND a.id = $2`,
    [accountId, id],
  )
  return row?.answers ?? '{}'
}

/** A registration as the sums of a month need it. */
export interface CountedRegistrationRow {
  id: string
  /** By which it falls into the month. */
  confirmed_at: number
  event_id: string
  registration_type_id: string
  currency: string
  quantity: number
  amount_total: number
}

/** The registrations that were confirmed in the half-open range, the oldest first, after `last`. */
export function listCounted(
  tx: ReadTx,
  accountId: string,
  from: number,
  to: number,
  last: CountedRegistrationRow | undefined,
  size: number,
): Promise<CountedRegistrationRow[]> {
  const select = `SELECT r.id, r.confirmed_at, r.event_id, r.registration_type_id, r.currency, r.quantity, r.amount_total
    FROM registrations r`
  const order = 'ORDER BY r.confirmed_at, r.id LIMIT $4'
  if (last === undefined) {
    const where = 'WHERE r.account_id = $1 AND r.confirmed_at >= $2 AND r.confirmed_at < $3'
    return tx.all(`${select} ${where} ${order}`, [accountId, from, to, size])
  }
  const where = 'WHERE r.account_id = $1 AND (r.confirmed_at, r.id) > ($2, $5) AND r.confirmed_at < $3'
  return tx.all(`${select} ${where} ${order}`, [accountId, last.confirmed_at, to, size, last.id])
}

/** Money that has moved, as the sums of a month need it. */
export interface CountedEntryRow {
  kind: LedgerKind
  entry_id: string
  event_id: string
  currency: string
  /** Minor units, below 0 where it left the organizer. */
  amount: number
  moved_at: number
  /** Of a payment: whether its fee is known. */
  has_fee: 0 | 1
}

/** The money that has moved in the half-open range, the oldest first, after `last`. */
export function listEntries(
  tx: ReadTx,
  accountId: string,
  from: number,
  to: number,
  last: CountedEntryRow | undefined,
  size: number,
): Promise<CountedEntryRow[]> {
  const select = `SELECT l.kind, l.entry_id, l.event_id, l.currency, l.amount, l.moved_at,
    EXISTS (SELECT 1 FROM ledger_entries f WHERE f.account_id = l.account_id AND f.kind = 'fee' AND f.entry_id = l.entry_id)
      AS has_fee FROM ledger_entries l`
  const order = 'ORDER BY l.moved_at, l.kind, l.entry_id LIMIT $4'
  if (last === undefined) {
    const where = 'WHERE l.account_id = $1 AND l.moved_at >= $2 AND l.moved_at < $3'
    return tx.all(`${select} ${where} ${order}`, [accountId, from, to, size])
  }
  const where =
    'WHERE l.account_id = $1 AND (l.moved_at, l.kind, l.entry_id) > ($2, $5, $6) AND l.moved_at < $3'
  return tx.all(`${select} ${where} ${order}`, [accountId, last.moved_at, to, size, last.kind, last.entry_id])
}

export interface CountedCheckInRow {
  id: string
  checked_in_at: number
  event_id: string
  /** The event's. */
  currency: string
}

/** The check-ins in the half-open range, oldest first, after `last`. */
export function listCheckIns(
  tx: ReadTx,
  accountId: string,
  from: number,
  to: number,
  last: CountedCheckInRow | undefined,
  size: number,
): Promise<CountedCheckInRow[]> {
  const select = `SELECT c.id, c.checked_in_at, c.event_id,
    (SELECT e.currency FROM events e WHERE e.id = c.event_id) AS currency FROM check_ins c`
  const order = 'ORDER BY c.checked_in_at, c.id LIMIT $4'
  if (last === undefined) {
    const where = 'WHERE c.account_id = $1 AND c.checked_in_at >= $2 AND c.checked_in_at < $3'
    return tx.all(`${select} ${where} ${order}`, [accountId, from, to, size])
  }
  const where = 'WHERE c.account_id = $1 AND (c.checked_in_at, c.id) > ($2, $5) AND c.checked_in_at < $3'
  return tx.all(`${select} ${where} ${order}`, [accountId, last.checked_in_at, to, size, last.id])
}

/** How many registrations, movements of money and check-ins are in the half-open range: of each no more than `most`. */
export async function countUpTo(
  tx: ReadTx,
  accountId: string,
  from: number,
  to: number,
  most: number,
): Promise<number> {
  let sum = 0
  for (const [table, column] of [
    ['registrations', 'confirmed_at'],
    ['ledger_entries', 'moved_at'],
    ['check_ins', 'checked_in_at'],
  ]) {
    const row = await tx.one<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} c
       WHERE c.account_id = $1 AND c.${column} >= $2 AND c.${column} < $3 LIMIT $4) AS slice`,
      [accountId, from, to, most],
    )
    sum += Number(row?.count)
  }
  return sum
}

/** The earliest instant at which the account had an event or a registration; null when it has none. */
export async function findEarliest(tx: ReadTx, accountId: string): Promise<number | null> {
  const earliest = await Promise.all(
    [
      'SELECT min(e.created_at) AS at FROM events e WHERE e.account_id = $1',
      'SELECT min(r.created_at) AS at FROM registrations r WHERE r.account_id = $1',
      'SELECT min(r.confirmed_at) AS at FROM registrations r WHERE r.account_id = $1 AND r.confirmed_at IS NOT NULL',
    ].map(query => tx.one<{ at: number | null }>(query, [accountId])),
  )
  const instants = earliest.flatMap(row => row?.at ?? [])
  return instants.length === 0 ? null : Math.min(...instants)
}
