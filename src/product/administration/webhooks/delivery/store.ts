import { newUuid } from '#base/ids.ts'
import type { InstanceReadTx, InstanceWriteTx } from '#machinery/db/port.ts'
import type { DeliveryStatus } from '../states.ts'

/** These are the statements of the delivery loop. It serves every account at once, so none of them names an account. */

/** A delivery with its event and its endpoint, as they are when an attempt begins. */
export interface TargetRow {
  body: string
  url: string
  enabled: 0 | 1
  next_attempt_at: number | null
  manual_attempt_at: number | null
  secret: string
  previous_secret: string | null
  previous_secret_expires_at: number | null
}

/** A delivery whose attempt is due. It has no body, because many deliveries are listed and few are sent at a time. */
export interface DueRow {
  id: string
  account_id: string
  event_id: string
  endpoint_id: string
  type: string
  attempts: number
}

export function findTarget(tx: InstanceReadTx, deliveryId: string): Promise<TargetRow | undefined> {
  return tx.one(
    `SELECT v.body, e.url, e.enabled, d.next_attempt_at, d.manual_attempt_at, e.secret, e.previous_secret,
       e.previous_secret_expires_at
     FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
     JOIN webhook_endpoints e ON e.id = d.endpoint_id WHERE d.id = $1`,
    [deliveryId],
  )
}

/** Lists the enabled endpoints that have something due. */
export function listDueEndpoints(tx: InstanceReadTx, now: number): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT e.id FROM webhook_endpoints e WHERE e.enabled = 1 AND (
       EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.next_attempt_at <= $1)
       OR EXISTS (SELECT 1 FROM webhook_deliveries m WHERE m.endpoint_id = e.id AND m.manual_attempt_at <= $1))`,
    [now],
  )
}

/** Lists the endpoints whose last attempt failed, with the instant since which all attempts have failed. */
export function listFailing(tx: InstanceReadTx): Promise<{ id: string; failing_since: number }[]> {
  return tx.all('SELECT id, failing_since FROM webhook_endpoints WHERE failing_since IS NOT NULL')
}

const DUE = 'SELECT id, account_id, event_id, endpoint_id, type, attempts FROM webhook_deliveries'

export function listDue(
  tx: InstanceReadTx,
  endpointId: string,
  now: number,
  limit: number,
): Promise<DueRow[]> {
  return tx.all(
    `${DUE} WHERE endpoint_id = $1 AND next_attempt_at <= $2 ORDER BY next_attempt_at, id LIMIT $3`,
    [endpointId, now, limit],
  )
}

export function listDueManual(
  tx: InstanceReadTx,
  endpointId: string,
  now: number,
  limit: number,
): Promise<DueRow[]> {
  return tx.all(
    `${DUE} WHERE endpoint_id = $1 AND manual_attempt_at <= $2 ORDER BY manual_attempt_at, id LIMIT $3`,
    [endpointId, now, limit],
  )
}

/**
 * Claims a scheduled attempt until the end of a lease. It changes no row if the attempt is no longer due.
 *
 * @param due the latest instant at which it was due, by the clock, in milliseconds
 */
export function claim(
  tx: InstanceWriteTx,
  id: string,
  { until, due }: { until: number; due: number },
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET next_attempt_at = $2, updated_at = $4 WHERE id = $1 AND next_attempt_at <= $3',
    [id, until, due, now],
  )
}

export function claimManual(
  tx: InstanceWriteTx,
  id: string,
  { until, due }: { until: number; due: number },
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET manual_attempt_at = $2, updated_at = $4 WHERE id = $1 AND manual_attempt_at <= $3',
    [id, until, due, now],
  )
}

/** Releases a claim. The attempt is due again, unless the schedule has ended meanwhile. */
export function release(tx: InstanceWriteTx, id: string, due: number, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET next_attempt_at = $2, updated_at = $3 WHERE id = $1 AND next_attempt_at IS NOT NULL',
    [id, due, now],
  )
}

export function releaseManual(tx: InstanceWriteTx, id: string, due: number, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET manual_attempt_at = $2, updated_at = $3 WHERE id = $1 AND manual_attempt_at IS NOT NULL',
    [id, due, now],
  )
}

export interface DeliveryOutcome {
  id: string
  status: DeliveryStatus
  attempts: number
  next_attempt_at: number | null
  last_status_code: number | null
  last_error: string | null
}

/** Records the end of a scheduled attempt. It changes no row if a manual attempt has ended the delivery meanwhile. */
export function conclude(tx: InstanceWriteTx, outcome: DeliveryOutcome, now: number): Promise<number> {
  return tx.run(
    `UPDATE webhook_deliveries SET status = $2, attempts = $3, next_attempt_at = $4, last_status_code = $5,
       last_error = $6, updated_at = $7 WHERE id = $1 AND status = 'pending'`,
    [
      outcome.id,
      outcome.status,
      outcome.attempts,
      outcome.next_attempt_at,
      outcome.last_status_code,
      outcome.last_error,
      now,
    ],
  )
}

/** Records that a manual attempt succeeded. The schedule ends. */
export function concludeManual(
  tx: InstanceWriteTx,
  id: string,
  statusCode: number | null,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_deliveries SET status = 'succeeded', next_attempt_at = NULL, manual_attempt_at = NULL,
       last_status_code = $2, last_error = NULL, updated_at = $3 WHERE id = $1`,
    [id, statusCode, now],
  )
}

/** Records that a manual attempt failed. The schedule continues as it was. */
export function failManual(
  tx: InstanceWriteTx,
  id: string,
  statusCode: number | null,
  error: string | null,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE webhook_deliveries SET manual_attempt_at = NULL, last_status_code = $2, last_error = $3, updated_at = $4
     WHERE id = $1`,
    [id, statusCode, error, now],
  )
}

export interface AttemptRow {
  delivery_id: string
  /** Null for a manual attempt. */
  number: number | null
  duration_ms: number
  status_code: number | null
  error: string | null
  response: string | null
  created_at: number
  /** The URL of the attempt. */
  url: string
}

/** Inserts nothing if the endpoint was removed meanwhile, and its deliveries with it. */
export function insertAttempt(tx: InstanceWriteTx, attempt: AttemptRow): Promise<number> {
  return tx.run(
    `INSERT INTO webhook_attempts (id, delivery_id, number, duration_ms, status_code, error, response, created_at, updated_at, url)
     SELECT $1, d.id, $3, $4, $5, $6, $7, $8, $8, $9 FROM webhook_deliveries d WHERE d.id = $2`,
    [
      newUuid(),
      attempt.delivery_id,
      attempt.number,
      attempt.duration_ms,
      attempt.status_code,
      attempt.error,
      attempt.response,
      attempt.created_at,
      attempt.url,
    ],
  )
}
