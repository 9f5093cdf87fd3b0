import type { ReadTx, WriteTx } from '../db/port.ts'

/** Endpoints by their id alone: the person at the command line owns every account. */

export interface EndpointSecrets {
  secret: string
  previous_secret_expires_at: number | null
}

interface EndpointIdRow extends EndpointSecrets {
  id: string
  account_id: string
  url: string
  types: string
  enabled: 0 | 1
  created_at: number
}

export function findEndpoint(tx: ReadTx, id: string): Promise<EndpointIdRow | undefined> {
  return tx.one(
    `SELECT id, account_id, url, types, enabled, secret, previous_secret_expires_at, created_at
     FROM webhook_endpoints WHERE id = $1`,
    [id],
  )
}

export function setEnabled(tx: WriteTx, id: string, enabled: boolean, now: number): Promise<number> {
  return tx.run('UPDATE webhook_endpoints SET enabled = $2, updated_at = $3 WHERE id = $1', [
    id,
    enabled ? 1 : 0,
    now,
  ])
}

/** The secret of before signs too until `expires`. */
export function rotateSecret(
  tx: WriteTx,
  id: string,
  secret: string,
  expires: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_expires_at = $3, secret = $2, updated_at = $4
     WHERE id = $1`,
    [id, secret, expires, now],
  )
}

/**
 * Deletes at most `limit` attempts of the first deliveries of an endpoint, and those of these deliveries that have none left.
 *
 * @returns how many rows: none are the end
 */
export async function deleteDeliveries(tx: WriteTx, endpointId: string, limit: number): Promise<number> {
  const some = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY created_at, id LIMIT $2'
  const attempts = await tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE delivery_id IN (${some}) LIMIT $2)`,
    [endpointId, limit],
  )
  const deliveries = await tx.run(
    `DELETE FROM webhook_deliveries WHERE id IN (${some})
       AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)`,
    [endpointId, limit],
  )
  return attempts + deliveries
}

export function deleteEndpoint(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM webhook_endpoints WHERE id = $1', [id])
}
