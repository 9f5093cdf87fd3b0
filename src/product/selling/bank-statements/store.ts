import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export const lineStates = ['read', 'matched', 'unmatched', 'ignored'] as const
export type LineState = (typeof lineStates)[number]

/** What became of the money of a line. */
export type LineOutcome = 'confirmed' | 'kept' | 'returned' | 'paid_back' | 'paid_out'

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
  payout_id: string | null
  entry_id: string | null
  erased_at: number | null
  created_at: number
  updated_at: number
}

const SELECT = `SELECT s.id, s.account_id, s.key, s.job_id, s.line, s.date, s.amount, s.currency, s.counterparty, s.text,
  s.bank_id, s.state, s.reason, s.outcome, s.payment_id, s.refund_id, s.payout_id, s.entry_id, s.erased_at, s.created_at, s.updated_at
  FROM statement_lines s`

export type NewLine = Pick<
  LineRow,
  'id' | 'key' | 'job_id' | 'line' | 'date' | 'amount' | 'currency' | 'counterparty' | 'text' | 'bank_id'
>

/**
 * Inserts a line that was read. If another file has brought the line and it is not matched yet, the line belongs to this file
 * from then on.
 *
 * @returns 0 for a line that was dealt with before
 */
export function insert(tx: WriteTx, line: NewLine, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO statement_lines (id, account_id, key, job_id, line, date, amount, currency, counterparty, text, bank_id, state,
       reason, outcome, payment_id, refund_id, payout_id, entry_id, erased_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'read', NULL, NULL, NULL, NULL, NULL, NULL, NULL, $12, $12)
     ON CONFLICT (account_id, key) DO UPDATE SET job_id = excluded.job_id, line = excluded.line, updated_at = excluded.updated_at
       WHERE statement_lines.state = 'read'`,
    [
      line.id,
      tx.accountId,
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

export function find(tx: ReadTx, id: string): Promise<LineRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, id])
}

/** Returns the lines of a file that are still to be matched, in the order of the file. */
export function listRead(tx: ReadTx, jobId: string, limit: number): Promise<LineRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.job_id = $2 AND s.state = 'read' ORDER BY s.line, s.id LIMIT $3`,
    [tx.accountId, jobId, limit],
  )
}

/** Returns the lines of one state, the newest first. */
export function listPage(tx: ReadTx, state: LineState, page: Page): Promise<LineRow[]> {
  return readPage(tx, SELECT, 's', { account_id: tx.accountId, state }, page)
}

/** Counts no further than `most`. */
export async function count(tx: ReadTx, state: LineState, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.state = $2 LIMIT $3) AS slice`,
    [tx.accountId, state, most],
  )
  return row?.count ?? 0
}

/** Returns matched lines of the same day and amount. */
export function listMatched(
  tx: ReadTx,
  { date, amount, limit }: { date: string; amount: number; limit: number },
): Promise<LineRow[]> {
  return tx.all(
    `${SELECT} WHERE s.account_id = $1 AND s.date = $2 AND s.amount = $3 AND s.state = 'matched' ORDER BY s.id LIMIT $4`,
    [tx.accountId, date, amount, limit],
  )
}

export type LineChanges = Partial<
  Pick<LineRow, 'state' | 'reason' | 'outcome' | 'payment_id' | 'refund_id' | 'payout_id' | 'entry_id'>
>

/** Changes a line if it is still in the state in which it was read. @returns 0 if it is not */
export function update(tx: WriteTx, was: LineRow, changes: LineChanges, now: number): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE statement_lines SET state = $4, reason = $5, outcome = $6, payment_id = $7, refund_id = $8, payout_id = $9,
       entry_id = $10, updated_at = $11 WHERE account_id = $1 AND id = $2 AND state = $3`,
    [
      was.account_id,
      was.id,
      was.state,
      row.state,
      row.reason,
      row.outcome,
      row.payment_id,
      row.refund_id,
      row.payout_id,
      row.entry_id,
      now,
    ],
  )
}

