import { recordedWrite } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import type { Database, ReadTx, WriteTx } from '../db/port.ts'
import { makeFault } from '../faults.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { Problem } from '../problem.ts'
import { checkMapping, type Mapping } from '../statements/mapping.ts'
import { readStatement, type Statement } from '../statements/statement.ts'
import type { Source } from '../tables/encoding.ts'
import { refusal } from '../tables/refusal.ts'
import { keepFile, openKept } from './kept-file.ts'
import { MATCH } from './matching.ts'
import { readLines } from './reading.ts'
import type { Upload, UploadInput } from './schemas.ts'
import * as store from './store.ts'

type Db = Pick<Database, 'read' | 'write'>

/**
 * Takes a file of a bank. Where somebody has said before which column is what, and that fits, its lines are read at once; else it waits
 * for `choose`. No line is matched before `start`.
 *
 * @param name of the file, as people know it
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function upload(db: Db, actor: Actor, source: Source, name: string): Promise<Upload> {
  const { accountId, who: by } = actor
  const { statement, isSaid } = await look(db, accountId, source)
  const input = inputFor(statement, source.size, name)
  const { total } = statement
  const job = { kind: MATCH, eventId: null, input, total, by }
  const { id } = await recordedWrite(db, actor, tx => jobs.prepare(tx, accountId, job), {
    action: 'statement.upload',
    targetType: 'job',
    targetOf: made => made.id,
    details: () => ({ lines: total }),
  })
  await keepFile(db, accountId, id, source)
  await db.write(accountId, tx => jobs.stop(tx, accountId, id))
  if (isSaid && isClear(statement)) await readLines(db, accountId, id, statement)
  return db.read(tx => get(tx, accountId, id))
}

/**
 * Looks what a file is, and keeps nothing.
 *
 * @param said which column is what; without it, as somebody has said before
 * @returns `isSaid` is false where nobody has, and the mapping is the guess
 * @throws Problem as `readStatement`
 */
export async function look(
  db: Pick<Database, 'read'>,
  accountId: string,
  source: Source,
  said?: Mapping,
): Promise<{ statement: Statement; isSaid: boolean }> {
  const { currency, mapping } = await db.read(async tx => ({
    currency: (await accounts.get(tx, accountId)).currency,
    mapping: said ?? (await findMapping(tx, accountId)),
  }))
  return { statement: await readStatement(source, currency, mapping), isSaid: mapping !== undefined }
}

/** Whether the lines can be read by the mapping as it is. */
export function isClear({ unfit, missing, doubts }: Statement): boolean {
  return unfit.length + missing.length + doubts.length === 0
}

function inputFor(statement: Statement, size: number, name: string): UploadInput {
  const { columns, sample, mapping, unfit, encodingGuessed, digest } = statement
  return {
    ...{
      name,
      size,
      digest,
      columns,
      sample: sample.map(cells => cells.map(cell => cell.slice(0, MAX_CELL))),
    },
    ...{ encoding_guessed: encodingGuessed, mapping, unfit, reading: null, counts: null, wrong: [] },
  }
}

/** In characters, of a cell that shows what a column has. */
const MAX_CELL = 200

/** What was said last; undefined where nobody has, yet. */
export async function findMapping(tx: ReadTx, accountId: string): Promise<Mapping | undefined> {
  const kept = await store.findMapping(tx, accountId)
  return kept === undefined ? undefined : (JSON.parse(kept) as Mapping)
}

/**
 * Says which column is what, for this file and those after it, and reads its lines by that.
 *
 * @throws Problem not_found, also for a file whose lines are matched; invalid_parameter with `details.fault` for `mapping.<field>`
 */
export async function choose(db: Db, actor: Actor, id: string, mapping: Mapping): Promise<Upload> {
  const { accountId } = actor
  const { currency, input } = await db.read(async tx => {
    const { isDone, isUnderWay, input } = await get(tx, accountId, id)
    if (isDone || isUnderWay) throw new Problem('not_found')
    return { currency: (await accounts.get(tx, accountId)).currency, input }
  })
  const source = openKept(db, accountId, id, input.size)
  const statement = await readStatement(source, currency, checkMapping(mapping))
  const { unfit, doubts } = statement
  if (unfit.length > 0) throw refusal('mapping', makeFault('otherColumns', { values: unfit }))
  const [doubt] = doubts
  if (doubt !== undefined) throw refusal(`mapping.${doubt}`, makeFault('required'))
  const keep = async (tx: WriteTx) => {
    await jobs.keepInput(tx, accountId, id, { ...input, mapping, unfit: [], counts: null })
    await store.keepMapping(tx, accountId, JSON.stringify(mapping), await tx.now())
  }
  await recordedWrite(db, actor, keep, {
    ...{ action: 'statement.columns', targetType: 'job', targetId: id },
  })
  await readLines(db, accountId, id, statement)
  return db.read(tx => get(tx, accountId, id))
}

/**
 * Has the lines of a file matched, soon. One that is under way goes on.
 *
 * @param by the actor's `who`
 * @throws Problem not_found; invalid_transition with `details.reason` `statement_not_read` before its lines were read
 */
export async function start(tx: WriteTx, accountId: string, id: string, by: string): Promise<Job> {
  const { job, input, isReady, isUnderWay, isDone } = await get(tx, accountId, id)
  if (isUnderWay || isDone) return job
  if (!isReady) throw new Problem('invalid_transition', { details: { reason: 'statement_not_read' } })
  return jobs.restart(tx, accountId, id, { input, by })
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Upload> {
  const job = await jobs.get(tx, accountId, id)
  if (job.kind !== MATCH || job.state === 'preparing') throw new Problem('not_found')
  return toUpload(job)
}

function toUpload(job: Job): Upload {
  const input = job.input as unknown as UploadInput
  const isUnderWay = job.state === 'waiting' || job.state === 'running'
  const isDone = job.state === 'done'
  return { job, input, isUnderWay, isDone, isReady: input.counts !== null && !isUnderWay && !isDone }
}

/** Jobs that are looked at for the latest uploads. */
const LOOKED_AT = 100

/** The file that was taken before, byte for byte, and has not come to its end: among the latest jobs. */
export async function findOpen(tx: ReadTx, accountId: string, digest: string): Promise<Upload | undefined> {
  const latest = await listLatest(tx, accountId, LOOKED_AT)
  return latest.find(({ input, isDone }) => input.digest === digest && !isDone)
}

/** The newest uploads, among the latest jobs. */
export async function listLatest(tx: ReadTx, accountId: string, limit: number): Promise<Upload[]> {
  const found = [...(await jobs.list(tx, accountId, { limit: LOOKED_AT, after: undefined }))]
  return found
    .map(({ resource }) => resource)
    .filter(({ kind, state }) => kind === MATCH && state !== 'preparing')
    .slice(0, limit)
    .map(toUpload)
}
