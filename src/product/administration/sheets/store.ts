import { bytesOf, type CleaningBatch, countWithin, type Length } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/**
 * A line that is `read` is not checked yet. A `new` line would be added, a `known` line exists already, and a `wrong` or
 * `sold_out` line would be refused. An import has added an `added` line. A `left_out` line says itself that it is void.
 */
export const fates = ['read', 'new', 'known', 'wrong', 'sold_out', 'left_out', 'added'] as const
export type Fate = (typeof fates)[number]

export interface LineRow {
  line: number
  input: string
  fate: Fate
  details: string
  reference: string | null
  email_key: string | null
}

/** This finds the job if it belongs to the account. A line has its account from its job. */
const OF_JOB = 'job_id = (SELECT j.id FROM jobs j WHERE j.account_id = $1 AND j.id = $2)'

export function insert(
  tx: WriteTx,
  jobId: string,
  { line, input }: Pick<LineRow, 'line' | 'input'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO import_lines (job_id, line, input, fate, details, reference, email_key, created_at, updated_at)
     SELECT j.id, $3, $4, 'read', '{}', NULL, NULL, $5, $5 FROM jobs j WHERE j.account_id = $1 AND j.id = $2`,
    [tx.accountId, jobId, line, input, now],
  )
}

export interface LinePage {
  /** The page starts after this line. */
  after: number
  limit: number
  /** The most bytes of the lines. A single line may have more. */
  bytes: number
  /** Lists only the lines with this fate. */
  fate?: Fate | undefined
}

const LINE = 'l.line, l.input, l.fate, l.details, l.reference, l.email_key'

/** Lists lines in the order of the file. */
export async function list(
  tx: ReadTx,
  jobId: string,
  { after, limit, bytes, fate }: LinePage,
): Promise<LineRow[]> {
  const found = `FROM import_lines l WHERE l.${OF_JOB}${fate === undefined ? '' : ' AND l.fate = $5'} AND l.line > $3
    ORDER BY l.line LIMIT $4`
  const paramsFor = (count: number) => [
    tx.accountId,
    jobId,
    after,
    count,
    ...(fate === undefined ? [] : [fate]),
  ]
  const lengths = await tx.all<Length>(`SELECT octet_length(l.input) AS bytes ${found}`, paramsFor(limit))
  if (lengths.length === 0) return []
  return tx.all(`SELECT ${LINE} ${found}`, paramsFor(countWithin(lengths, bytesOf, bytes)))
}

/** Counts the lines after a line that have a fate, up to `most`. */
export async function count(
  tx: ReadTx,
  jobId: string,
  { fate, after, most }: { fate: Fate; after: number; most: number },
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM import_lines l
       WHERE l.${OF_JOB} AND l.fate = $3 AND l.line > $4 LIMIT $5) AS slice`,
    [tx.accountId, jobId, fate, after, most],
  )
  return row?.count ?? 0
}

/** Finds the first line before this one that has the reference. */
export async function findByReference(
  tx: ReadTx,
  jobId: string,
  reference: string,
  before: number,
): Promise<number | undefined> {
  const row = await tx.one<{ line: number }>(
    `SELECT l.line FROM import_lines l WHERE l.${OF_JOB} AND l.reference = $3 AND l.line < $4 ORDER BY l.line LIMIT 1`,
    [tx.accountId, jobId, reference, before],
  )
  return row?.line
}

/** Lists the nearest lines before this one that have the e-mail. */
export function listByEmail(
  tx: ReadTx,
  jobId: string,
  { emailKey, before, limit }: { emailKey: string; before: number; limit: number },
): Promise<Pick<LineRow, 'line' | 'details'>[]> {
  return tx.all(
    `SELECT l.line, l.details FROM import_lines l WHERE l.${OF_JOB} AND l.email_key = $3 AND l.line < $4
     ORDER BY l.line DESC LIMIT $5`,
    [tx.accountId, jobId, emailKey, before, limit],
  )
}

export function setChecked(
  tx: WriteTx,
  jobId: string,
  row: Omit<LineRow, 'input'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE import_lines SET fate = $4, details = $5, reference = $6, email_key = $7, updated_at = $8
     WHERE ${OF_JOB} AND line = $3`,
    [tx.accountId, jobId, row.line, row.fate, row.details, row.reference, row.email_key, now],
  )
}

/** Forgets what a check has found of the lines up to this one: they stand above the header now. */
export function forgetUpTo(tx: WriteTx, jobId: string, line: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE import_lines SET fate = 'read', details = '{}', reference = NULL, email_key = NULL, updated_at = $4
     WHERE ${OF_JOB} AND line <= $3`,
    [tx.accountId, jobId, line, now],
  )
}

export function setFate(
  tx: WriteTx,
  jobId: string,
  { line, fate, details }: Pick<LineRow, 'line' | 'fate' | 'details'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE import_lines SET fate = $4, details = $5, updated_at = $6 WHERE ${OF_JOB} AND line = $3`,
    [tx.accountId, jobId, line, fate, details, now],
  )
}

/**
 * Deletes a batch of the lines of a job.
 *
 * @returns how many it deleted
 */
export async function deleteSome(tx: WriteTx, jobId: string, batch: CleaningBatch): Promise<number> {
  const some = await tx.all<Length & { line: number }>(
    `SELECT l.line, octet_length(l.input) AS bytes FROM import_lines l WHERE l.${OF_JOB} ORDER BY l.line LIMIT $3`,
    [tx.accountId, jobId, batch.rows],
  )
  const last = some[countWithin(some, bytesOf, batch.bytes) - 1]
  if (last === undefined) return 0
  return tx.run(`DELETE FROM import_lines WHERE ${OF_JOB} AND line <= $3`, [tx.accountId, jobId, last.line])
}
