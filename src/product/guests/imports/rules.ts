import { recordedWrite } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import type { CleaningBatch } from '../db/batches.ts'
import type { Database, ReadTx, WriteTx } from '../db/port.ts'
import { makeFault } from '../faults.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { listAnswerKeys, MAX_ANSWER_KEYS } from '../registrations/answer-keys.ts'
import { refusal } from '../tables/refusal.ts'
import { CHECK } from './check.ts'
import { guessColumns, readMapping, type Target } from './columns.ts'
import { IMPORT } from './import.ts'
import { inParts, type Kept } from './parts.ts'
import { type CheckInput, type ImportLine, presentLine } from './schemas.ts'
import * as store from './store.ts'
import { type Fate, fates } from './store.ts'
import type { Table } from './table.ts'

/** Bytes of what the lines of a page say. */
const MAX_READ = 1024 * 1024

/**
 * Keeps the lines of a table for an import into the event, and has them checked at once where its columns can be told by their
 * names. Otherwise the job is `stopped`, and waits for `check`.
 *
 * @param name of the file that it was in, as people know it
 * @throws Problem not_found
 */
export async function upload(
  db: Pick<Database, 'read' | 'write'>,
  actor: Actor,
  eventId: string,
  table: Table,
  name: string | null = null,
): Promise<Job> {
  const { accountId, who: by } = actor
  const { id } = await recordedWrite(db, actor, tx => prepare(tx, accountId, eventId, { table, name, by }), {
    action: 'import.upload',
    targetType: 'job',
    targetOf: job => job.id,
    details: () => ({ event_id: eventId, lines: table.total }),
  })
  const keep = (lines: readonly Kept[]) =>
    db.write(accountId, async tx => {
      const now = await tx.now()
      for (const line of lines) await store.insert(tx, accountId, id, line, now)
    })
  for await (const lines of table.lines()) for (const some of inParts(lines)) await keep(some)
  return db.write(accountId, async tx => {
    const job = await jobs.get(tx, accountId, id)
    if (job.state !== 'preparing') return job
    const input = inputOf(job)
    const isUsable = await validate(tx, accountId, eventId, input).then(
      () => true,
      error => {
        if (error instanceof Problem) return false
        throw error
      },
    )
    return isUsable ? jobs.restart(tx, accountId, id, { input, by }) : jobs.stop(tx, accountId, id)
  })
}

function inputOf({ input }: Job): CheckInput {
  return input as unknown as CheckInput
}

async function prepare(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { table, name, by }: { table: Table; name: string | null; by: string },
): Promise<Job> {
  const types = await registrationTypes.listByEvent(tx, accountId, eventId)
  const input: CheckInput = {
    name,
    headers: table.headers,
    encoding: table.encoding,
    encoding_guessed: table.encodingGuessed,
    digest: table.digest,
    columns: guessColumns(table.headers),
    registration_type_id: types.length === 1 ? (types[0]?.id ?? null) : null,
    import_id: null,
  }
  return jobs.prepare(tx, accountId, { kind: CHECK, eventId, input, total: table.total, by })
}

/** @throws Problem as `check` */
async function validate(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  {
    headers,
    columns,
    registration_type_id,
  }: Pick<CheckInput, 'headers' | 'columns' | 'registration_type_id'>,
): Promise<void> {
  const { fields, answers } = readMapping(headers, columns)
  if (registration_type_id !== null) await registrationTypes.get(tx, accountId, eventId, registration_type_id)
  else if (!fields.has('type')) throw refusal('registration_type_id', makeFault('required'))
  const keys = await listAnswerKeys(tx, accountId, eventId)
  for (const key of answers.keys()) keys.add(key)
  if (answers.size > 0 && keys.size > MAX_ANSWER_KEYS)
    throw refusal('columns', makeFault('answerCount', { max: MAX_ANSWER_KEYS }), {
      reason: 'too_many_answers',
    })
}

/** The job of an upload, once all of its lines are there. @throws Problem not_found */
async function find(tx: ReadTx, accountId: string, id: string): Promise<Job> {
  const job = await jobs.get(tx, accountId, id)
  if (job.kind !== CHECK || job.state === 'preparing') throw new Problem('not_found')
  return job
}

export interface Choice {
  /** What each column is for, in their order: a field, `answer:<key>` or `none`. */
  columns: readonly string[]
  /** The type of the lines that name none. */
  registrationTypeId: string | null
  /** The actor's `who`. */
  by: string
}

/**
 * Has the lines of an upload checked by this choice, from the first on: also while an import of it is under way, or a check by
 * another choice, which ends. What was imported stays so.
 *
 * @throws Problem not_found; invalid_parameter with `details.fault` for `columns`, `columns.<number>`, `columns.name`,
 *   `columns.email` or `registration_type_id`
 */
