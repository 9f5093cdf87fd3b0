import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import type { Database, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { inParts, type Kept } from '#product/administration/sheets/parts.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import type { Table } from '#product/administration/sheets/table.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listAnswerKeys, MAX_ANSWER_KEYS } from '#product/guests/registrations/answer-keys.ts'
import { CHECK } from './check.ts'
import { readUnder } from './choose-header.ts'
import { guessColumns, readMapping, type Target } from './columns.ts'
import { IMPORT } from './import.ts'
import { toKnownQuestions } from './known-questions.ts'
import type { CheckInput, ImportLine, LineDetails } from './schemas.ts'
import { findSystem } from './systems.ts'

/** The lines of a page have at most this many bytes. */
const MAX_READ = 1024 * 1024

/**
 * Keeps the lines of a table for an import into the event. It starts the check at once if the names of the columns tell what they
 * fill. Otherwise the job is `stopped` and waits for `check`.
 *
 * @param name the name of the file, as people know it
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
  const { id } = await recordedWrite(db, actor, tx => prepare(tx, eventId, { table, name, by }), {
    action: 'import.upload',
    targetType: 'job',
    targetOf: job => job.id,
    details: () => ({ event_id: eventId, lines: table.total }),
  })
  const keep = (lines: readonly Kept[]) =>
    db.write(accountId, async tx => {
      for (const line of lines) await sheets.keep(tx, id, line)
    })
  for await (const lines of table.lines()) for (const some of inParts(lines)) await keep(some)
  return db.write(accountId, async tx => {
    const job = await jobs.get(tx, id)
    if (job.state !== 'preparing') return job
    const input = inputOf(job)
    const isUsable = await validate(tx, eventId, input).then(
      () => true,
      error => {
        if (error instanceof Problem) return false
        throw error
      },
    )
    return isUsable ? jobs.restart(tx, id, { input, by }) : jobs.stop(tx, id)
  })
}

function inputOf({ input }: Job): CheckInput {
  return input as unknown as CheckInput
}

async function prepare(
  tx: WriteTx,
  eventId: string,
  { table, name, by }: { table: Table; name: string | null; by: string },
): Promise<Job> {
  const types = await registrationTypes.listTickets(tx, eventId)
  const system = findSystem(table.headers)
  const columns = guessColumns(table.headers)
  const input: CheckInput = {
    name,
    headers: table.headers,
    ...(system === undefined ? {} : { system }),
    header_line: table.headerLine,
    lines: table.kept,
    encoding: table.encoding,
    encoding_guessed: table.encodingGuessed,
    digest: table.digest,
    columns: system === undefined ? columns : await toKnownQuestions(tx, eventId, table.headers, columns),
    // Each line of an export names its own type.
    registration_type_id: types.length === 1 && system === undefined ? (types[0]?.id ?? null) : null,
    import_id: null,
  }
  return jobs.prepare(tx, { kind: CHECK, eventId, input, total: table.total, by })
}

/**
 * Validates the choice of columns and type.
 *
 * @throws Problem as `check`
 */
async function validate(
  tx: ReadTx,
  eventId: string,
  {
    headers,
    columns,
    registration_type_id,
  }: Pick<CheckInput, 'headers' | 'columns' | 'registration_type_id'>,
): Promise<void> {
  const { fields, answers } = readMapping(headers, columns)
  if (registration_type_id !== null) await registrationTypes.get(tx, eventId, registration_type_id)
  else if (!fields.has('type')) throw refusal('registration_type_id', makeFault('required'))
  const keys = await listAnswerKeys(tx, eventId)
  for (const key of answers.keys()) keys.add(key)
  if (answers.size > 0 && keys.size > MAX_ANSWER_KEYS)
    throw refusal('columns', makeFault('answerCount', { max: MAX_ANSWER_KEYS }), {
      reason: 'too_many_answers',
    })
}

/**
 * Returns the job of an upload once all of its lines are kept.
 *
 * @throws Problem not_found
 */
async function find(tx: ReadTx, id: string): Promise<Job> {
  const job = await jobs.get(tx, id)
  if (job.kind !== CHECK || job.state === 'preparing') throw new Problem('not_found')
  return job
}

export interface Choice {
  /** The line that names the columns. It stays the same if this is absent. */
  headerLine?: number | undefined
  /** What each column fills, in their order: a field, `answer:<key>` or `none`. */
  columns: readonly string[]
  /** The type of the lines that name none. */
  registrationTypeId: string | null
  /** The actor's `who`. */
  by: string
}

/**
 * Starts a check of the lines of an upload by this choice, from the first line on. It may also run while an import of the upload
 * is under way. A check by another choice ends. Lines that were imported stay imported.
 *
 * @throws Problem not_found; invalid_parameter with `details.fault` for `columns`, `columns.<number>`, `columns.name`,
 *   `columns.email`, `registration_type_id` or `header_line`
 */
export async function check(
  tx: WriteTx,
  id: string,
  { headerLine, columns, registrationTypeId, by }: Choice,
): Promise<Job> {
  const job = await find(tx, id)
  const { import_id, ...table } = inputOf(job)
  const { above, ...headed } = await readUnder(tx, id, table, headerLine)
  const input: CheckInput = {
    ...headed,
    columns: columns as Target[],
    registration_type_id: registrationTypeId,
    import_id: null,
  }
  await validate(tx, job.event_id ?? '', input)
  if (isUnderWay(job) && isSameChoice(input, inputOf(job))) return job
  if (import_id !== null) await jobs.stop(tx, import_id)
  if (above === undefined) return jobs.restart(tx, id, { input, by })
  await sheets.forgetUpTo(tx, id, input.header_line ?? 0)
  return jobs.restart(tx, id, { input, by, total: (input.lines ?? 0) - above })
}

function isSameChoice(one: CheckInput, other: CheckInput): boolean {
  const choiceOf = ({ header_line, columns, registration_type_id }: CheckInput) => [
    header_line,
    ...columns,
    registration_type_id,
  ]
  return JSON.stringify(choiceOf(one)) === JSON.stringify(choiceOf(other))
}

/**
 * Imports the lines that are `new` by a check that has ended. A second call while the import runs returns the same job. After a
 * stop, it returns another job that goes on with what is left.
 *
 * @param id the id of the upload
 * @throws Problem not_found, also before the check has ended
 */
export async function start(tx: WriteTx, id: string, by: string): Promise<Job> {
  const { job, input, imported, left } = await get(tx, id)
  if (job.state !== 'done') throw new Problem('not_found')
  if (imported !== undefined && isUnderWay(imported)) return imported
  const started = await jobs.start(tx, {
    kind: IMPORT,
    eventId: job.event_id,
    input: { check_id: id },
    total: left,
    by,
  })
  await jobs.keepInput(tx, id, { ...input, import_id: started.id })
  return started
}

function isUnderWay({ state }: Job): boolean {
  return state === 'waiting' || state === 'running'
}

/**
 * Stops the check of an upload, or its import. Lines that were imported stay imported.
 *
 * @throws Problem not_found
 */
export async function stop(tx: WriteTx, id: string): Promise<void> {
  const { job, imported } = await get(tx, id)
  await jobs.stop(tx, imported?.id ?? job.id)
}

export interface Upload {
  /** The job that checks its lines. */
  job: Job
  input: CheckInput
  /** The last import of the lines since they were checked. */
  imported: Job | undefined
  /** How many lines an import would still add, once they are checked. */
  left: number
  isUnderWay: boolean
}

/**
 * Returns an upload.
 *
 * @param eventId the event that it must belong to, if it is given
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string, eventId?: string): Promise<Upload> {
  const job = await find(tx, id)
  if (eventId !== undefined && job.event_id !== eventId) throw new Problem('not_found')
  const input = inputOf(job)
  const imported = input.import_id === null ? undefined : await jobs.get(tx, input.import_id)
  const left = imported === undefined ? Number(job.outcome?.new ?? 0) : (imported.total ?? 0) - imported.done
  return { job, input, imported, left, isUnderWay: isUnderWay(imported ?? job) }
}

/** Finding the latest uploads of an event looks at this many of its jobs. */
const LOOKED_AT = 50

/** Returns the newest uploads of an event, among its latest jobs. */
export async function listLatest(
  tx: ReadTx,
  eventId: string,
  limit: number,
): Promise<{ job: Job; input: CheckInput }[]> {
  const found = [...(await jobs.list(tx, { limit: LOOKED_AT, after: undefined }, eventId))]
  return found
    .map(({ resource }) => resource)
    .filter(({ kind, state }) => kind === CHECK && state !== 'preparing')
    .slice(0, limit)
    .map(job => ({ job, input: inputOf(job) }))
}

/**
 * Returns a page of the lines below the header in the order of the file, with a bound on the bytes that they have together.
 *
 * @throws Problem not_found
 */
export async function listLines(
  tx: ReadTx,
  id: string,
  page: { after?: number; limit: number; fate?: ImportLine['fate'] | undefined },
): Promise<ImportLine[]> {
  const { header_line = 0 } = inputOf(await find(tx, id))
  const after = Math.max(page.after ?? 0, header_line)
  return sheets.list<LineDetails>(tx, id, { bytes: MAX_READ, ...page, after })
}

/**
 * Counts the lines of an upload below its header by fate, each up to `most`.
 *
 * @throws Problem not_found
 */
export async function countLines(
  tx: ReadTx,
  id: string,
  most = 10_000,
): Promise<Record<ImportLine['fate'], number>> {
  const { header_line: after = 0 } = inputOf(await find(tx, id))
  return sheets.countByFate(tx, id, { after, most })
}
