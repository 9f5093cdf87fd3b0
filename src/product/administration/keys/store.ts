import type { ReadTx, WriteTx } from '../db/port.ts'

export interface ApiKeyRow {
  id: string
  account_id: string
  name: string
  last_four: string
  scopes: string
  rate_limit: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
}

const COLUMNS =
  'id, account_id, name, last_four, scopes, rate_limit, expires_at, revoked_at, last_used_at, created_at'

/** Of any account: the key says whose it is. */
export function findByHash(tx: ReadTx, hash: string): Promise<ApiKeyRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM api_keys WHERE key_hash = $1`, [hash])
}

/** Whose it is: for the command line. */
export function findOwner(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM api_keys WHERE id = $1', [id])
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<ApiKeyRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 AND id = $2`, [accountId, id])
}

export function listByAccount(tx: ReadTx, accountId: string): Promise<ApiKeyRow[]> {
  return tx.all(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY created_at, id`, [accountId])
}

export function insert(
  tx: WriteTx,
  key: Omit<ApiKeyRow, 'revoked_at' | 'last_used_at'> & { key_hash: string },
): Promise<number> {
  return tx.run(
    `INSERT INTO api_keys (id, account_id, name, key_hash, last_four, scopes, rate_limit, expires_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      key.id,
      key.account_id,
      key.name,
      key.key_hash,
      key.last_four,
      key.scopes,
      key.rate_limit,
      key.expires_at,
      key.created_at,
    ],
  )
}

export function revoke(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE api_keys SET revoked_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [accountId, id, now],
  )
}

export function markUsed(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run('UPDATE api_keys SET last_used_at = $3, updated_at = $3 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    now,
  ])
}
