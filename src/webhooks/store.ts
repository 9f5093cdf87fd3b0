import type { ReadTx, WriteTx } from '../db/port.ts'
import type { AttemptRow, DeliveryStatus } from './delivery/store.ts'

export interface WebhookEventRow {
  id: string
  account_id: string
  type: string
  body: string
  created_at: number
}

export function insertEvent(tx: WriteTx, event: WebhookEventRow): Promise<number> {
  return tx.run(
    'INSERT INTO webhook_events (id, account_id, type, body, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)',
    [event.id, event.account_id, event.type, event.body, event.created_at],
  )
}

export function insertDelivery(
  tx: WriteTx,
  delivery: { id: string; account_id: string; event_id: string; endpoint_id: string; type: string },
  due: number,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id, type, status, attempts, next_attempt_at,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, 'pending', 0, $6, $7, $7)`,
    [delivery.id, delivery.account_id, delivery.event_id, delivery.endpoint_id, delivery.type, due, now],
  )
}

export interface DeliveryRow {
  id: string
  account_id: string
  event_id: string
  endpoint_id: string
  endpoint_enabled: 0 | 1
  type: string
  status: DeliveryStatus
  attempts: number
  next_attempt_at: number | null
  last_status_code: number | null
  last_error: string | null
  created_at: number
}

export const SELECT_DELIVERY = `SELECT d.id, d.account_id, d.event_id, d.endpoint_id,
  (SELECT e.enabled FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS endpoint_enabled,
  d.type, d.status, d.attempts, d.next_attempt_at, d.last_status_code, d.last_error, d.created_at
  FROM webhook_deliveries d`

/** Whose it is: for the command line. */
export function findOwner(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM webhook_deliveries WHERE id = $1', [id])
}

export function findDelivery(tx: ReadTx, accountId: string, id: string): Promise<DeliveryRow | undefined> {
  return tx.one(`${SELECT_DELIVERY} WHERE d.account_id = $1 AND d.id = $2`, [accountId, id])
}

/** Oldest first. */
export function listAttempts(tx: ReadTx, accountId: string, deliveryId: string): Promise<AttemptRow[]> {
  return tx.all(
    `SELECT a.delivery_id, a.number, a.duration_ms, a.status_code, a.error, a.response, a.created_at
     FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
     WHERE d.account_id = $1 AND d.id = $2 ORDER BY a.created_at, a.id`,
    [accountId, deliveryId],
  )
}

export function askForRetry(
  tx: WriteTx,
  accountId: string,
  id: string,
  due: number,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET manual_attempt_at = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [accountId, id, due, now],
  )
}

/**
 * Deletes at most `limit` attempts of the first deliveries of an endpoint, and those of these deliveries that have none left.
 *
 * @returns how many rows: none are the end
 */
export async function deleteDeliveries(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  limit: number,
): Promise<number> {
  // The account is asked of the endpoint, so that the ids come from their index alone.
  const some = `SELECT id FROM webhook_deliveries WHERE endpoint_id =
    (SELECT e.id FROM webhook_endpoints e WHERE e.account_id = $1 AND e.id = $2) ORDER BY created_at, id LIMIT $3`
  const attempts = await tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE delivery_id IN (${some}) LIMIT $3)`,
    [accountId, endpointId, limit],
  )
  const deliveries = await tx.run(
    `DELETE FROM webhook_deliveries WHERE id IN (${some})
       AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)`,
    [accountId, endpointId, limit],
  )
  return attempts + deliveries
}
