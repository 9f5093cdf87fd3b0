import type { CleaningBatch } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Kept } from './parts.ts'
import * as store from './store.ts'
import { type Fate, fates } from './store.ts'

/** A line of a table that was uploaded for a job, and what becomes of it. */
export interface Line<Details> {
  line: number
  cells: string[]
  fate: Fate
  details: Details
}

/** Keeps a line of a table as it is. It is `read` then. */
export async function keep(tx: WriteTx, jobId: string, line: Kept): Promise<void> {
  await store.insert(tx, jobId, line, await tx.now())
}

/** Lists lines in the order of the table. */
export async function list<Details>(
  tx: ReadTx,
  jobId: string,
  page: store.LinePage,
): Promise<Line<Details>[]> {
  return (await store.list(tx, jobId, page)).map(({ line, input, fate, details }) => ({
    ...{ line, cells: JSON.parse(input) as string[], fate },
    details: JSON.parse(details) as Details,
  }))
}

/** Counts the lines after a line by fate, each up to `most`. */
export async function countByFate(
  tx: ReadTx,
  jobId: string,
  { after, most }: { after: number; most: number },
): Promise<Record<Fate, number>> {
  const counts: Record<string, number> = {}
  for (const fate of fates) counts[fate] = await store.count(tx, jobId, { fate, after, most })
  return counts as Record<Fate, number>
}

/** Finds the first line before this one that has the reference. */
export function findByReference(
  tx: ReadTx,
  jobId: string,
  reference: string,
  before: number,
): Promise<number | undefined> {
  return store.findByReference(tx, jobId, reference, before)
}

/** Lists the nearest lines before this one that have the e-mail. */
export async function listByEmail<Details>(
  tx: ReadTx,
  jobId: string,
  of: { emailKey: string; before: number; limit: number },
): Promise<Pick<Line<Details>, 'line' | 'details'>[]> {
  const rows = await store.listByEmail(tx, jobId, of)
  return rows.map(({ line, details }) => ({ line, details: JSON.parse(details) as Details }))
}

interface Checked {
  line: number
  fate: Fate
  details: object
  /** Of the thing that the line is about, where it has one of its own. */
  reference: string | null
  email_key: string | null
}

/** Notes what a check has found of a line. */
export async function setChecked(tx: WriteTx, jobId: string, checked: Checked): Promise<void> {
  const row = { ...checked, details: JSON.stringify(checked.details) }
  await store.setChecked(tx, jobId, row, await tx.now())
}

/** Notes what became of a line. */
export async function setFate(
  tx: WriteTx,
  jobId: string,
  { line, fate, details }: Pick<Checked, 'line' | 'fate' | 'details'>,
): Promise<void> {
  await store.setFate(tx, jobId, { line, fate, details: JSON.stringify(details) }, await tx.now())
}

/** Forgets what a check has found of the lines up to this one: they stand above the header now. */
export async function forgetUpTo(tx: WriteTx, jobId: string, line: number): Promise<void> {
  await store.forgetUpTo(tx, jobId, line, await tx.now())
}

/**
 * Deletes a batch of the lines of a job.
 *
 * @returns how many it deleted
 */
export function deleteLines(tx: WriteTx, id: string, batch: CleaningBatch): Promise<number> {
  return store.deleteSome(tx, id, batch)
}
