import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { readErased } from '#product/guests/registrations/person.ts'
import * as reviewers from '#product/programme/reviews/person.ts'
import * as submitters from '#product/programme/submissions/person.ts'
import * as chairs from '#product/programme/timetable/person.ts'
import * as erasing from '#product/selling/orders/erasing.ts'
import { hasEmail, mayHave, redact, registrationOf } from './redaction.ts'
import * as store from './store.ts'

/** One read looks through this many rows, which takes a few milliseconds. */
const READ = 200

/** Says how many copies of each kind contained something about a person. */
export interface ErasedCopies {
  webhook_events: number
  kept_answers: number
  import_lines: number
  jobs: number
  /** E-mails that were sent to the person or are waiting to be sent. */
  emails: number
  /** Orders whose buyer the person was. */
  orders: number
  /** Drafts of abstracts by others that named the person. */
  drafts_of_others: number
  /** Reviewers who have named the person as a conflict of interest. */
  conflicts_of_reviewers: number
  /** Sessions of programmes that named the person as a chair. */
  chaired_sessions: number
}

/**
 * Takes a person out of the copies that are kept beside the rows themselves, once these rows are anonymous. The copies are the
 * bodies of webhooks, sent or not, with the responses of endpoints, answers kept for a retry, lines of imports, the input and
 * outcome of jobs that have ended, e-mails to the person, orders, drafts of others, conflicts that reviewers have named, and the
 * chairs of sessions. This reads all of the copies, because no index knows whom a text is about.
 */
export async function eraseCopies(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  key: string,
): Promise<ErasedCopies> {
  return {
    webhook_events: await eraseEvents(db, accountId, key),
    kept_answers: await eraseAnswers(db, accountId, key),
    import_lines: await eraseLines(db, accountId, key),
    jobs: await eraseJobs(db, accountId, key),
    emails: await eraseEmails(db, accountId, key),
    orders: await db.write(accountId, tx => erasing.erase(tx, key)),
    drafts_of_others: await writeChanges(
      db,
      accountId,
      submitters.redactDrafts(db, accountId, key),
      submitters.replaceDraft,
    ),
    conflicts_of_reviewers: await writeChanges(
      db,
      accountId,
      reviewers.redactConflicts(db, accountId, key),
      reviewers.replaceConflicts,
    ),
    chaired_sessions: await writeChanges(
      db,
      accountId,
      chairs.redactChairs(db, accountId, key),
      chairs.replaceChairs,
    ),
  }
}

/**
 * Takes those who are anonymous by now out of the copies that name a registration by its id: the bodies of webhooks with the
 * responses of endpoints, and answers kept for a retry. Others stay, as does what is kept of these people elsewhere.
 */
export async function eraseCopiesOfErased(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
): Promise<void> {
  await eraseEvents(db, accountId, NOBODY)
  await eraseAnswers(db, accountId, NOBODY)
}

/** This is nobody's e-mail. */
const NOBODY = '\0@'

async function eraseEmails(db: Pick<Database, 'write'>, accountId: string, key: string): Promise<number> {
  let count = 0
  for (let erased = -1; erased !== 0; count += erased) {
    erased = await db.write(accountId, tx => emails.forget(tx, key, READ))
  }
  return count
}

async function eraseEvents(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  const events = inBatches(db, accountId, READ, (tx, last: store.EventRow | undefined, size) =>
    store.listEvents(tx, last, size),
  )
  return writeChanges(db, accountId, redactAll(db, accountId, key, events), async (tx, event) => {
    const now = await tx.now()
    await store.replaceEvent(tx, event, now)
    await store.forgetResponses(tx, event.id, now)
  })
}

async function eraseAnswers(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  const answers = inBatches(db, accountId, READ, (tx, last: store.AnswerRow | undefined, size) =>
    store.listAnswers(tx, last, size),
  )
  return writeChanges(db, accountId, redactAll(db, accountId, key, answers), (tx, answer) =>
    store.replaceAnswer(tx, answer),
  )
}

