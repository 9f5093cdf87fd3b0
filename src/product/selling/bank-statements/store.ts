import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'

export const lineStates = ['read', 'matched', 'unmatched', 'ignored'] as const
export type LineState = (typeof lineStates)[number]

/** What became of the money of a line. */
export type LineOutcome = 'confirmed' | 'kept' | 'returned' | 'paid_back'

export interface LineRow {
  id: string
  account_id: string
  key: string
  job_id: string
  line: number
  date: string
  amount: number
  currency: string
  counterparty: string
  text: string
  bank_id: string | null
  state: LineState
  reason: string | null
  outcome: LineOutcome | null
  payment_id: string | null
  refund_id: string | null
  entry_id: string | null
  erased_at: number | null
  created_at: number
  updated_at: number
}

const SELECT = `SELECT s.id, s.account_id, s.key, s.job_id, s.line, s.date, s.amount, s.currency, s.counterparty, s.text,
  s.bank_id, s.state, s.reason, s.outcome, s.payment_id, s.refund_id, s.entry_id, s.erased_at, s.created_at, s.updated_at
  FROM statement_lines s`

export type NewLine = Pick<
  LineRow,
  'id' | 'key' | 'job_id' | 'line' | 'date' | 'amount' | 'currency' | 'counterparty' | 'text' | 'bank_id'
>

/**
 * Keeps a line that was read. One that another file has brought, and that nobody has had matched, is of this file from then on.
 *
 * @returns 0 for one that was dealt with before
 */
export function insert(tx: WriteTx, accountId: string, line: NewLine, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO statement_lines (id, account_id, key, job_id, line, date, amount, currency, counterparty, text, bank_id, state,
       reason, outcome, payment_id, refund_id, entry_id, erased_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'read', NULL, NULL, NULL, NULL, NULL, NULL, $12, $12)
     ON CONFLICT (account_id, key) DO UPDATE SET job_id = excluded.job_id, line = excluded.line, updated_at = excluded.updated_at
       WHERE statement_lines.state = 'read'`,
    [
      line.id,
      accountId,
      line.key,
      line.job_id,
      line.line,
      line.date,
      line.amount,
      line.currency,
      line.counterparty,
      line.text,
      line.bank_id,
      now,
    ],
  )
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<LineRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [accountId, id])
}

/** The lines of a file that are still to be matched, in its order. */
export function listRead(tx: ReadTx, accountId: string, jobId: string, limit: number): Promise<LineRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.job_id = $2 AND s.state = 'read' ORDER BY s.line, s.id LIMIT $3`,
    [accountId, jobId, limit],
  )
}

/** Those of one state, the newest first. */
export function listPage(tx: ReadTx, accountId: string, state: LineState, page: Page): Promise<LineRow[]> {
  return readPage(tx, SELECT, 's', { account_id: accountId, state }, page)
}

/** Counts no further than `most`. */
export async function count(tx: ReadTx, accountId: string, state: LineState, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.state = $2 LIMIT $3) AS slice`,
    [accountId, state, most],
  )
  return row?.count ?? 0
}

/** Lines of the same day and amount that were matched. */
export function listMatched(
  tx: ReadTx,
  accountId: string,
  { date, amount, limit }: { date: string; amount: number; limit: number },
): Promise<LineRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.date = $2 AND s.amount = $3 AND s.state = 'matched' ORDER BY s.id LIMIT $4`,
    [accountId, date, amount, limit],
  )
}

export type LineChanges = Partial<
  Pick<LineRow, 'state' | 'reason' | 'outcome' | 'payment_id' | 'refund_id' | 'entry_id'>
>

/** Changes a line that is in the state in which it was read. @returns 0 where it is not any more */
export function update(tx: WriteTx, was: LineRow, changes: LineChanges, now: number): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE statement_lines SET state = $4, reason = $5, outcome = $6, payment_id = $7, refund_id = $8, entry_id = $9,
       updated_at = $10 WHERE account_id = $1 AND id = $2 AND state = $3`,
    [
      was.account_id,
      was.id,
      was.state,
      row.state,
      row.reason,
      row.outcome,
      row.payment_id,
      row.refund_id,
      row.entry_id,
      now,
    ],
  )
}

/** Deletes some of the lines of a file that were not matched yet. @returns how many */
export function deleteRead(tx: WriteTx, accountId: string, jobId: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM statement_lines WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.job_id = $2
       AND s.state = 'read' ORDER BY s.line, s.id LIMIT $3)`,
    [accountId, jobId, limit],
  )
}

