import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'

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

/** Returns the account of an endpoint, for the command line. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM webhook_endpoints WHERE id = $1', [id])
}

export function find(tx: ReadTx, id: string): Promise<StandingRow | undefined> {
  return tx.one(`${SELECT} WHERE w.account_id = $1 AND w.id = $2`, [tx.accountId, id])
}

/** Lists the endpoints of the account, oldest first. */
export function list(tx: ReadTx): Promise<StandingRow[]> {
  return tx.all(`${SELECT} WHERE w.account_id = $1 ORDER BY w.created_at, w.id`, [tx.accountId])
}

export function listEnabled(tx: ReadTx): Promise<{ id: string; types: string }[]> {
  return tx.all('SELECT id, types FROM webhook_endpoints WHERE account_id = $1 AND enabled = 1', [
    tx.accountId,
  ])
}

/** Lists the enabled endpoints, oldest first, with the start of the first failed attempt since the last success. */
export function listStanding(
  tx: ReadTx,
): Promise<{ id: string; url: string; failing_since: number | null }[]> {
  return tx.all(
    `SELECT w.id, w.url, w.failing_since FROM webhook_endpoints w WHERE w.account_id = $1 AND w.enabled = 1
     ORDER BY w.created_at, w.id`,
    [tx.accountId],
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
    // The failures of the old address do not count against a new one.
    `UPDATE webhook_endpoints SET failing_since = CASE WHEN url = $3 THEN failing_since END, url = $3, types = $4,
       enabled = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [row.account_id, row.id, row.url, row.types, row.enabled, now],
  )
}

export function setEnabled(tx: WriteTx, id: string, enabled: boolean, now: number): Promise<number> {
  return tx.run(
    // A disabled endpoint receives nothing, so nothing can fail.
    `UPDATE webhook_endpoints SET enabled = $3, failing_since = NULL, updated_at = $4 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, enabled ? 1 : 0, now],
  )
}

/** Stores since when every attempt has failed. Null means that one has succeeded. */
export function setFailingSince(tx: WriteTx, id: string, since: number | null, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_endpoints SET failing_since = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, since, now],
  )
}

/** Lists the endpoints of all accounts whose secret is missing because they came from a copy without secrets. */
export function listWithoutSecret(tx: InstanceReadTx): Promise<{ id: string; account_id: string }[]> {
  return tx.all("SELECT w.id, w.account_id FROM webhook_endpoints w WHERE w.secret = '' ORDER BY w.id")
}

export function setSecret(tx: WriteTx, id: string, secret: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_endpoints SET secret = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, secret, now],
  )
}

/** Stores a new secret. The previous one also signs until `expires`. */
export function rotateSecret(
  tx: WriteTx,
  id: string,
  { secret, expires }: { secret: string; expires: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_expires_at = $4, secret = $3, updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, secret, expires, now],
  )
}

/** Deletes an endpoint. It fails if the endpoint still has deliveries. */
export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM webhook_endpoints WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}
