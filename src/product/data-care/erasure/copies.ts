import { inBatches, type Reader } from '../db/batches.ts'
import type { Database, WriteTx } from '../db/port.ts'
import * as emails from '../emails/rules.ts'
import * as erasing from '../orders/erasing.ts'
import { readErased } from '../registrations/person.ts'
import { hasEmail, mayHave, redact, registrationOf } from './redaction.ts'
import * as store from './store.ts'

/** Rows that one read looks through: a few milliseconds. */
const READ = 200

/** How many copies had something of a person. */
export interface ErasedCopies {
  webhook_events: number
  kept_answers: number
  import_lines: number
  jobs: number
  /** Sent to the person, or waiting to be. */
  emails: number
  /** Whose buyer the person was. */
  orders: number
}

/**
 * Takes a person out of what is kept beside the rows themselves, once these are anonymous: the bodies of webhooks, sent or not,
 * with what endpoints have answered; answers kept for a retry; lines of imports; what was said to jobs that have ended; mails to
 * them; orders. It goes
 * through all of it, as no index knows whom a text is about.
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
    orders: await db.write(accountId, tx => erasing.erase(tx, accountId, key)),
  }
}

async function eraseEmails(db: Pick<Database, 'write'>, accountId: string, key: string): Promise<number> {
  let count = 0
  for (let erased = -1; erased !== 0; count += erased) {
    erased = await db.write(accountId, tx => emails.forget(tx, accountId, key, READ))
  }
  return count
}

async function eraseEvents(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  const events = inBatches<store.EventRow>(db, READ, (tx, last, size) =>
    store.listEvents(tx, accountId, last, size),
  )
  return writeChanges(db, accountId, redactAll(db, accountId, key, events), async (tx, event) => {
    const now = await tx.now()
    await store.replaceEvent(tx, accountId, event, now)
    await store.forgetResponses(tx, accountId, event.id, now)
  })
}

async function eraseAnswers(db: Pick<Database, 'read' | 'write'>, accountId: string, key: string) {
  const answers = inBatches<store.AnswerRow>(db, READ, (tx, last, size) =>
    store.listAnswers(tx, accountId, last, size),
  )
  return writeChanges(db, accountId, redactAll(db, accountId, key, answers), (tx, answer) =>
    store.replaceAnswer(tx, accountId, answer),
  )
}

/** Of each batch, those that had something of the person, without it. */
async function* redactAll<Row extends { body: string }>(
  reader: Reader,
  accountId: string,
  key: string,
  batches: AsyncGenerator<Row[]>,
): AsyncGenerator<Row[]> {
  for await (const rows of batches) {
    const ids = new Set(rows.flatMap(({ body }) => registrationOf(body) ?? []))
    const known = await reader.read(tx => readErased(tx, accountId, [...ids]))
    const isKnown = known.registrations.size + known.tickets.size > 0
    yield rows.flatMap(row => {
      if (!isKnown && !mayHave(row.body, key)) return []
      const body = redact(row.body, key, known)
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
        store.emptyLine(tx, accountId, line, await tx.now()),
      )
    }
  }
  return count
}

async function* readLines(reader: Reader, accountId: string, jobId: string): AsyncGenerator<store.LineRow[]> {
  const last = await reader.read(tx => store.findLastLine(tx, accountId, jobId))
  for (let line = 1; line <= last; line += READ) {
    yield await reader.read(tx => store.listLines(tx, accountId, jobId, line, line + READ - 1))
  }
}

/** Also lines that were not checked yet, and those that name the person as an attendee: no index has these. */
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
    store.replaceJob(tx, accountId, job, await tx.now()),
  )
}

function listJobs(reader: Reader, accountId: string): AsyncGenerator<store.JobRow[]> {
  return inBatches<store.JobRow>(reader, READ, (tx, last, size) => store.listJobs(tx, accountId, last, size))
}

/** Jobs under way still need their input. */
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

/** @returns how many rows were changed */
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
