import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { LedgerKind } from '#product/selling/ledger/rules.ts'

/**
 * Answers of up to this many bytes are read with their registration. Longer ones, which can be megabytes, are read separately.
 */
const SHORT_ANSWERS = 4096

/** Selects the registrations of a report, which are those of an event up to the latest one when it began. */
export interface Extent {
  accountId: string
  eventId: string
  /** Undefined if there was none. */
  until: Position | undefined
  /** The number of the newest registration of the account. Registrations that a file brings later have a higher one. */
  lastNumber: number
}

/** Holds a registration with its answers. */
export interface AnsweredRow extends Position {
  /** A JSON object of strings. It is null if it is long and has to be read separately. */
  answers: string | null
}

/** Describes a registration as a row of the report shows it, before its attendees. */
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
  /** The length of the answers, in bytes. */
  answers_size: number
  /** Counts from 1 in each account, in the order in which registrations came into the database. */
  number: number
  confirmed_at: number | null
  cancelled_at: number | null
}

/** Describes an attendee as a row of the report shows it. */
export interface ReportedTicketRow {
  id: string
  registration_id: string
  name: string | null
  email: string | null
  seat: string | null
  voided: 0 | 1
  checked_in_at: number | null
  /** A JSON object of strings. It is null if it is long and has to be read separately. */
  answers: string | null
  /** The length of the answers, in bytes. */
  answers_size: number
}

/**
 * Finds the latest registration of the event in the order of its list. `created_at` alone is not enough, because a file may bring
 * any.
 */
export function findLatest(tx: ReadTx, eventId: string): Promise<Position | undefined> {
  return tx.one(
    `SELECT r.created_at, r.id FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2
     ORDER BY r.created_at DESC, r.id DESC LIMIT 1`,
    [tx.accountId, eventId],
  )
}

/** Returns the number of the newest registration, or 0 before there is one. */
export async function findLastNumber(tx: ReadTx): Promise<number> {
  const row = await tx.one<{ number: number | null }>(
    'SELECT max(r.number) AS number FROM registrations r WHERE r.account_id = $1',
    [tx.accountId],
  )
  return row?.number ?? 0
}

const OF_EVENT = 'WHERE r.account_id = $1 AND r.event_id = $2'
const ORDER = 'ORDER BY r.created_at, r.id'

/** Selects the answers of registrations or tickets. */
const answersOf = (row: string) =>
  `CASE WHEN octet_length(${row}.answers) <= ${SHORT_ANSWERS} THEN ${row}.answers END AS answers,
    octet_length(${row}.answers) AS answers_size`

/**
 * Reads the registrations of the report after one, oldest first. It finds the end here and not in the statement, because with
 * bounds at both sides SQLite also reads through the account's other events.
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

/** Lists the tickets of the registrations from one to another, in the order of these. */
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

/** Reads the answers of one registration, however long they are. */
export async function readAnswers(tx: ReadTx, id: string): Promise<string> {
  const row = await tx.one<{ answers: string }>(
    'SELECT r.answers FROM registrations r WHERE r.account_id = $1 AND r.id = $2',
    [tx.accountId, id],
  )
  return row?.answers ?? '{}'
}

/** Reads the answers of one ticket, however long they are. */
export async function readTicketAnswers(tx: ReadTx, id: string): Promise<string> {
  const row = await tx.one<{ answers: string }>(
    `SELECT a.answers FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE r.account_id = $1 AND a.id = $2`,
    [tx.accountId, id],
  )
  return row?.answers ?? '{}'
}

/** Holds a registration as the sums of a month need it. */
export interface CountedRegistrationRow {
  id: string
  /** This instant decides which month it belongs to. */
  confirmed_at: number
  event_id: string
  registration_type_id: string
  currency: string
  quantity: number
  amount_total: number
}

