import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import type { paymentWays } from '#product/catalog/events/states.ts'
import type { TypeKind } from './kinds.ts'
import type { entryModes } from './states.ts'

export interface TypeRow {
  id: string
  event_id: string
  name: string
  description: string | null
  price: number
  capacity: number
  sold: number
  active: 0 | 1
  sales_start: number | null
  sales_end: number | null
  valid_from: number | null
  valid_until: number | null
  position: number
  min_per_order: number
  max_per_order: number | null
  hidden: 0 | 1
  tax_basis_points: number
  kind: TypeKind
  open_price: 0 | 1
  entries: (typeof entryModes)[number]
  reentry: 0 | 1
}

export interface RegistrationTypeRow extends TypeRow {
  currency: string
  /** The smallest number of free places of its pools. It is null if it has none. */
  shared_available: number | null
  created_at: number
}

const COLUMNS = `t.id, t.event_id, t.name, t.description, t.price, e.currency, t.capacity, t.sold, t.active,
  t.sales_start, t.sales_end, t.valid_from, t.valid_until, t.position, t.min_per_order, t.max_per_order, t.hidden,
  t.tax_basis_points, t.kind, t.open_price, t.entries, t.reentry, t.created_at,
  (SELECT min(p.capacity - p.sold) FROM registration_type_pools l JOIN capacity_pools p ON p.id = l.pool_id
   WHERE l.registration_type_id = t.id) AS shared_available`
const FROM = 'FROM registration_types t JOIN events e ON e.id = t.event_id'
const SELECT = `SELECT ${COLUMNS} ${FROM}`

const FIND = `${SELECT} WHERE t.account_id = $1 AND t.event_id = $2 AND t.id = $3 AND e.deleting_at IS NULL`

export function find(tx: ReadTx, eventId: string, id: string): Promise<RegistrationTypeRow | undefined> {
  return tx.one(FIND, [tx.accountId, eventId, id])
}

/** Lists the types newest first, as every list. Types of one instant keep the order of the organization file that made them. */
export async function listByEvent(tx: ReadTx, eventId: string): Promise<RegistrationTypeRow[]> {
  const rows = await listByEventOldestFirst(tx, eventId)
  return rows.sort((one, other) => other.created_at - one.created_at)
}

/** Lists the types oldest first, which is the order of the organization file. */
export function listByEventOldestFirst(tx: ReadTx, eventId: string): Promise<RegistrationTypeRow[]> {
  return tx.all(
    `${SELECT} WHERE t.account_id = $1 AND t.event_id = $2 AND e.deleting_at IS NULL ORDER BY t.created_at, t.id`,
    [tx.accountId, eventId],
  )
}

const ofEventsTexts = keptTexts(
  events =>
    `${SELECT} WHERE t.account_id = $1 AND t.event_id IN ${events} ORDER BY t.event_id, t.created_at, t.id`,
)

/** Lists the types of several events, oldest first. */
export function listByEvents(tx: ReadTx, eventIds: readonly string[]): Promise<RegistrationTypeRow[]> {
  return readInList(tx, eventIds, [tx.accountId], ofEventsTexts)
}

/** Lists those types of an event that are extras. */
export function listExtras(tx: ReadTx, eventId: string): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT t.id FROM registration_types t WHERE t.account_id = $1 AND t.event_id = $2 AND t.kind = 'extra'`,
    [tx.accountId, eventId],
  )
}

/** A type with what decides how its event is paid. */
export interface PricedRow extends RegistrationTypeRow {
  title: string
  starts_at: number | null
  ends_at: number | null
  requires_approval: 0 | 1
  payment_ways: (typeof paymentWays)[number]
}

/**
 * Lists the types that cost something, or may, of published events that are neither over nor archived, by event.
 *
 * @param now in milliseconds
 */
export function listPriced(tx: ReadTx, now: number, limit: number): Promise<PricedRow[]> {
  return tx.all(
    `SELECT ${COLUMNS}, e.starts_at, e.ends_at, e.requires_approval, e.payment_ways ${FROM}
     WHERE t.account_id = $1 AND t.active = 1 AND (t.price > 0 OR t.open_price = 1) AND e.status = 'published' AND e.archived_at IS NULL
       AND (e.starts_at IS NULL OR coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $2)
     ORDER BY t.event_id, t.created_at, t.id LIMIT $3`,
    [tx.accountId, now, limit],
  )
}

export interface PlacesRow {
  event_id: string
  sold: number
  capacity: number
}

/** Sums the places of the tickets of each event that has any. */
export function sumPlaces(tx: ReadTx): Promise<PlacesRow[]> {
  return tx.all(
    `SELECT t.event_id, sum(t.sold) AS sold, sum(t.capacity) AS capacity FROM registration_types t
     WHERE t.account_id = $1 AND t.kind = 'ticket' GROUP BY t.event_id`,
    [tx.accountId],
  )
}

export function insert(tx: WriteTx, row: TypeRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO registration_types (id, account_id, event_id, name, description, price, capacity, sold, active,
       sales_start, sales_end, valid_from, valid_until, position, created_at, updated_at, min_per_order, max_per_order,
       hidden, tax_basis_points, kind, open_price, entries, reentry)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16, $17, $18, $19, $20, $21, $22, $23)`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.name,
      row.description,
      row.price,
      row.capacity,
      row.sold,
      row.active,
      row.sales_start,
      row.sales_end,
      row.valid_from,
      row.valid_until,
      row.position,
      now,
      row.min_per_order,
      row.max_per_order,
      row.hidden,
      row.tax_basis_points,
      row.kind,
      row.open_price,
      row.entries,
      row.reentry,
    ],
  )
}

