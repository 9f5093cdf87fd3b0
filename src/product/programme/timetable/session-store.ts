import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface SessionRow {
  id: string
  event_id: string
  room_id: string | null
  title: string
  about: string | null
  starts_at: number
  ends_at: number
  /** A JSON array of objects. */
  chairs: string
}

const SELECT = `SELECT p.id, p.event_id, p.room_id, p.title, p.about, p.starts_at, p.ends_at, p.chairs
  FROM programme_sessions p`

/** Lists the sessions of an event by their beginning. */
export function listOfEvent(tx: ReadTx, eventId: string, limit: number): Promise<SessionRow[]> {
  return tx.all(`${SELECT} WHERE p.account_id = $1 AND p.event_id = $2 ORDER BY p.starts_at, p.id LIMIT $3`, [
    tx.accountId,
    eventId,
    limit,
  ])
}

export function find(tx: ReadTx, id: string): Promise<SessionRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.id = $2`, [tx.accountId, id])
}

export async function count(tx: ReadTx, eventId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM programme_sessions p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
  return Number(row?.count)
}

export async function countInRoom(tx: ReadTx, roomId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM programme_sessions p WHERE p.account_id = $1 AND p.room_id = $2',
    [tx.accountId, roomId],
  )
  return Number(row?.count)
}

export function insert(tx: WriteTx, row: SessionRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO programme_sessions (id, account_id, event_id, room_id, title, about, starts_at, ends_at, chairs, created_at,
       updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
    [
      ...[row.id, tx.accountId, row.event_id, row.room_id, row.title, row.about, row.starts_at, row.ends_at],
      ...[row.chairs, now],
    ],
  )
}

export function change(tx: WriteTx, row: Omit<SessionRow, 'event_id'>, now: number): Promise<number> {
  return tx.run(
    `UPDATE programme_sessions SET room_id = $3, title = $4, about = $5, starts_at = $6, ends_at = $7, chairs = $8, updated_at = $9
     WHERE account_id = $1 AND id = $2`,
    [
      ...[tx.accountId, row.id, row.room_id, row.title, row.about, row.starts_at, row.ends_at],
      ...[row.chairs, now],
    ],
  )
}

/** Leaves the sessions of a room without one. */
export function leaveRoom(tx: WriteTx, roomId: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE programme_sessions SET room_id = NULL, updated_at = $3 WHERE account_id = $1 AND room_id = $2',
    [tx.accountId, roomId, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM programme_sessions WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

export type ChairsRow = Pick<SessionRow, 'id' | 'event_id' | 'starts_at' | 'chairs'>

/** Lists the chairs of the sessions of an account after `last`. */
export function listChairs(tx: ReadTx, last: ChairsRow | undefined, size: number): Promise<ChairsRow[]> {
  return tx.all(
    `SELECT p.id, p.event_id, p.starts_at, p.chairs FROM programme_sessions p
     WHERE p.account_id = $1 AND (p.event_id, p.starts_at, p.id) > ($2, $3, $4)
     ORDER BY p.event_id, p.starts_at, p.id LIMIT $5`,
    [
      ...[tx.accountId, last?.event_id ?? '', last?.starts_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? ''],
      size,
    ],
  )
}

export function setChairs(
  tx: WriteTx,
  { id, chairs }: Pick<SessionRow, 'id' | 'chairs'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE programme_sessions SET chairs = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, chairs, now],
  )
}
