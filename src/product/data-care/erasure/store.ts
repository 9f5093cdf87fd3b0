import { bytesOf, countWithin, type Length } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/** One read takes at most this many bytes of texts. A single text may have more. */
const MOST_BYTES = 2 * 1024 * 1024

export interface EventRow extends Position {
  body: string
}

/** Lists the webhook events of an account after `last`, oldest first. It returns as many of `size` as one read takes. */
export async function listEvents(tx: ReadTx, last: Position | undefined, size: number): Promise<EventRow[]> {
  const after = [tx.accountId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '']
  const where =
    'WHERE v.account_id = $1 AND (v.created_at, v.id) > ($2, $3) ORDER BY v.created_at, v.id LIMIT $4'
  const lengths = await tx.all<Length>(
    `SELECT octet_length(v.body) AS bytes FROM webhook_events v ${where}`,
    [...after, size],
  )
  return tx.all(`SELECT v.id, v.created_at, v.body FROM webhook_events v ${where}`, [
    ...after,
    countWithin(lengths, bytesOf, MOST_BYTES),
  ])
}

export function replaceEvent(
  tx: WriteTx,
  { id, body }: Pick<EventRow, 'id' | 'body'>,
  now: number,
): Promise<number> {
  return tx.run('UPDATE webhook_events SET body = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    body,
    now,
  ])
}

/** Clears the responses of endpoints to an event, because they may repeat what they were sent. */
export function forgetResponses(tx: WriteTx, eventId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE webhook_attempts SET response = NULL, updated_at = $3 WHERE delivery_id IN
       (SELECT d.id FROM webhook_deliveries d WHERE d.event_id = $2 AND d.account_id = $1)`,
    [tx.accountId, eventId, now],
  )
}

export interface AnswerRow {
  idempotency_key: string
  body: string
  created_at: number
}

/** Lists the answers that are kept for retries. */
export async function listAnswers(
  tx: ReadTx,
  last: AnswerRow | undefined,
  size: number,
): Promise<AnswerRow[]> {
  const after = [tx.accountId, last?.idempotency_key ?? '']
  const where = 'WHERE i.account_id = $1 AND i.idempotency_key > $2 ORDER BY i.idempotency_key LIMIT $3'
  const lengths = await tx.all<Length>(
    `SELECT octet_length(i.body) AS bytes FROM idempotent_responses i ${where}`,
    [...after, size],
  )
  return tx.all(`SELECT i.idempotency_key, i.body, i.created_at FROM idempotent_responses i ${where}`, [
    ...after,
    countWithin(lengths, bytesOf, MOST_BYTES),
  ])
}

/** Changes nothing if the key has another answer by now. */
export function replaceAnswer(
  tx: WriteTx,
  { idempotency_key, body, created_at }: AnswerRow,
): Promise<number> {
  return tx.run(
    `UPDATE idempotent_responses SET body = $3 WHERE account_id = $1 AND idempotency_key = $2 AND created_at = $4`,
    [tx.accountId, idempotency_key, body, created_at],
  )
}

export interface JobRow extends Position {
  state: string
  input: string
  outcome: string | null
}

export function listJobs(tx: ReadTx, last: Position | undefined, size: number): Promise<JobRow[]> {
  return tx.all(
    `SELECT j.id, j.created_at, j.state, j.input, j.outcome FROM jobs j
     WHERE j.account_id = $1 AND (j.created_at, j.id) > ($2, $3) ORDER BY j.created_at, j.id LIMIT $4`,
    [tx.accountId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

/** Lists the jobs of an event that have ended, after `last`, oldest first. */
export function listEndedOf(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<Position[]> {
  return tx.all(
    `SELECT j.id, j.created_at FROM jobs j WHERE j.account_id = $1 AND j.event_id = $2
       AND j.state IN ('done', 'failed', 'stopped') AND (j.created_at, j.id) > ($3, $4) ORDER BY j.created_at, j.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', size],
  )
}

export function replaceJob(
  tx: WriteTx,
  { id, input, outcome }: Pick<JobRow, 'id' | 'input' | 'outcome'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE jobs SET input = $3, outcome = $4, updated_at = $5 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, input, outcome, now],
  )
}

export interface LineRow {
  job_id: string
  line: number
  input: string
  details: string
}

/** Returns the number of the last line of an import, or 0 if it has none. */
export async function findLastLine(tx: ReadTx, jobId: string): Promise<number> {
  const row = await tx.one<{ line: number | null }>(
    `SELECT max(l.line) AS line FROM import_lines l
     WHERE l.job_id = (SELECT j.id FROM jobs j WHERE j.id = $2 AND j.account_id = $1)`,
    [tx.accountId, jobId],
  )
  return row?.line ?? 0
}

/** Lists the lines of an import from one number to another, in no particular order. */
export function listLines(tx: ReadTx, jobId: string, from: number, to: number): Promise<LineRow[]> {
  return tx.all(
    `SELECT l.job_id, l.line, l.input, l.details FROM import_lines l
     WHERE l.job_id = (SELECT j.id FROM jobs j WHERE j.id = $2 AND j.account_id = $1) AND l.line >= $3 AND l.line <= $4`,
    [tx.accountId, jobId, from, to],
  )
}

/** Removes all content from a line. Its number and fate stay. */
export function emptyLine(
  tx: WriteTx,
  { job_id, line }: Pick<LineRow, 'job_id' | 'line'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE import_lines SET input = '[]', details = '{}', reference = NULL, email_key = NULL, updated_at = $4
     WHERE job_id = (SELECT j.id FROM jobs j WHERE j.id = $2 AND j.account_id = $1) AND line = $3`,
    [tx.accountId, job_id, line, now],
  )
}
