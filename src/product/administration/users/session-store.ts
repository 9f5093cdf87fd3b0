import type { AnyReadTx, AnyWriteTx, InstanceReadTx, InstanceWriteTx } from '#machinery/db/port.ts'

export interface SessionRow {
  id: string
  user_id: string
  address: string | null
  browser: string | null
  last_used_at: number
  expires_at: number
  created_at: number
}

const SELECT = `SELECT s.id, s.user_id, s.address, s.browser, s.last_used_at, s.expires_at, s.created_at
  FROM sessions s`

export function findByHash(tx: InstanceReadTx, tokenHash: string): Promise<SessionRow | undefined> {
  return tx.one(`${SELECT} WHERE s.token_hash = $1`, [tokenHash])
}

/** Lists the sessions of a user, newest first. */
export function listByUser(tx: AnyReadTx, userId: string): Promise<SessionRow[]> {
  return tx.all(`${SELECT} WHERE s.user_id = $1 ORDER BY s.created_at DESC, s.id DESC`, [userId])
}

export function insert(tx: AnyWriteTx, row: SessionRow & { token_hash: string }): Promise<number> {
  return tx.run(
    `INSERT INTO sessions (token_hash, id, user_id, address, browser, last_used_at, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
    [
      row.token_hash,
      row.id,
      row.user_id,
      row.address,
      row.browser,
      row.last_used_at,
      row.expires_at,
      row.created_at,
    ],
  )
}

export function markUsed(tx: InstanceWriteTx, id: string, now: number): Promise<number> {
  return tx.run('UPDATE sessions SET last_used_at = $2, updated_at = $2 WHERE id = $1', [id, now])
}

export function remove(tx: AnyWriteTx, userId: string, id: string): Promise<number> {
  return tx.run('DELETE FROM sessions WHERE user_id = $1 AND id = $2', [userId, id])
}

export function removeOthers(tx: AnyWriteTx, userId: string, exceptId: string): Promise<number> {
  return tx.run('DELETE FROM sessions WHERE user_id = $1 AND id <> $2', [userId, exceptId])
}

export function deleteExpired(tx: AnyWriteTx, now: number, most: number): Promise<number> {
  return tx.run(
    `DELETE FROM sessions WHERE id IN
       (SELECT s.id FROM sessions s WHERE s.expires_at <= $1 ORDER BY s.expires_at LIMIT $2)`,
    [now, most],
  )
}
