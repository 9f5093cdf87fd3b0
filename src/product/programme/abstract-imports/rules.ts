import { makeFault } from '#base/faults.ts'
import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { wrong } from '#machinery/tables/lines.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { inParts } from '#product/administration/sheets/parts.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import type { Table } from '#product/administration/sheets/table.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Language } from '#texts/languages.ts'
import { readColumns } from './columns.ts'
import { IMPORT_ABSTRACTS } from './import.ts'
import { type Judge, judge } from './judge.ts'
import type { Counts, ImportInput, ImportLine, LineDetails } from './schemas.ts'

/** An event takes no more abstracts than this, and so does a table. */
const MAX_ABSTRACTS = 5_000
/** The lines of a page have at most this many bytes. */
const MAX_READ = 1024 * 1024

/**
 * Keeps the lines of a table, each with what would come of it. Nothing is added yet: `start` does that.
 *
 * @param name the name of the file, as people know it
 * @throws Problem not_found if the event has no call; invalid_parameter for `file` with `details.fault` or `details.reason`
 */
export async function upload(
  db: Pick<Database, 'read' | 'write'>,
  actor: Actor,
  eventId: string,
  { table, name, language }: { table: Table; name: string | null; language: Language },
): Promise<Job> {
  const { accountId, who: by } = actor
  const call = await db.read(accountId, tx => calls.get(tx, eventId))
  if (!readColumns(table.headers, call).includes('title'))
    throw refusal('file', makeFault('required'), { reason: 'no_title_column' })
  if (table.total > MAX_ABSTRACTS) throw wrong(makeFault('tooManyLines', { max: MAX_ABSTRACTS }))
  const { headers, headerLine: header_line, total } = table
  const input: ImportInput = { name, headers, header_line, language, mailed: false, started: false }
  const job = await recordedWrite(
    db,
    actor,
    tx => jobs.prepare(tx, { kind: IMPORT_ABSTRACTS, eventId, input, total, by }),
    {
      action: 'import.upload',
      targetType: 'job',
      targetOf: ({ id }) => id,
      details: () => ({ event_id: eventId, lines: total }),
    },
  )
  const seen = new Map<string, number>()
  for await (const lines of table.lines()) {
    const below = lines.filter(({ line }) => line > header_line)
    for (const some of inParts(below))
      await db.write(accountId, async tx => {
        for (const kept of some) await keepJudged(tx, job.id, { call, input }, { kept, seen })
      })
  }
  return db.write(accountId, tx => jobs.stop(tx, job.id))
}

/** Keeps a line with its fate. A line that says the same as one before is wrong. */
async function keepJudged(
  tx: WriteTx,
  jobId: string,
  by: Judge,
  { kept, seen }: { kept: { line: number; input: string }; seen: Map<string, number> },
): Promise<void> {
  const { line, input } = kept
  const verdict = await judge(tx, by, { cells: JSON.parse(input) as string[] })
  const same_as = seen.get(verdict.key) ?? line
  seen.set(verdict.key, same_as)
  await sheets.keep(tx, jobId, { line, input })
  const isTwice = same_as !== line && verdict.fate !== 'wrong'
  await sheets.setChecked(tx, jobId, {
    line,
    fate: isTwice ? 'wrong' : verdict.fate,
    details: isTwice ? { same_as } : verdict.details,
    reference: null,
    email_key: verdict.fate === 'new' ? emailKey(verdict.email) : null,
  })
}

export interface Upload {
  job: Job
  input: ImportInput
  counts: Counts
  /** Whether the lines are being added. */
  isUnderWay: boolean
}

/**
 * Returns an upload of an event with the number of its lines by fate.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Upload> {
  const job = await jobs.get(tx, id)
  if (job.kind !== IMPORT_ABSTRACTS || job.event_id !== eventId || job.state === 'preparing')
    throw new Problem('not_found')
  const counts = await sheets.countByFate(tx, id, { after: 0, most: MAX_ABSTRACTS })
  const isUnderWay = job.state === 'waiting' || job.state === 'running'
  return { job, input: job.input as unknown as ImportInput, counts, isUnderWay }
}

/**
 * Adds the lines that are new. A second call while that goes on, or after it, does nothing.
 *
 * @throws Problem not_found, also if no line is new
 */
export async function start(
  tx: WriteTx,
  eventId: string,
  id: string,
  { by, isMailed }: { by: string; isMailed: boolean },
): Promise<Job> {
  const { job, input, counts, isUnderWay } = await get(tx, eventId, id)
  if (isUnderWay || job.state === 'done') return job
  if (counts.new === 0) throw new Problem('not_found')
  return jobs.restart(tx, id, {
    input: { ...input, mailed: isMailed, started: true },
    ...{ by, total: counts.new },
  })
}

/** Returns a page of the lines with a fate, in the order of the table. @throws Problem not_found */
export async function listLines(
  tx: ReadTx,
  id: string,
  page: { after: number; limit: number; fate: ImportLine['fate'] },
): Promise<ImportLine[]> {
  return sheets.list<LineDetails>(tx, id, { bytes: MAX_READ, ...page })
}
