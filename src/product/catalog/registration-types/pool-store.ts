import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface PoolRow {
  id: string
  event_id: string
  name: string
  capacity: number
  sold: number
}

/** Lists the pools of an event, oldest first. */
export function listByEvent(tx: ReadTx, eventId: string): Promise<PoolRow[]> {
  return tx.all(
    `SELECT p.id, p.event_id, p.name, p.capacity, p.sold FROM capacity_pools p
     WHERE p.account_id = $1 AND p.event_id = $2 ORDER BY p.created_at, p.id`,
    [tx.accountId, eventId],
  )
}

export interface LinkRow {
  pool_id: string
  registration_type_id: string
}

/** Lists which types draw from which pools of an event. */
export function listLinks(tx: ReadTx, eventId: string): Promise<LinkRow[]> {
  return tx.all(
    `SELECT l.pool_id, l.registration_type_id FROM capacity_pools p
     JOIN registration_type_pools l ON l.pool_id = p.id WHERE p.account_id = $1 AND p.event_id = $2`,
    [tx.accountId, eventId],
  )
}

export interface SharingRow {
  event_id: string
  registration_type_id: string
  /** Of the type by itself. */
  capacity: number
  pool_id: string
  pool_capacity: number
}

/** Lists which tickets of all events draw from which pools. */
export function listSharing(tx: ReadTx): Promise<SharingRow[]> {
  return tx.all(
    `SELECT t.event_id, l.registration_type_id, t.capacity, l.pool_id, p.capacity AS pool_capacity FROM capacity_pools p
     JOIN registration_type_pools l ON l.pool_id = p.id JOIN registration_types t ON t.id = l.registration_type_id
     WHERE p.account_id = $1 AND t.account_id = $1 AND t.kind = 'ticket'`,
    [tx.accountId],
  )
}

/** Returns the ids of the pools of a type, sorted. */
export async function listOfType(tx: ReadTx, typeId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT l.pool_id AS id FROM registration_type_pools l JOIN capacity_pools p ON p.id = l.pool_id
     WHERE l.registration_type_id = $2 AND CASE WHEN p.account_id = $1 THEN 1 ELSE 0 END = 1 ORDER BY l.pool_id`,
    [tx.accountId, typeId],
  )
  return rows.map(({ id }) => id)
}

export function insert(tx: WriteTx, row: PoolRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO capacity_pools (id, account_id, event_id, name, capacity, sold, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [row.id, tx.accountId, row.event_id, row.name, row.capacity, row.sold, now],
  )
}

export function update(tx: WriteTx, row: PoolRow, now: number): Promise<number> {
  return tx.run(
    `UPDATE capacity_pools SET name = $3, capacity = $4, sold = $5, updated_at = $6 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, row.id, row.name, row.capacity, row.sold, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM capacity_pools WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** Inserts nothing if the type belongs to another event than the pool. */
export function link(tx: WriteTx, { pool_id, registration_type_id }: LinkRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO registration_type_pools (event_id, registration_type_id, pool_id, created_at, updated_at)
     SELECT p.event_id, t.id, p.id, CAST($4 AS BIGINT), CAST($4 AS BIGINT)
     FROM capacity_pools p JOIN registration_types t ON t.event_id = p.event_id
     WHERE p.account_id = $1 AND p.id = $2 AND t.id = $3`,
    [tx.accountId, pool_id, registration_type_id, now],
  )
}

export function unlink(tx: WriteTx, link: LinkRow): Promise<number> {
  return tx.run(
    `DELETE FROM registration_type_pools WHERE registration_type_id = $3
     AND pool_id = (SELECT p.id FROM capacity_pools p WHERE p.account_id = $1 AND p.id = $2)`,
    [tx.accountId, link.pool_id, link.registration_type_id],
  )
}

/** Takes capacity in one statement. It changes no row if there is not enough. */
export function reserve(tx: WriteTx, id: string, quantity: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE capacity_pools SET sold = sold + $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND sold + $3 <= capacity`,
    [tx.accountId, id, quantity, now],
  )
}

export function release(tx: WriteTx, id: string, quantity: number, now: number): Promise<number> {
  return tx.run(
    'UPDATE capacity_pools SET sold = sold - $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, quantity, now],
  )
}
