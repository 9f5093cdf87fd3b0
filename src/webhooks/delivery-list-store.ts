import { readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { AttemptRow, DeliveryStatus } from './delivery-store.ts'

/** Deliveries by their id alone: the person at the command line owns every account. */

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

const SELECT = `SELECT d.id, d.account_id, d.event_id, d.endpoint_id,
  (SELECT e.enabled FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS endpoint_enabled,
  d.type, d.status, d.attempts, d.next_attempt_at, d.last_status_code, d.last_error, d.created_at
  FROM webhook_deliveries d`

/** Newest first. */
export function list(
  tx: ReadTx,
  filters: { endpoint_id?: string | undefined; status?: DeliveryStatus | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  return readPage(tx, SELECT, 'd', filters, { limit })
}

/** Counts no further than `limit`. */
export async function countPending(tx: ReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' LIMIT $1) AS pending`,
    [limit],
  )
  return row?.count ?? 0
}

export function find(tx: ReadTx, id: string): Promise<DeliveryRow | undefined> {
  return tx.one(`${SELECT} WHERE d.id = $1`, [id])
}

/** Oldest first. */
export function listAttempts(tx: ReadTx, deliveryId: string): Promise<AttemptRow[]> {
  return tx.all(
    `SELECT delivery_id, number, duration_ms, status_code, error, response, created_at FROM webhook_attempts
     WHERE delivery_id = $1 ORDER BY created_at, id`,
    [deliveryId],
  )
}

export function askForRetry(tx: WriteTx, id: string, due: number, now: number): Promise<number> {
  return tx.run('UPDATE webhook_deliveries SET manual_attempt_at = $2, updated_at = $3 WHERE id = $1', [
    id,
    due,
    now,
  ])
}

/** Deletes at most `limit` attempts that began before `before`. */
export function deleteOldAttempts(tx: WriteTx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)`,
    [before, limit],
  )
}

/** Deletes at most `limit` deliveries that have ended, were made before `before`, and have no attempt left. */
export function deleteOldDeliveries(tx: WriteTx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM webhook_deliveries WHERE id IN
       (SELECT d.id FROM webhook_deliveries d WHERE d.created_at < $1 AND d.next_attempt_at IS NULL
          AND d.manual_attempt_at IS NULL AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = d.id)
        ORDER BY d.created_at, d.id LIMIT $2)`,
    [before, limit],
  )
}

/** Deletes at most `limit` events that were made before `before` and have no delivery left. */
export function deleteOldEvents(tx: WriteTx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM webhook_events WHERE id IN
       (SELECT v.id FROM webhook_events v WHERE v.created_at < $1
          AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = v.id)
        ORDER BY v.created_at, v.id LIMIT $2)`,
    [before, limit],
  )
}
