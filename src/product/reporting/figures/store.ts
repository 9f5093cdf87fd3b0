import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { RegistrationStatus } from '#product/guests/registrations/rules.ts'

/** Counts the registrations of an event, up to `limit`. */
export function countRegistrations(tx: ReadTx, eventId: string, limit: number): Promise<number> {
  return count(
    tx,
    'SELECT count(*) AS count FROM (SELECT 1 FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2 LIMIT $3) AS slice',
    [tx.accountId, eventId, limit],
  )
}

/** Counts its checked-in tickets, up to `limit`. */
export function countCheckIns(tx: ReadTx, eventId: string, limit: number): Promise<number> {
  return count(
    tx,
    'SELECT count(*) AS count FROM (SELECT 1 FROM check_ins c WHERE c.account_id = $1 AND c.event_id = $2 LIMIT $3) AS slice',
    [tx.accountId, eventId, limit],
  )
}

export interface EventCheckInsRow {
  event_id: string
  count: number
}

const checkInsTexts = keptTexts(
  events => `SELECT slice.event_id, count(*) AS count FROM (SELECT c.event_id FROM check_ins c
     WHERE c.account_id = $1 AND c.event_id IN ${events} LIMIT $2) AS slice GROUP BY slice.event_id`,
)

/** Counts the checked-in tickets of each of these events that has any, up to `limit` for each 128 events. */
export function countCheckInsOfEach(
  tx: ReadTx,
  eventIds: readonly string[],
  limit: number,
): Promise<EventCheckInsRow[]> {
  return readInList(tx, eventIds, [tx.accountId, limit], checkInsTexts)
}

/**
 * Counts its check-ins since an instant, in milliseconds, up to `limit`.
 *
 * @param without the types that do not count
 */
export function countCheckInsSince(
  tx: ReadTx,
  eventId: string,
  { since, without }: { since: number; without: ReadonlySet<string> },
  limit: number,
): Promise<number> {
  const params: (string | number)[] = [tx.accountId, eventId, since, limit]
  const types = [...without].map(id => `$${params.push(id)}`)
  const [join, isMeant] =
    types.length === 0
      ? ['', '']
      : [
          'JOIN attendees a ON a.id = c.attendee_id JOIN registrations r ON r.id = a.registration_id ',
          `AND r.registration_type_id NOT IN (${types.join(', ')}) `,
        ]
  return count(
    tx,
    `SELECT count(*) AS count FROM (SELECT 1 FROM check_ins c ${join}WHERE c.account_id = $1 AND c.event_id = $2
       AND c.created_at >= $3 ${isMeant}LIMIT $4) AS slice`,
    params,
  )
}

async function count(tx: ReadTx, sql: string, params: readonly (string | number)[]): Promise<number> {
  return (await tx.one<{ count: number }>(sql, params))?.count ?? 0
}

export interface EventAmountRow {
  event_id: string
  currency: string
  count: number
  /** The sum that registrations were charged that were ever confirmed, in minor units. */
  amount: number
}

const amountsTexts = keptTexts(
  events => `SELECT slice.event_id, slice.currency, count(*) AS count,
       sum(CASE WHEN slice.confirmed_at IS NULL THEN 0 ELSE slice.amount_total END) AS amount
     FROM (SELECT r.event_id, r.currency, r.amount_total, r.confirmed_at FROM registrations r
           WHERE r.account_id = $1 AND r.event_id IN ${events} LIMIT $2) AS slice
     GROUP BY slice.event_id, slice.currency`,
)

/** Sums the registrations of each of these events that has any, by currency, looking at no more than `limit` for each 128 events. */
export function sumAmountsOfEach(
  tx: ReadTx,
  eventIds: readonly string[],
  limit: number,
): Promise<EventAmountRow[]> {
  return readInList(tx, eventIds, [tx.accountId, limit], amountsTexts)
}

/** Counts registrations that are alike in all that is counted and were confirmed in the same quarter of an hour. */
export interface RegistrationGroupRow {
  registration_type_id: string
  status: RegistrationStatus
  currency: string
  /** Quarters of an hour since 1970. It is null for registrations that were never confirmed. */
  quarter: number | null
  registrations: number
  quantity: number
  amount_total: number
}

/** Selects a stretch of the registrations of an event, or of its check-ins, oldest first. */
export interface Stretch {
  after: Position
  to: Position
}

/** Finds the `size`-th registration of an event after `after`, oldest first. */
export function findRegistrationAfter(
  tx: ReadTx,
  eventId: string,
  after: Position,
  size: number,
): Promise<Position | undefined> {
  return tx.one(
    `SELECT r.created_at, r.id FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2
       AND (r.created_at, r.id) > ($3, $4) ORDER BY r.created_at, r.id LIMIT 1 OFFSET $5`,
    [tx.accountId, eventId, after.created_at, after.id, size - 1],
  )
}

/** Groups the registrations of a stretch. No time zone begins a day within a quarter of an hour. */
export function groupRegistrations(
  tx: ReadTx,
  eventId: string,
  { after, to }: Stretch,
): Promise<RegistrationGroupRow[]> {
  return tx.all(
    `SELECT r.registration_type_id, r.status, r.currency, r.confirmed_at / 900000 AS quarter,
       count(*) AS registrations, sum(r.quantity) AS quantity, sum(r.amount_total) AS amount_total
     FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2
       AND (r.created_at, r.id) > ($3, $4) AND (r.created_at, r.id) <= ($5, $6)
     GROUP BY r.registration_type_id, r.status, r.currency, r.confirmed_at / 900000`,
    [tx.accountId, eventId, after.created_at, after.id, to.created_at, to.id],
  )
}