/** Changes everything except the name and `sold`. */
export function update(tx: WriteTx, row: Omit<TypeRow, 'sold'>, now: number): Promise<number> {
  return tx.run(
    `UPDATE registration_types SET description = $3, price = $4, capacity = $5, active = $6, sales_start = $7,
       sales_end = $8, valid_from = $9, valid_until = $10, position = $11, updated_at = $12, min_per_order = $13,
       max_per_order = $14, hidden = $15, tax_basis_points = $16, kind = $17, open_price = $18, entries = $19, reentry = $20
     WHERE account_id = $1 AND id = $2`,
    [
      tx.accountId,
      row.id,
      row.description,
      row.price,
      row.capacity,
      row.active,
      row.sales_start,
      row.sales_end,
      row.valid_from,
      row.valid_until,
      row.position,
      now,
      row.min_per_order,
      row.max_per_order,
      row.hidden,
      row.tax_basis_points,
      row.kind,
      row.open_price,
      row.entries,
      row.reentry,
    ],
  )
}

export function rename(tx: WriteTx, id: string, name: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE registration_types SET name = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, name, now],
  )
}

export function place(tx: WriteTx, id: string, position: number, now: number): Promise<number> {
  return tx.run(
    'UPDATE registration_types SET position = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, position, now],
  )
}

/** Counts the registrations of an event, no further than `most`. */
export async function countRegistrations(tx: ReadTx, eventId: string, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT r.id FROM registrations r
       WHERE r.account_id = $1 AND r.event_id = $2 ORDER BY r.created_at, r.id LIMIT $3) AS slice`,
    [tx.accountId, eventId, most],
  )
  return row?.count ?? 0
}

/** Returns whether registrations or waitlist entries name the type. It looks at all of them in the event. */
export async function isInUse(
  tx: ReadTx,
  { event_id: eventId, id }: Pick<TypeRow, 'event_id' | 'id'>,
): Promise<boolean> {
  const row = await tx.one(
    `SELECT t.id FROM registration_types t WHERE t.account_id = $1 AND t.event_id = $2 AND t.id = $3 AND (
       EXISTS (SELECT 1 FROM registrations r
         WHERE r.account_id = $1 AND r.event_id = t.event_id AND r.registration_type_id = t.id)
       OR EXISTS (SELECT 1 FROM waitlist_entries w
         WHERE w.account_id = $1 AND w.event_id = t.event_id AND w.registration_type_id = t.id))`,
    [tx.accountId, eventId, id],
  )
  return row !== undefined
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM registration_types WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** Takes capacity in one statement. It changes no row if there is not enough. */
export function reserve(tx: WriteTx, id: string, quantity: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE registration_types SET sold = sold + $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND sold + $3 <= capacity`,
    [tx.accountId, id, quantity, now],
  )
}

export function release(
  tx: WriteTx,
  id: string,
  quantity: number,
  now: number,
): Promise<{ event_id: string; available: number; pools: number } | undefined> {
  return tx.one(
    `UPDATE registration_types SET sold = sold - $3, updated_at = $4 WHERE account_id = $1 AND id = $2
     RETURNING event_id, capacity - sold AS available,
       (SELECT count(*) FROM registration_type_pools l WHERE l.registration_type_id = registration_types.id) AS pools`,
    [tx.accountId, id, quantity, now],
  )
}

export function noteChange(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run('UPDATE registration_types SET updated_at = $3 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    now,
  ])
}
