import { bytesOf, countWithin, type Length, type Share } from '../db/batches.ts'
import { type Position, readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { DeliveryStatus } from './delivery/store.ts'
import { type DeliveryRow, SELECT_DELIVERY } from './store.ts'

/** What is asked over every account at once: by the command line, the metrics and housekeeping. */

/** Newest first. */
export function listDeliveries(
  tx: ReadTx,
  filters: { endpoint_id?: string | undefined; status?: DeliveryStatus | undefined },
  limit: number,
): Promise<DeliveryRow[]> {
  return readPage(tx, SELECT_DELIVERY, 'd', filters, { limit })
}

/** Counts no further than `limit`. */
export async function countPending(tx: ReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM webhook_deliveries WHERE status = 'pending' LIMIT $1) AS slice`,
    [limit],
  )
  return row?.count ?? 0
}

/** Deletes a share of the attempts that began before `before`. @returns how many */
export async function deleteOldAttempts(tx: WriteTx, before: number, share: Share): Promise<number> {
  const old = await tx.all<Length>(
    `SELECT coalesce(octet_length(response), 0) AS bytes FROM webhook_attempts WHERE created_at < $1
     ORDER BY created_at, id LIMIT $2`,
    [before, share.rows],
  )
  return tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)`,
    [before, countWithin(old, bytesOf, share.bytes)],
  )
}

/**
 * Of the share of deliveries after `after` that were made before `before`, deletes those that have ended and have no attempt
 * left. Pending ones of a disabled endpoint stay for years, in any number: each is passed once.
 *
 * @returns the last that was looked at; undefined at the end
 */
export async function deleteOldDeliveries(
  tx: WriteTx,
  before: number,
  after: Position,
  share: Share,
): Promise<Position | undefined> {
  const some = await tx.all<Position>(
    `SELECT created_at, id FROM webhook_deliveries WHERE (created_at, id) > ($1, $2) AND created_at < $3
     ORDER BY created_at, id LIMIT $4`,
    [after.created_at, after.id, before, share.rows],
  )
  const last = some.at(-1)
  if (last === undefined) return undefined
  await tx.run(
    `DELETE FROM webhook_deliveries WHERE (created_at, id) > ($1, $2) AND (created_at, id) <= ($3, $4)
       AND next_attempt_at IS NULL AND manual_attempt_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM webhook_attempts a WHERE a.delivery_id = webhook_deliveries.id)`,
    [after.created_at, after.id, last.created_at, last.id],
  )
  return last
}

/** The same for events, of which those go that have no delivery left. */
export async function deleteOldEvents(
  tx: WriteTx,
  before: number,
  after: Position,
  share: Share,
): Promise<Position | undefined> {
  const some = await tx.all<Position & Length>(
    `SELECT created_at, id, octet_length(body) AS bytes FROM webhook_events
     WHERE (created_at, id) > ($1, $2) AND created_at < $3 ORDER BY created_at, id LIMIT $4`,
    [after.created_at, after.id, before, share.rows],
  )
  const last = some[countWithin(some, bytesOf, share.bytes) - 1]
  if (last === undefined) return undefined
  await tx.run(
    `DELETE FROM webhook_events WHERE (created_at, id) > ($1, $2) AND (created_at, id) <= ($3, $4)
       AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = webhook_events.id)`,
    [after.created_at, after.id, last.created_at, last.id],
  )
  return last
}
