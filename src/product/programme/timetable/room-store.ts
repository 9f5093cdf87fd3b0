import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface RoomRow {
  id: string
  event_id: string
  name: string
  position: number
}

const SELECT = 'SELECT r.id, r.event_id, r.name, r.position FROM rooms r'

/** Lists the rooms of an event in their order. */
export function listOfEvent(tx: ReadTx, eventId: string, limit: number): Promise<RoomRow[]> {
  return tx.all(`${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 ORDER BY r.position, r.id LIMIT $3`, [
    tx.accountId,
    eventId,
    limit,
  ])
}

export function find(tx: ReadTx, id: string): Promise<RoomRow | undefined> {
  return tx.one(`${SELECT} WHERE r.account_id = $1 AND r.id = $2`, [tx.accountId, id])
}

export function insert(tx: WriteTx, { id, event_id, name, position }: RoomRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO rooms (id, account_id, event_id, name, position, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [id, tx.accountId, event_id, name, position, now],
  )
}

export function change(
  tx: WriteTx,
  { id, name, position }: Pick<RoomRow, 'id' | 'name' | 'position'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE rooms SET name = $3, position = $4, updated_at = $5 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, name, position, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM rooms WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}