/** Deletes some lines of a file that were not matched yet. @returns how many */
export function deleteRead(tx: WriteTx, jobId: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM statement_lines WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.job_id = $2
       AND s.state = 'read' ORDER BY s.line, s.id LIMIT $3)`,
    [tx.accountId, jobId, limit],
  )
}

/** Deletes some lines from before `before` that nobody has had matched. @returns how many */
export function deleteAbandoned(tx: WriteTx, before: number, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM statement_lines WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.state = 'read'
       AND s.created_at < $2 ORDER BY s.created_at, s.id LIMIT $3)`,
    [tx.accountId, before, limit],
  )
}

/** Removes names and texts from some unmatched or ignored lines from before `before`. @returns how many */
export function eraseOld(
  tx: WriteTx,
  { before, limit }: { before: number; limit: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE statement_lines SET counterparty = '', text = '', bank_id = NULL, state = 'ignored', erased_at = $4, updated_at = $4
     WHERE id IN (SELECT s.id FROM statement_lines s WHERE s.account_id = $1 AND s.created_at < $2 AND s.erased_at IS NULL
       AND s.state IN ('unmatched', 'ignored') ORDER BY s.created_at, s.id LIMIT $3)`,
    [tx.accountId, before, limit, now],
  )
}

export async function findMapping(tx: ReadTx): Promise<string | undefined> {
  const row = await tx.one<{ mapping: string }>(
    'SELECT m.mapping FROM statement_mappings m WHERE m.account_id = $1',
    [tx.accountId],
  )
  return row?.mapping
}

export function keepMapping(tx: WriteTx, mapping: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO statement_mappings (account_id, mapping, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (account_id) DO UPDATE SET mapping = excluded.mapping, updated_at = excluded.updated_at`,
    [tx.accountId, mapping, now],
  )
}

/** @param content in base64 */
export function insertPart(
  tx: WriteTx,
  { jobId, part, content }: { jobId: string; part: number; content: string },
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO statement_files (account_id, job_id, part, content, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [tx.accountId, jobId, part, content, now],
  )
}

export async function findPart(tx: ReadTx, jobId: string, part: number): Promise<string | undefined> {
  const row = await tx.one<{ content: string }>(
    'SELECT f.content FROM statement_files f WHERE f.account_id = $1 AND f.job_id = $2 AND f.part = $3',
    [tx.accountId, jobId, part],
  )
  return row?.content
}

/** Deletes some parts of a file. @returns how many */
export function deleteParts(tx: WriteTx, jobId: string, limit: number): Promise<number> {
  return tx.run(
    `DELETE FROM statement_files WHERE account_id = $1 AND job_id = $2 AND part IN
       (SELECT f.part FROM statement_files f WHERE f.account_id = $1 AND f.job_id = $2 ORDER BY f.part LIMIT $3)`,
    [tx.accountId, jobId, limit],
  )
}

/** Deletes some parts of a file that was stored before `before`. @returns how many */
export async function deleteOldParts(tx: WriteTx, before: number, limit: number): Promise<number> {
  const row = await tx.one<{ job_id: string }>(
    `SELECT f.job_id FROM statement_files f WHERE f.account_id = $1 AND f.created_at < $2
     ORDER BY f.created_at LIMIT 1`,
    [tx.accountId, before],
  )
  return row === undefined ? 0 : deleteParts(tx, row.job_id, limit)
}

/** Tells whether there is a part of a file from before this instant. */
export function hasOldParts(tx: ReadTx, before: number): Promise<boolean> {
  const old = 'SELECT 1 FROM statement_files f WHERE f.account_id = $1 AND f.created_at < $2 LIMIT 1'
  return exists(tx, old, before)
}

/** Tells whether there is a line from before this instant that nobody has had matched. */
export function hasAbandoned(tx: ReadTx, before: number): Promise<boolean> {
  const old =
    "SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.state = 'read' AND s.created_at < $2 LIMIT 1"
  return exists(tx, old, before)
}

/** Tells whether there is an unmatched or ignored line from before this instant that still names people. */
export function hasUnerased(tx: ReadTx, before: number): Promise<boolean> {
  const old = `SELECT 1 FROM statement_lines s WHERE s.account_id = $1 AND s.created_at < $2 AND s.erased_at IS NULL
    AND s.state IN ('unmatched', 'ignored') LIMIT 1`
  return exists(tx, old, before)
}

async function exists(tx: ReadTx, query: string, before: number): Promise<boolean> {
  return (await tx.one(query, [tx.accountId, before])) !== undefined
}