/** Yields, for each batch, the rows that contain something about the person, with that removed. */
async function* redactAll<Row extends { body: string }>(
  reader: Reader,
  accountId: string,
  key: string,
  batches: AsyncGenerator<Row[]>,
): AsyncGenerator<Row[]> {
  for await (const rows of batches) {
    const ids = new Set(rows.flatMap(({ body }) => registrationOf(body) ?? []))
    const erased = await reader.read(accountId, tx => readErased(tx, [...ids]))
    const isErased = erased.registrations.size + erased.tickets.size > 0
    yield rows.flatMap(row => {
      if (!isErased && !mayHave(row.body, key)) return []
      const body = redact(row.body, key, erased)
      return body === undefined ? [] : [{ ...row, body }]
    })
  }
}

async function eraseLines(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  let count = 0
  for await (const jobs of listJobs(db, accountId)) {
    for (const { id } of jobs) {
      const lines = readLines(db, accountId, id)
      count += await writeChanges(db, accountId, ofPerson(lines, key), async (tx, line) =>
        store.emptyLine(tx, line, await tx.now()),
      )
    }
  }
  return count
}

/** Empties the lines of the imports of an event that have ended. They are about its guests. */
export async function emptyLinesOf(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  eventId: string,
): Promise<void> {
  const ended = inBatches(db, accountId, READ, (tx, last: Position | undefined, size) =>
    store.listEndedOf(tx, eventId, last, size),
  )
  for await (const jobs of ended) {
    for (const { id } of jobs) {
      const lines = filledOf(readLines(db, accountId, id))
      await writeChanges(db, accountId, lines, async (tx, line) => store.emptyLine(tx, line, await tx.now()))
    }
  }
}

async function* filledOf(batches: AsyncGenerator<store.LineRow[]>): AsyncGenerator<store.LineRow[]> {
  for await (const rows of batches) yield rows.filter(({ input }) => input !== '[]')
}

async function* readLines(reader: Reader, accountId: string, jobId: string): AsyncGenerator<store.LineRow[]> {
  const last = await reader.read(accountId, tx => store.findLastLine(tx, jobId))
  for (let line = 1; line <= last; line += READ) {
    yield await reader.read(accountId, tx => store.listLines(tx, jobId, line, line + READ - 1))
  }
}

/** Finds also lines that are not checked yet and those that name the person as an attendee, which no index has. */
async function* ofPerson(
  batches: AsyncGenerator<store.LineRow[]>,
  key: string,
): AsyncGenerator<store.LineRow[]> {
  for await (const rows of batches) {
    yield rows.filter(({ input, details }) => hasEmail(input, key) || mayHave(details, key))
  }
}

async function eraseJobs(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  return writeChanges(db, accountId, endedOf(listJobs(db, accountId), key), async (tx, job) =>
    store.replaceJob(tx, job, await tx.now()),
  )
}

function listJobs(reader: Reader, accountId: string): AsyncGenerator<store.JobRow[]> {
  return inBatches(reader, accountId, READ, (tx, last: store.JobRow | undefined, size) =>
    store.listJobs(tx, last, size),
  )
}

/** Leaves out jobs that are under way, because they still need their input. */
async function* endedOf(
  batches: AsyncGenerator<store.JobRow[]>,
  key: string,
): AsyncGenerator<store.JobRow[]> {
  const without = (text: string) => (mayHave(text, key) ? '{}' : text)
  for await (const rows of batches) {
    yield rows
      .filter(({ state, input, outcome }) => !RUNNING.has(state) && mayHave(`${input}${outcome ?? ''}`, key))
      .map(row => ({ ...row, input: without(row.input), outcome: row.outcome && without(row.outcome) }))
  }
}

const RUNNING: ReadonlySet<string> = new Set(['preparing', 'waiting', 'running'])

/**
 * Writes the rows of all batches.
 *
 * @returns how many rows were changed
 */
async function writeChanges<Row>(
  db: Pick<Database, 'write'>,
  accountId: string,
  batches: AsyncGenerator<Row[]>,
  write: (tx: WriteTx, row: Row) => Promise<unknown>,
): Promise<number> {
  let count = 0
  for await (const rows of batches) {
    if (rows.length === 0) continue
    await db.write(accountId, async tx => {
      for (const row of rows) await write(tx, row)
    })
    count += rows.length
  }
  return count
}
