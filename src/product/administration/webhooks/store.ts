import { bytesOf, type CleaningBatch, countWithin, type Length } from '#machinery/db/batches.ts'
import { type Page, type Position, readPage } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { AttemptRow } from './delivery/store.ts'
import type { DeliveryStatus } from './states.ts'

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
  /** The current URL of the endpoint. */
  url: string
  /** The URL of the last attempt. It is null before the first. */
  last_url: string | null
  /** The number of the last attempt. It is null for a manual attempt, and before the first. */
  last_number: number | null
  type: string
  status: DeliveryStatus
  attempts: number
  next_attempt_at: number | null
  manual_attempt_at: number | null
  last_status_code: number | null
  last_error: string | null
  created_at: number
}

/** Joins the last recorded attempt. The ids of attempts ascend, so it has the highest id. */
const SELECT_DELIVERY = `SELECT d.id, d.account_id, d.event_id, d.endpoint_id,
  (SELECT e.enabled FROM webhook_endpoints e WHERE e.id = d.endpoint_id) AS endpoint_enabled,
  (SELECT u.url FROM webhook_endpoints u WHERE u.id = d.endpoint_id) AS url,
  l.url AS last_url, l.number AS last_number, d.type, d.status, d.attempts, d.next_attempt_at, d.manual_attempt_at,
  d.last_status_code, d.last_error, d.created_at
  FROM webhook_deliveries d LEFT JOIN webhook_attempts l ON l.id = (SELECT max(a.id) FROM webhook_attempts a
    WHERE a.delivery_id = d.id)`

/** Returns the account of a delivery, for the command line. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT account_id FROM webhook_deliveries WHERE id = $1', [id])
}

export function findDelivery(tx: ReadTx, id: string): Promise<DeliveryRow | undefined> {
  return tx.one(`${SELECT_DELIVERY} WHERE d.account_id = $1 AND d.id = $2`, [tx.accountId, id])
}

/** Lists deliveries, newest first. */
export function listDeliveries(
  tx: ReadTx,
  filters: { endpoint_id?: string | undefined; status?: DeliveryStatus | undefined },
  page: Page,
): Promise<DeliveryRow[]> {
  return readPage(tx, SELECT_DELIVERY, 'd', { account_id: tx.accountId, ...filters }, page)
}

/**
 * Counts the failed deliveries of an endpoint, no further than `limit`. It leaves out pings, which are sent once and which nobody
 * misses.
 */
export async function countFailed(tx: ReadTx, endpointId: string, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM webhook_deliveries d
       WHERE d.endpoint_id = $1 AND d.account_id = $2 AND d.status = 'failed' AND d.type <> 'ping' LIMIT $3) AS slice`,
    [endpointId, tx.accountId, limit],
  )
  return row?.count ?? 0
}

/** Lists only the types of deliveries, newest first. */
export function listTypes(
  tx: ReadTx,
  filters: { endpoint_id: string; status: DeliveryStatus | undefined },
  page: Page,
): Promise<(Position & { type: string })[]> {
  const select = 'SELECT d.id, d.type, d.created_at FROM webhook_deliveries d'
  return readPage(tx, select, 'd', { account_id: tx.accountId, ...filters }, page)
}

/** Counts no further than `limit`. @param since in milliseconds */
export async function countDeliveries(
  tx: ReadTx,
  { endpointId, status, since }: { endpointId: string; status: DeliveryStatus; since: number },
  limit: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM webhook_deliveries d WHERE d.endpoint_id = $1 AND d.account_id = $2 AND d.status = $3
           AND d.created_at >= $4 LIMIT $5) AS slice`,
    [endpointId, tx.accountId, status, since, limit],
  )
  return row?.count ?? 0
}

/** Lists failed deliveries that were made after a row and until an instant in milliseconds, oldest first. */
export function listFailed(
  tx: ReadTx,
  { endpointId, until }: { endpointId: string; until: number },
  after: Position,
  limit: number,
): Promise<Position[]> {
  return tx.all(
    `SELECT d.id, d.created_at FROM webhook_deliveries d
     WHERE d.endpoint_id = $1 AND d.account_id = $2 AND d.status = 'failed' AND (d.created_at, d.id) > ($3, $4)
       AND d.created_at <= $5 ORDER BY d.created_at, d.id LIMIT $6`,
    [endpointId, tx.accountId, after.created_at, after.id, until, limit],
  )
}