/** Deletes some of the lines that nobody has had matched since `before`. @returns how many */
export function deleteForsaken(
  tx: WriteTx,
  accountId: string,
  before: number,
  limit: number,
): Promise<number> {
  return tx.run(
    `DELETE FROM statement_lines WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.state = 'read'
       AND s.created_at < $2 ORDER BY s.created_at, s.id LIMIT $3)`,
    [accountId, before, limit],
  )
}

/** Takes out of some lines of before `before` that came to nothing whose they are. @returns how many */
export function eraseOld(
  tx: WriteTx,
  accountId: string,
  { before, limit }: { before: number; limit: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE statement_lines SET counterparty = '', text = '', bank_id = NULL, state = 'ignored', erased_at = $4, updated_at = $4
     WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.created_at < $2 AND s.erased_at IS NULL
       AND s.state IN ('unmatched', 'ignored') ORDER BY s.created_at, s.id LIMIT $3)`,
    [accountId, before, limit, now],
  )
}

export async function findMapping(tx: ReadTx, accountId: string): Promise<string | undefined> {
  const row = await tx.one<{ mapping: string }>(
    'SELECT m.mapping FROM statement_mappings m WHERE m.account_id = $1',
    [accountId],
  )
  return row?.mapping
}

export function keepMapping(tx: WriteTx, accountId: string, mapping: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO statement_mappings (account_id, mapping, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (account_id) DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at`,
    [accountId, mapping, now],
  )
}

/** @param content in base64 */
export function insertPart(
  tx: WriteTx,
  accountId: string,
  { jobId, part, content }: { jobId: string; part: number; content: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO statement_files (account_id, job_id, part, content, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [accountId, jobId, part, content, now],
  )
}

export async function findPart(
  tx: ReadTx,
  accountId: string,
  jobId: string,
  part: number,
): Promise<string | undefined> {
  const row = await tx.one<{ content: string }>(
    'SELECT f.content FROM statement_files f WHERE f.account_id = $1 AND f.job_id = $2 AND f.part = $3',
    [accountId, jobId, part],
  )
  return row?.content
}

/** Deletes some parts of a file. @returns how many */
export function deleteParts(tx: WriteTx, accountId: string, jobId: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM statement_files WHERE account_id = $1 AND job_id = $2 AND part IN
       (SELECT f.part FROM statement_files f WHERE f.account_id = $1 AND f.job_id = $2 ORDER BY f.part LIMIT $3)`,
    [accountId, jobId, limit],
  )
}

/** Deletes some of the parts that were kept before `before`. @returns how many */
export async function deleteOldParts(
  tx: WriteTx,
  accountId: string,
  before: number,
  limit: number,
): Promise<number> {
  const row = await tx.one<{ job_id: string }>(
    `SELECT f.job_id FROM statement_files f WHERE f.account_id = $1 AND f.created_at < $2
     ORDER BY f.created_at LIMIT 1`,
    [accountId, before],
  )
  return row === undefined ? 0 : deleteParts(tx, accountId, row.job_id, limit)
}

/** Whether there is a part or a line that was not matched before `undecided`, or a line that came to nothing before `unmatched`. */
export async function hasOld(
  tx: ReadTx,
  accountId: string,
  { undecided, unmatched }: { undecided: number; unmatched: number },
): Promise<boolean> {
  const found =
    (await tx.one('SELECT 1 FROM statement_files f WHERE f.account_id = $1 AND f.created_at < $2 LIMIT 1', [
      accountId,
      undecided,
    ])) ??
    (await tx.one(
      "SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.state = 'read' AND s.created_at < $2 LIMIT 1",
      [accountId, undecided],
    )) ??
    (await tx.one(
      `SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.created_at < $2 AND s.erased_at IS NULL
         AND s.state IN ('unmatched', 'ignored') LIMIT 1`,
      [accountId, unmatched],
    ))
  return found !== undefined
}
