import { bytesOf, type CleaningBatch, countWithin, type Length } from '#machinery/db/batches.ts'
import type { InstanceReadTx, InstanceWriteTx } from '#machinery/db/port.ts'

/** These queries cover every account at once. They serve the metrics and the cleaning of rows without an account. */

/** Counts the pending deliveries, no further than `limit`. */
export async function countPending(tx: InstanceReadTx, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count
     FROM (SELECT 1 FROM webhook_deliveries d WHERE d.account_id IN (SELECT a.id FROM accounts a)
           AND d.status = 'pending' LIMIT $1) AS slice`,
    [limit],
  )
  return row?.count ?? 0
}

/** Counts the enabled endpoints to which every attempt has failed since `before`. */
export async function countFailing(tx: InstanceReadTx, before: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM webhook_endpoints WHERE enabled = 1 AND failing_since <= $1',
    [before],
  )
  return row?.count ?? 0
}

/** Deletes a batch of the attempts that began before `before`. @returns how many it deleted */
export async function deleteOldAttempts(
  tx: InstanceWriteTx,
  before: number,
  batch: CleaningBatch,
): Promise<number> {
  const old = await tx.all<Length>(
    `SELECT coalesce(octet_length(response), 0) + octet_length(url) AS bytes FROM webhook_attempts
     WHERE created_at < $1 ORDER BY created_at, id LIMIT $2`,
    [before, batch.rows],
  )
  return tx.run(
    `DELETE FROM webhook_attempts WHERE id IN
       (SELECT id FROM webhook_attempts WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)`,
    [before, countWithin(old, bytesOf, batch.bytes)],
  )
}
