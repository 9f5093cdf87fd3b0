import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import { bytesOf, type CleaningBatch, countWithin, type Length } from '#machinery/db/batches.ts'
import type { InstanceWriteTx, WriteTx } from '#machinery/db/port.ts'

/** The service keeps an answer for this many milliseconds (specification section 8). */
export const IDEMPOTENCY_RETENTION = DAY

export interface Outcome {
  status: number
  body: string
}

export interface IdempotentRequest {
  accountId: string
  key: string
  /** The SHA-256 of method, path and raw body, in hex. */
  fingerprint: string
}

export function fingerprint(method: string, path: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex')
}

/**
 * Returns the previous answer to this key, if it is younger than 24 hours.
 *
 * @throws Problem idempotency_key_reused if the key came with another request
 */
export async function findAnswer(tx: WriteTx, request: IdempotentRequest): Promise<Outcome | undefined> {
  const row = await tx.one<Outcome & { fingerprint: string }>(
    `SELECT fingerprint, status, body FROM idempotent_responses
     WHERE account_id = $1 AND idempotency_key = $2 AND created_at > $3`,
    [request.accountId, request.key, tx.clock() - IDEMPOTENCY_RETENTION],
  )
  if (row === undefined) return undefined
  if (row.fingerprint !== request.fingerprint) throw new Problem('idempotency_key_reused')
  return { status: row.status, body: row.body }
}

/**
 * Keeps the answer in the transaction of its change, in the place of one that has expired. The clock dates it, because the clock
 * also decides when it expires.
 *
 * @throws Error if another write that runs side by side has kept an answer to the key
 */
export async function keepAnswer(tx: WriteTx, request: IdempotentRequest, outcome: Outcome): Promise<void> {
  const now = tx.clock()
  const kept = await tx.run(
    `INSERT INTO idempotent_responses (account_id, idempotency_key, fingerprint, status, body, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (account_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
       status = excluded.status, body = excluded.body, created_at = excluded.created_at, updated_at = excluded.updated_at
     WHERE idempotent_responses.created_at <= $7`,
    [
      request.accountId,
      request.key,
      request.fingerprint,
      outcome.status,
      outcome.body,
      now,
      now - IDEMPOTENCY_RETENTION,
    ],
  )
  if (kept === 0) throw new Error('An answer to this key was kept meanwhile.')
}

/** Deletes a batch of the answers up to this instant, in all accounts. @returns how many it deleted */
export async function deleteExpired(
  tx: InstanceWriteTx,
  until: number,
  batch: CleaningBatch,
): Promise<number> {
  const expired = await tx.all<Length>(
    'SELECT octet_length(body) AS bytes FROM idempotent_responses WHERE created_at <= $1 ORDER BY created_at LIMIT $2',
    [until, batch.rows],
  )
  return tx.run(
    `DELETE FROM idempotent_responses WHERE (account_id, idempotency_key) IN
       (SELECT account_id, idempotency_key FROM idempotent_responses WHERE created_at <= $1 ORDER BY created_at LIMIT $2)`,
    [until, countWithin(expired, bytesOf, batch.bytes)],
  )
}
