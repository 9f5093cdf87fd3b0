import { createHash } from 'node:crypto'
import { bytesOf, type CleaningBatch, countWithin, type Length } from '../db/batches.ts'
import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { DAY } from '../time.ts'

/** How long an answer is kept, in milliseconds: specification section 8. */
export const IDEMPOTENCY_RETENTION = DAY

export interface Outcome {
  status: number
  body: string
}

export interface IdempotentRequest {
  accountId: string
  key: string
  /** SHA-256 over method, path and raw body, in hex. */
  fingerprint: string
}

export function fingerprint(method: string, path: string, body: Buffer): string {
  return createHash('sha256').update(`${method} ${path}\n`).update(body).digest('hex')
}

/**
 * The previous answer to this key, if it is younger than 24 hours.
 *
 * @throws Problem idempotency_key_reused when the key came with another request
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

/** Keeps the answer, in the transaction of its change. It expires by the clock, so the clock dates it. */
export async function keepAnswer(tx: WriteTx, request: IdempotentRequest, outcome: Outcome): Promise<void> {
  await tx.run(
    `INSERT INTO idempotent_responses (account_id, idempotency_key, fingerprint, status, body, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (account_id, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
       status = excluded.status, body = excluded.body, created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [request.accountId, request.key, request.fingerprint, outcome.status, outcome.body, tx.clock()],
  )
}

/** Deletes a batch of expired answers, over all accounts. @returns how many */
export async function deleteExpired(tx: WriteTx, now: number, batch: CleaningBatch): Promise<number> {
  const oldest = now - IDEMPOTENCY_RETENTION
  const expired = await tx.all<Length>(
    'SELECT octet_length(body) AS bytes FROM idempotent_responses WHERE created_at <= $1 ORDER BY created_at LIMIT $2',
    [oldest, batch.rows],
  )
  return tx.run(
    `DELETE FROM idempotent_responses WHERE (account_id, idempotency_key) IN
       (SELECT account_id, idempotency_key FROM idempotent_responses WHERE created_at <= $1 ORDER BY created_at LIMIT $2)`,
    [oldest, countWithin(expired, bytesOf, batch.bytes)],
  )
}