export async function check(
  tx: WriteTx,
  accountId: string,
  id: string,
  { columns, registrationTypeId, by }: Choice,
): Promise<Job> {
  const job = await find(tx, accountId, id)
  const { import_id, ...table } = inputOf(job)
  const input: CheckInput = {
    ...table,
    columns: columns as Target[],
    registration_type_id: registrationTypeId,
    import_id: null,
  }
  await validate(tx, accountId, job.event_id ?? '', input)
  if (isUnderWay(job) && isSameChoice(input, inputOf(job))) return job
  if (import_id !== null) await jobs.stop(tx, accountId, import_id)
  return jobs.restart(tx, accountId, id, { input, by })
}

function isSameChoice(one: CheckInput, other: CheckInput): boolean {
  const choiceOf = ({ columns, registration_type_id }: CheckInput) => [...columns, registration_type_id]
  return JSON.stringify(choiceOf(one)) === JSON.stringify(choiceOf(other))
}

/**
 * Imports the lines that are `new` by a check that has ended. Asked for again while that goes on, it is the same job; after it was
 * stopped, another that goes on with what is left.
 *
 * @param id of the upload
 * @throws Problem not_found, also before the check has ended
 */
export async function start(tx: WriteTx, accountId: string, id: string, by: string): Promise<Job> {
  const { job, input, imported, left } = await get(tx, accountId, id)
  if (job.state !== 'done') throw new Problem('not_found')
  if (imported !== undefined && isUnderWay(imported)) return imported
  const started = await jobs.start(tx, accountId, {
    kind: IMPORT,
    eventId: job.event_id,
    input: { check_id: id },
    total: left,
    by,
  })
  await jobs.keepInput(tx, accountId, id, { ...input, import_id: started.id })
  return started
}

function isUnderWay({ state }: Job): boolean {
  return state === 'waiting' || state === 'running'
}

/** Stops the check of an upload, or its import; what was imported stays so. @throws Problem not_found */
export async function stop(tx: WriteTx, accountId: string, id: string): Promise<void> {
  const { job, imported } = await get(tx, accountId, id)
  await jobs.stop(tx, accountId, imported?.id ?? job.id)
}

export interface Upload {
  /** The job that checks its lines. */
  job: Job
  input: CheckInput
  /** The last import of them since they were checked. */
  imported: Job | undefined
  /** Lines that an import would still add, once they are checked. */
  left: number
  isUnderWay: boolean
}

/** @param eventId where it must be of this one @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string, eventId?: string): Promise<Upload> {
  const job = await find(tx, accountId, id)
  if (eventId !== undefined && job.event_id !== eventId) throw new Problem('not_found')
  const input = inputOf(job)
  const imported = input.import_id === null ? undefined : await jobs.get(tx, accountId, input.import_id)
  const left = imported === undefined ? Number(job.outcome?.new ?? 0) : (imported.total ?? 0) - imported.done
  return { job, input, imported, left, isUnderWay: isUnderWay(imported ?? job) }
}

/** Jobs that are looked at for the latest uploads of an event. */
const LOOKED_AT = 50

/** The newest uploads of an event, among its latest jobs. */
export async function listLatest(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  limit: number,
): Promise<{ job: Job; input: CheckInput }[]> {
  const found = [...(await jobs.list(tx, accountId, { limit: LOOKED_AT, after: undefined }, eventId))]
  return found
    .map(({ resource }) => resource)
    .filter(({ kind, state }) => kind === CHECK && state !== 'preparing')
    .slice(0, limit)
    .map(job => ({ job, input: inputOf(job) }))
}

/** In the order of the file: a page of them, with a bound on what they say together. @throws Problem not_found */
export async function listLines(
  tx: ReadTx,
  accountId: string,
  id: string,
  page: { after?: number; limit: number; fate?: Fate | undefined },
): Promise<ImportLine[]> {
  await find(tx, accountId, id)
  const rows = await store.list(tx, accountId, id, { after: 0, bytes: MAX_READ, ...page })
  return rows.map(presentLine)
}

/** Of each fate how many lines of an upload have it, and no more than `most`. @throws Problem not_found */
export async function countLines(
  tx: ReadTx,
  accountId: string,
  id: string,
  most = 10_000,
): Promise<Record<Fate, number>> {
  await find(tx, accountId, id)
  const counts: Record<string, number> = {}
  for (const fate of fates) counts[fate] = await store.count(tx, accountId, id, fate, most)
  return counts as Record<Fate, number>
}

/** Deletes a batch of the lines of a job. @returns how many */
export function deleteLines(
  tx: WriteTx,
  accountId: string,
  id: string,
  batch: CleaningBatch,
): Promise<number> {
  return store.deleteSome(tx, accountId, id, batch)
}