/** Lists the registrations that were confirmed in the half-open range, after `last`, oldest first. */
export function listCounted(
  tx: ReadTx,
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
    return tx.all(`${select} ${where} ${order}`, [tx.accountId, from, to, size])
  }
  const where = 'WHERE r.account_id = $1 AND (r.confirmed_at, r.id) > ($2, $5) AND r.confirmed_at < $3'
  return tx.all(`${select} ${where} ${order}`, [tx.accountId, last.confirmed_at, to, size, last.id])
}

/** Describes a movement of money as the sums of a month need it. */
export interface CountedEntryRow {
  kind: LedgerKind
  entry_id: string
  event_id: string
  currency: string
  /** Minor units, below 0 if the money left the organizer. */
  amount: number
  moved_at: number
  /** Whether the fee of a payment is known. */
  has_fee: 0 | 1
}

/** Lists the movements of money in the half-open range, after `last`, oldest first. */
export function listEntries(
  tx: ReadTx,
  from: number,
  to: number,
  last: CountedEntryRow | undefined,
  size: number,
): Promise<CountedEntryRow[]> {
  const select = `SELECT l.kind, l.entry_id, l.event_id, l.currency, l.amount, l.moved_at,
    CASE WHEN EXISTS (SELECT 1 FROM ledger_entries f
      WHERE f.account_id = l.account_id AND f.kind = 'fee' AND f.entry_id = l.entry_id) THEN 1 ELSE 0 END AS has_fee FROM ledger_entries l`
  const order = 'ORDER BY l.moved_at, l.kind, l.entry_id LIMIT $4'
  if (last === undefined) {
    const where = 'WHERE l.account_id = $1 AND l.moved_at >= $2 AND l.moved_at < $3'
    return tx.all(`${select} ${where} ${order}`, [tx.accountId, from, to, size])
  }
  const where =
    'WHERE l.account_id = $1 AND (l.moved_at, l.kind, l.entry_id) > ($2, $5, $6) AND l.moved_at < $3'
  return tx.all(`${select} ${where} ${order}`, [
    tx.accountId,
    last.moved_at,
    to,
    size,
    last.kind,
    last.entry_id,
  ])
}

export interface CountedCheckInRow {
  id: string
  checked_in_at: number
  event_id: string
  /** The currency of the event. */
  currency: string
}

/** Lists the check-ins in the half-open range, after `last`, oldest first. */
export function listCheckIns(
  tx: ReadTx,
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
    return tx.all(`${select} ${where} ${order}`, [tx.accountId, from, to, size])
  }
  const where = 'WHERE c.account_id = $1 AND (c.checked_in_at, c.id) > ($2, $5) AND c.checked_in_at < $3'
  return tx.all(`${select} ${where} ${order}`, [tx.accountId, last.checked_in_at, to, size, last.id])
}

/** Counts the registrations, movements of money and check-ins in the half-open range, each up to `most`. */
export async function countUpTo(tx: ReadTx, from: number, to: number, most: number): Promise<number> {
  let sum = 0
  for (const [table, column] of [
    ['registrations', 'confirmed_at'],
    ['ledger_entries', 'moved_at'],
    ['check_ins', 'checked_in_at'],
  ]) {
    const row = await tx.one<{ count: number }>(
      `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} c
       WHERE c.account_id = $1 AND c.${column} >= $2 AND c.${column} < $3 LIMIT $4) AS slice`,
      [tx.accountId, from, to, most],
    )
    sum += Number(row?.count)
  }
  return sum
}

/** Finds the earliest instant at which the account had an event or a registration. It is null if there is none. */
export async function findEarliest(tx: ReadTx): Promise<number | null> {
  const earliest = await Promise.all(
    [
      'SELECT min(e.created_at) AS at FROM events e WHERE e.account_id = $1',
      'SELECT min(r.created_at) AS at FROM registrations r WHERE r.account_id = $1',
      'SELECT min(r.confirmed_at) AS at FROM registrations r WHERE r.account_id = $1 AND r.confirmed_at IS NOT NULL',
    ].map(query => tx.one<{ at: number | null }>(query, [tx.accountId])),
  )
  const instants = earliest.flatMap(row => row?.at ?? [])
  return instants.length === 0 ? null : Math.min(...instants)
}