/** Returns the envelope that a delivery sends. Each attempt sends the same bytes. */
export function findBody(tx: ReadTx, deliveryId: string): Promise<{ body: string } | undefined> {
  return tx.one(
    `SELECT v.body FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id
     WHERE d.account_id = $1 AND d.id = $2`,
    [tx.accountId, deliveryId],
  )
}

/** Lists the attempts of a delivery, oldest first. */
export function listAttempts(tx: ReadTx, deliveryId: string): Promise<AttemptRow[]> {
  return tx.all(
    `SELECT a.delivery_id, a.number, a.duration_ms, a.status_code, a.error, a.response, a.created_at, a.url
     FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
     WHERE d.account_id = $1 AND d.id = $2 ORDER BY a.created_at, a.id`,
    [tx.accountId, deliveryId],
  )
}

export function requestRetry(tx: WriteTx, id: string, due: number, now: number): Promise<number> {
  return tx.run(
    'UPDATE webhook_deliveries SET manual_attempt_at = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, due, now],
  )
}

/**
 * Deletes at most `limit` attempts of the oldest deliveries of an endpoint, and those of these deliveries that have no attempts
 * left.
 *
 * @returns how many rows it deleted, 0 if nothing is left
 */
export async function deleteDeliveries(tx: WriteTx, endpointId: string, limit: number): Promise<number> {
  const some = `SELECT id FROM webhook_deliveries WHERE account_id = $1 AND endpoint_id = $2
    ORDER BY created_at, id LIMIT $3`
  const attempts = await tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE delivery_id IN (${some}) LIMIT $3)`,
    [tx.accountId, endpointId, limit],
  )
  const deliveries = await tx.run(
    `DELETE FROM webhook_deliveries WHERE id IN (${some})
       AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)`,
    [tx.accountId, endpointId, limit],
  )
  return attempts + deliveries
}

/** Returns whether the account has an event that is older than `before`. No delivery is older than its event. */
export async function hasOldEvents(tx: ReadTx, before: number): Promise<boolean> {
  const older = 'SELECT 1 FROM webhook_events WHERE account_id = $1 AND created_at < $2 LIMIT 1'
  return (await tx.one(older, [tx.accountId, before])) !== undefined
}

/**
 * Goes through a batch of the account's deliveries that follow `after` and were made before `before`, and deletes the ended ones
 * without attempts. The pending ones of a disabled endpoint stay for years, in any number, so each is passed once.
 *
 * @returns the last row of the batch, or undefined at the end
 */
export async function deleteOldDeliveries(
  tx: WriteTx,
  before: number,
  { after, batch }: { after: Position; batch: CleaningBatch },
): Promise<Position | undefined> {
  const some = await tx.all<Position>(
    `SELECT created_at, id FROM webhook_deliveries WHERE account_id = $1 AND (created_at, id) > ($2, $3)
       AND created_at < $4 ORDER BY created_at, id LIMIT $5`,
    [tx.accountId, after.created_at, after.id, before, batch.rows],
  )
  const last = some.at(-1)
  if (last === undefined) return undefined
  await tx.run(
    `DELETE FROM webhook_deliveries WHERE account_id = $1 AND (created_at, id) > ($2, $3) AND (created_at, id) <= ($4, $5)
       AND next_attempt_at IS NULL AND manual_attempt_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)`,
    [tx.accountId, after.created_at, after.id, last.created_at, last.id],
  )
  return last
}

/** Does the same for events, and deletes those without deliveries. */
export async function deleteOldEvents(
  tx: WriteTx,
  before: number,
  { after, batch }: { after: Position; batch: CleaningBatch },
): Promise<Position | undefined> {
  const some = await tx.all<Position & Length>(
    `SELECT created_at, id, octet_length(body) AS bytes FROM webhook_events
     WHERE account_id = $1 AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id LIMIT $5`,
    [tx.accountId, after.created_at, after.id, before, batch.rows],
  )
  const last = some[countWithin(some, bytesOf, batch.bytes) - 1]
  if (last === undefined) return undefined
  await tx.run(
    `DELETE FROM webhook_events WHERE account_id = $1 AND (created_at, id) > ($2, $3) AND (created_at, id) <= ($4, $5)
       AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)`,
    [tx.accountId, after.created_at, after.id, last.created_at, last.id],
  )
  return last
}
