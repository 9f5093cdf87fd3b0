import type { ReadTx, WriteTx } from '../db/port.ts'

export interface RegistrationTypeRow {
  id: string
  event_id: string
  name: string
  description: string | null
  price: number
  currency: string
  capacity: number
  sold: number
  active: 0 | 1
  sales_start: number | null
  sales_end: number | null
  valid_from: number | null
  valid_until: number | null
}

const SELECT = `SELECT t.id, t.event_id, t.name, t.description, t.price, e.currency, t.capacity, t.sold, t.active,
  t.sales_start, t.sales_end, t.valid_from, t.valid_until, t.created_at
  FROM registration_types t JOIN events e ON e.id = t.event_id`

export function find(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<RegistrationTypeRow | undefined> {
  return tx.one(`${SELECT} WHERE t.account_id = $1 AND t.event_id = $2 AND t.id = $3`, [
    accountId,
    eventId,
    id,
  ])
}

/** Newest first, as every list; those of one instant in the order of the organization file that brought them. */
export async function listByEvent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<RegistrationTypeRow[]> {
  const rows = await listByEventOldestFirst(tx, accountId, eventId)
  return rows.sort((one, other) => other.created_at - one.created_at)
}

/** Oldest first: the order of the organization file. */
export function listByEventOldestFirst(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<(RegistrationTypeRow & { created_at: number })[]> {
  return tx.all(`${SELECT} WHERE t.account_id = $1 AND t.event_id = $2 ORDER BY t.created_at, t.id`, [
    accountId,
    eventId,
  ])
}

export interface PlacesRow {
  event_id: string
  sold: number
  capacity: number
}

/** Of each event that has types. */
export function sumPlaces(tx: ReadTx, accountId: string): Promise<PlacesRow[]> {
  return tx.all(
    `SELECT t.event_id, sum(t.sold) AS sold, sum(t.capacity) AS capacity FROM registration_types t
     WHERE t.account_id = $1 GROUP BY t.event_id`,
    [accountId],
  )
}

export function insert(
  tx: WriteTx,
  accountId: string,
  row: Omit<RegistrationTypeRow, 'currency'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO registration_types (id, account_id, event_id, name, description, price, capacity, sold, active,
       sales_start, sales_end, valid_from, valid_until, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
    [
      row.id,
      accountId,
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
      now,
    ],
  )
}

/** Changes everything but `sold`. */
export function update(
  tx: WriteTx,
  accountId: string,
  row: Omit<RegistrationTypeRow, 'currency' | 'sold'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registration_types SET description = $3, price = $4, capacity = $5, active = $6, sales_start = $7,
       sales_end = $8, valid_from = $9, valid_until = $10, updated_at = $11 WHERE account_id = $1 AND id = $2`,
    [
      accountId,
      row.id,
      row.description,
      row.price,
      row.capacity,
      row.active,
      row.sales_start,
      row.sales_end,
      row.valid_from,
      row.valid_until,
      now,
    ],
  )
}

/** Takes capacity in one statement, or changes no row when there is not enough. */
export function reserve(
  tx: WriteTx,
  accountId: string,
  id: string,
  quantity: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registration_types SET sold = sold + $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND sold + $3 <= capacity`,
    [accountId, id, quantity, now],
  )
}

export function release(
  tx: WriteTx,
  accountId: string,
  id: string,
  quantity: number,
  now: number,
): Promise<{ available: number } | undefined> {
  return tx.one(
    `UPDATE registration_types SET sold = sold - $3, updated_at = $4 WHERE account_id = $1 AND id = $2
     RETURNING capacity - sold AS available`,
    [accountId, id, quantity, now],
  )
}

export function noteChange(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run('UPDATE registration_types SET updated_at = $3 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    now,
  ])
}