export interface CountedCheckInRow extends Position {
  registration_type_id: string
  /** The name of the door that has scanned it. */
  door: string | null
}

/** Lists the check-ins of an event after `last`, oldest first. */
export function listCheckInsAfter(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<CountedCheckInRow[]> {
  return tx.all(
    `SELECT c.id, c.created_at, (SELECT r.registration_type_id FROM attendees a
       JOIN registrations r ON r.id = a.registration_id WHERE a.id = c.attendee_id) AS registration_type_id,
       (SELECT s.door FROM scans s WHERE s.account_id = c.account_id AND s.id = c.scan_id) AS door
     FROM check_ins c WHERE c.account_id = $1 AND c.event_id = $2 AND (c.created_at, c.id) > ($3, $4)
     ORDER BY c.created_at, c.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

/** Finds the `size`-th check-in of an event after `after`, oldest first. */
export function findCheckInAfter(
  tx: ReadTx,
  eventId: string,
  after: Position,
  size: number,
): Promise<Position | undefined> {
  return tx.one(
    `SELECT c.created_at, c.id FROM check_ins c WHERE c.account_id = $1 AND c.event_id = $2
       AND (c.created_at, c.id) > ($3, $4) ORDER BY c.created_at, c.id LIMIT 1 OFFSET $5`,
    [tx.accountId, eventId, after.created_at, after.id, size - 1],
  )
}

/** Counts check-ins of tickets of the same type in the same quarter of an hour. */
export interface CheckInGroupRow {
  registration_type_id: string
  /** Quarters of an hour since 1970. */
  quarter: number
  check_ins: number
}

/** Groups the check-ins of a stretch. */
export function groupCheckIns(
  tx: ReadTx,
  eventId: string,
  { after, to }: Stretch,
): Promise<CheckInGroupRow[]> {
  return tx.all(
    `SELECT r.registration_type_id, c.checked_in_at / 900000 AS quarter, count(*) AS check_ins
     FROM check_ins c JOIN attendees a ON a.id = c.attendee_id JOIN registrations r ON r.id = a.registration_id
     WHERE c.account_id = $1 AND c.event_id = $2 AND (c.created_at, c.id) > ($3, $4) AND (c.created_at, c.id) <= ($5, $6)
     GROUP BY r.registration_type_id, c.checked_in_at / 900000`,
    [tx.accountId, eventId, after.created_at, after.id, to.created_at, to.id],
  )
}

/** Finds the time zone of an event. */
export async function findTimezone(tx: ReadTx, eventId: string): Promise<string> {
  const row = await tx.one<{ timezone: string }>(
    'SELECT e.timezone FROM events e WHERE e.account_id = $1 AND e.id = $2',
    [tx.accountId, eventId],
  )
  return row?.timezone ?? 'UTC'
}

/** Holds an event with values that change whenever anything counted of it changes, except check-ins. */
export interface StateRow {
  id: string
  timezone: string
  changed_at: number | null
  sold: number | null
}

/** Lists the states of all events of an account, or of one. */
export function listStates(tx: ReadTx, eventId: string | undefined): Promise<StateRow[]> {
  return tx.all(
    `SELECT e.id, e.timezone,
       (SELECT max(t.updated_at) FROM registration_types t WHERE t.account_id = $1 AND t.event_id = e.id) AS changed_at,
       (SELECT sum(s.sold) FROM registration_types s WHERE s.account_id = $1 AND s.event_id = e.id) AS sold
     FROM events e WHERE e.account_id = $1 AND e.deleting_at IS NULL${eventId === undefined ? '' : ' AND e.id = $2'}`,
    eventId === undefined ? [tx.accountId] : [tx.accountId, eventId],
  )
}

/** Finds the newest check-in of an event. */
export function findLatestCheckIn(tx: ReadTx, eventId: string): Promise<{ id: string } | undefined> {
  return tx.one(
    `SELECT c.id FROM check_ins c WHERE c.account_id = $1 AND c.event_id = $2
     ORDER BY c.created_at DESC, c.id DESC LIMIT 1`,
    [tx.accountId, eventId],
  )
}

export interface KeptRow {
  /** A JSON object. */
  figures: string
  counted_at: number
}

export function find(tx: ReadTx, eventId: string): Promise<KeptRow | undefined> {
  return tx.one(
    'SELECT f.figures, f.counted_at FROM event_figures f WHERE f.account_id = $1 AND f.event_id = $2',
    [tx.accountId, eventId],
  )
}

const keptIdsTexts = keptTexts(
  events => `SELECT f.event_id FROM event_figures f WHERE f.account_id = $1 AND f.event_id IN ${events}`,
)

/** Lists those of these events whose figures are kept, in no particular order. */
export async function listKept(tx: ReadTx, eventIds: readonly string[]): Promise<string[]> {
  const rows = await readInList<{ event_id: string }>(tx, eventIds, [tx.accountId], keptIdsTexts)
  return rows.map(({ event_id }) => event_id)
}

export function keep(
  tx: WriteTx,
  eventId: string,
  { figures, counted_at }: KeptRow,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO event_figures (event_id, account_id, figures, counted_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (event_id) DO UPDATE SET figures = excluded.figures, counted_at = excluded.counted_at,
       updated_at = excluded.updated_at`,
    [eventId, tx.accountId, figures, counted_at, now],
  )
}
