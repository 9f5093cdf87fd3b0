import type { ReadTx, WriteTx } from '../db/port.ts'

export interface EndpointRow {
  id: string
  account_id: string
  url: string
  /** A JSON array. */
  types: string
  enabled: 0 | 1
  secret: string
  created_at: number
}

export interface StandingRow extends EndpointRow {
  failing_since: number | null
  previous_secret_expires_at: number | null
}

const SELECT = `SELECT w.id, w.account_id, w.url, w.types, w.enabled, w.secret, w.created_at, w.failing_since,
  w.previous_secret_expires_at FROM webhook_endpoints w`

/** The account of an endpoint, for the command line. */
export function findOwner(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM webhook_endpoints WHERE id = $1', [id])
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<StandingRow | undefined> {
  return tx.one(`${SELECT} WHERE w.account_id = $1 AND w.id = $2`, [accountId, id])
}

/** Oldest first. */
export function list(tx: ReadTx, accountId: string): Promise<StandingRow[]> {
  return tx.all(`${SELECT} WHERE w.account_id = $1 ORDER BY w.created_at, w.id`, [accountId])
}

export function listEnabled(tx: ReadTx, accountId: string): Promise<{ id: string; types: string }[]> {
  return tx.all('SELECT id, types FROM webhook_endpoints WHERE account_id = $1 AND enabled = 1', [accountId])
}

/** The enabled ones, oldest first, with the first attempt that failed since one succeeded. */
export function listStanding(
  tx: ReadTx,
  accountId: string,
): Promise<{ id: string; url: string; failing_since: number | null }[]> {
  return tx.all(
    `SELECT w.id, w.url, w.failing_since FROM webhook_endpoints w WHERE w.account_id = $1 AND w.enabled = 1
     ORDER BY w.created_at, w.id`,
    [accountId],
  )
}

export function insert(tx: WriteTx, row: EndpointRow): Promise<number> {
  return tx.run(
    `INSERT INTO webhook_endpoints (id, account_id, url, types, enabled, secret, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
    [row.id, row.account_id, row.url, row.types, row.enabled, row.secret, row.created_at],
  )
}

export function update(tx: WriteTx, row: EndpointRow, now: number): Promise<number> {
  return tx.run(
    // What the address of before did is not held against another one.
    `UPDATE webhook_endpoints SET failing_since = CASE WHEN url = $3 THEN failing_since END, url = $3, types = $4,
       enabled = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [row.account_id, row.id, row.url, row.types, row.enabled, now],
  )
}

export function setEnabled(
  tx: WriteTx,
  accountId: string,
  id: string,
  enabled: boolean,
  now: number,
): Promise<number> {
  return tx.run(
    // While it is disabled nothing is sent, so nothing can be said to fail.
    `UPDATE webhook_endpoints SET enabled = $3, failing_since = NULL, updated_at = $4 WHERE account_id = $1 AND id = $2`,
    [accountId, id, enabled ? 1 : 0, now],
  )
}

/** Since when every attempt has failed; null once one has succeeded. */
export function setFailingSince(
  tx: WriteTx,
  accountId: string,
  id: string,
  since: number | null,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE webhook_endpoints SET failing_since = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [accountId, id, since, now],
  )
}

/** The previous secret also signs until `expires`. */
export function rotateSecret(
  tx: WriteTx,
  accountId: string,
  id: string,
  { secret, expires }: { secret: string; expires: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_expires_at = $4, secret = $3, updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, secret, expires, now],
  )
}

/** Fails for an endpoint that has deliveries. */
export function remove(tx: WriteTx, accountId: string, id: string): Promise<number> {
  return tx.run('DELETE FROM webhook_endpoints WHERE account_id = $1 AND id = $2', [accountId, id])
}
