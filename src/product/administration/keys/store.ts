import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

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

/** A process that keeps rows of this table in memory asks for the version of the table. */
export const TABLE = 'api_keys'

const COLUMNS =
  'id, account_id, name, last_four, scopes, rate_limit, expires_at, revoked_at, last_used_at, created_at'

/** Finds a key of any account, because the key itself determines the account. */
export function findByHash(tx: InstanceReadTx, hash: string): Promise<ApiKeyRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM api_keys WHERE key_hash = $1`, [hash])
}

/** Finds the account of a key, for the command line. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM api_keys WHERE id = $1', [id])
}

export function find(tx: ReadTx, id: string): Promise<ApiKeyRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 AND id = $2`, [tx.accountId, id])
}

export function listByAccount(tx: ReadTx): Promise<ApiKeyRow[]> {
  return tx.all(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY created_at, id`, [
    tx.accountId,
  ])
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

export function revoke(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE api_keys SET revoked_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL`,
    [tx.accountId, id, now],
  )
}

export function markUsed(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run('UPDATE api_keys SET last_used_at = $3, updated_at = $3 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    now,
  ])
}
