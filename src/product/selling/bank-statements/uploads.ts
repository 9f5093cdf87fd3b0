import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { checkMapping, type Mapping } from '#machinery/bank-files/mapping.ts'
import { readStatement, type Statement } from '#machinery/bank-files/statement.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { keepFile, openKept } from './kept-file.ts'
import { MATCH } from './matching.ts'
import { readLines } from './reading.ts'
import type { Upload, UploadInput } from './schemas.ts'
import * as store from './store.ts'

type Db = Pick<Database, 'read' | 'write'>

/**
 * Takes a file of a bank. If somebody has chosen the columns before, and they fit, its lines are read at once. Otherwise it waits
 * for `choose`. No line is matched before `start`.
 *
 * @param name the name of the file, as people know it
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, if there is one, `details.line`
 */
export async function upload(db: Db, actor: Actor, source: Source, name: string): Promise<Upload> {
  const { accountId, who: by } = actor
  const { statement, isStated } = await inspect(db, accountId, source)
  const input = inputFor(statement, source.size, name)
  const { total } = statement
  const job = { kind: MATCH, eventId: null, input, total, by }
  const { id } = await recordedWrite(db, actor, tx => jobs.prepare(tx, job), {
    action: 'statement.upload',
    targetType: 'job',
    targetOf: made => made.id,
    details: () => ({ lines: total }),
  })
  await keepFile(db, accountId, id, source)
  await db.write(accountId, tx => jobs.stop(tx, id))
  if (isStated && isClear(statement)) await readLines(db, accountId, id, statement)
  return db.read(accountId, tx => get(tx, id))
}

/**
 * Inspects a file, and stores nothing.
 *
 * @param stated which column is what; without it, the mapping that somebody chose before
 * @returns the statement; `isStated` is false if nobody has chosen a mapping, so that it is a guess
 * @throws Problem those of `readStatement`
 */
export async function inspect(
  db: Pick<Database, 'read'>,
  accountId: string,
  source: Source,
  stated?: Mapping,
): Promise<{ statement: Statement; isStated: boolean }> {
  const { currency, mapping } = await db.read(accountId, async tx => ({
    currency: (await accounts.get(tx)).currency,
    mapping: stated ?? (await findMapping(tx)),
  }))
  return { statement: await readStatement(source, currency, mapping), isStated: mapping !== undefined }
}

/** Tells whether the lines can be read by the mapping as it is. */
export function isClear({ unfit, missing, doubts }: Statement): boolean {
  return unfit.length + missing.length + doubts.length === 0
}

function inputFor(statement: Statement, size: number, name: string): UploadInput {
  const { columns, sample, mapping, unfit, encodingGuessed, digest } = statement
  const most = Math.min(MAX_CELL, Math.ceil(MAX_SAMPLE / columns.length))
  return {
    ...{
      name,
      size,
      digest,
      columns,
      sample: sample.map(cells => cells.map(cell => cell.slice(0, most))),
    },
    ...{ encoding_guessed: encodingGuessed, mapping, unfit, reading: null, counts: null, wrong: [] },
  }
}

/** The most characters of a cell that shows what a column has. */
const MAX_CELL = 200
/** The most characters of all such cells of one line. They are limited because recent uploads are searched together. */
const MAX_SAMPLE = 5_000

/** Returns the mapping that was chosen last, or undefined if nobody has chosen one yet. */
export async function findMapping(tx: ReadTx): Promise<Mapping | undefined> {
  const kept = await store.findMapping(tx)
  return kept === undefined ? undefined : (JSON.parse(kept) as Mapping)
}

/**
 * Stores which column is what, for this file and those after it, and reads its lines by that.
 *
 * @throws Problem not_found, also for a file whose lines are matched; invalid_parameter with `details.fault` for
 *   `mapping.<field>`
 */
export async function choose(db: Db, actor: Actor, id: string, mapping: Mapping): Promise<Upload> {
  const { accountId } = actor
  const { currency, input } = await db.read(accountId, async tx => {
    const { isDone, isUnderWay, input } = await get(tx, id)
    if (isDone || isUnderWay) throw new Problem('not_found')
    return { currency: (await accounts.get(tx)).currency, input }
  })
  const source = openKept(db, accountId, id, input.size)
  const statement = await readStatement(source, currency, checkMapping(mapping))
  const { unfit, doubts } = statement
  if (unfit.length > 0) throw refusal('mapping', makeFault('otherColumns', { values: unfit }))
  const [doubt] = doubts
  if (doubt !== undefined) throw refusal(`mapping.${doubt}`, makeFault('required'))
  const keep = async (tx: WriteTx) => {
    await jobs.keepInput(tx, id, { ...input, mapping, unfit: [], counts: null })
    await store.keepMapping(tx, JSON.stringify(mapping), await tx.now())
  }
  await recordedWrite(db, actor, keep, {
    ...{ action: 'statement.columns', targetType: 'job', targetId: id },
  })
  await readLines(db, accountId, id, statement)
  return db.read(accountId, tx => get(tx, id))
}

/**
 * Starts the matching of the lines of a file. A file whose matching is under way or done stays as it is.
 *
 * @param by the actor's `who`
 * @throws Problem not_found; invalid_transition with `details.reason` `statement_not_read` before its lines were read
 */
export async function start(tx: WriteTx, id: string, by: string): Promise<Job> {
  const { job, input, isReady, isUnderWay, isDone } = await get(tx, id)
  if (isUnderWay || isDone) return job
  if (!isReady) throw new Problem('invalid_transition', { details: { reason: 'statement_not_read' } })
  return jobs.restart(tx, id, { input, by })
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Upload> {
  const job = await jobs.get(tx, id)
  if (job.kind !== MATCH || job.state === 'preparing') throw new Problem('not_found')
  return toUpload(job)
}

function toUpload(job: Job): Upload {
  const input = job.input as unknown as UploadInput
  const isUnderWay = job.state === 'waiting' || job.state === 'running'
  const isDone = job.state === 'done'
  return { job, input, isUnderWay, isDone, isReady: input.counts !== null && !isUnderWay && !isDone }
}

/** How many jobs are searched for the latest uploads. */
const LOOKED_AT = 100

/** Returns the same file, byte for byte, that was uploaded before and is not done. It searches the latest jobs. */
export async function findOpen(tx: ReadTx, digest: string): Promise<Upload | undefined> {
  const latest = await listLatest(tx, LOOKED_AT)
  return latest.find(({ input, isDone }) => input.digest === digest && !isDone)
}

/** Returns the newest uploads among the latest jobs. */
export async function listLatest(tx: ReadTx, limit: number): Promise<Upload[]> {
  const found = [...(await jobs.list(tx, { limit: LOOKED_AT, after: undefined }))]
  return found
    .map(({ resource }) => resource)
    .filter(({ kind, state }) => kind === MATCH && state !== 'preparing')
    .slice(0, limit)
    .map(toUpload)
}
