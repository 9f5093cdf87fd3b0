import { makeFault } from '#base/faults.ts'
import { emailKey } from '#base/fields.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import { BATCH, type Judge, judge, openJudge, tooFewPlaces, type Verdict } from './judge.ts'
import { noteAnswered, noteMissing, noteNew } from './noted.ts'
import { Places, type Taken } from './places.ts'
import type { LineFault } from './read-line.ts'
import type { CheckInput, Counts, ImportLine, LineDetails } from './schemas.ts'

export const CHECK = 'guests.check'

/** At most this many earlier lines with the same e-mail are compared by their names. */
const COMPARED = 5

interface Position {
  line: number
  taken: Taken
}

const NOTHING: Counts = { new: 0, known: 0, wrong: 0, sold_out: 0, added: 0, tickets: 0, twice: 0 }

/** Settles the fate of each line of a table, in their order, as if each took its places. It changes nothing else. */
export const check: JobKind = {
  name: CHECK,
  permission: 'guests.edit',
  async run(tx, job) {
    const { header_line = 0 } = job.input as unknown as CheckInput
    const position: Position =
      job.position === null ? { line: header_line, taken: {} } : JSON.parse(job.position)
    const by = await openJudge(tx, job)
    const places = await Places.read(tx, by.eventId, by.allTypes, position.taken)
    const counts = { ...NOTHING, ...(job.outcome as Partial<Counts> | null) }
    const rows = await sheets.list<LineDetails>(tx, job.id, { after: position.line, ...BATCH })
    // What lines are judged by takes its own time in an event of many types, and must leave some for them.
    const until = performance.now() + tx.batchTime
    let { done } = job
    let { line } = position
    for (const row of rows) {
      if (row.fate === 'added') counts.added++
      else await settle(tx, job.id, by, { line: row, places, counts })
      line = row.line
      done++
      if (performance.now() > until) break
    }
    return {
      position: JSON.stringify({ line, taken: places.taken } satisfies Position),
      done,
      finished: rows.length === 0 || done >= (job.total ?? 0),
      outcome: { ...counts },
    }
  },
}

async function settle(
  tx: WriteTx,
  jobId: string,
  by: Judge,
  { line, places, counts }: { line: ImportLine; places: Places; counts: Counts },
): Promise<void> {
  const verdict = await judge(tx, by, line, jobId)
  const { read = verdict } = verdict
  const reference = read.reference ?? null
  const { email } = verdict
  // Nobody has an address with a NUL, and not every database could keep it.
  const email_key = email === undefined || email.includes('\0') ? null : emailKey(email)
  const same = { jobId, before: line.line, reference, emailKey: email_key }
  const { fate, details } = await compare(tx, verdict, same, { places, extras: by.types.extras })
  counts[fate] = (counts[fate] ?? 0) + 1
  if (by.input.system !== undefined) {
    if (verdict.fate === 'wrong') noteMissing(counts, verdict.missing)
    if (fate === 'new') noteAnswered(counts, by.mapping, line.cells)
  }
  if (fate === 'new') noteNew(counts, details, by.types.extras)
  if (fate !== 'wrong' && details.same_as !== undefined) counts.twice++
  await sheets.setChecked(tx, jobId, { line: line.line, fate, details, reference, email_key })
}

interface Same {
  jobId: string
  before: number
  reference: string | null
  emailKey: string | null
}

/** Compares a verdict with the lines before. They may have the same reference, take the places, or be of the same person. */
async function compare(
  tx: WriteTx,
  verdict: Verdict,
  { jobId, before, reference, emailKey }: Same,
  { places, extras }: { places: Places; extras: ReadonlySet<string> },
): Promise<{ fate: Verdict['fate'] | 'sold_out'; details: LineDetails }> {
  const { fate, details, read } = verdict
  if (read === undefined) return { fate, details }
  if (reference !== null) {
    const same_as = await sheets.findByReference(tx, jobId, reference, before)
    const faults: LineFault[] = [{ field: 'reference', fault: makeFault('twice') }]
    if (same_as !== undefined) return { fate: 'wrong', details: { ...details, faults, same_as } }
  }
  // An extra is of the person whose ticket stands before it.
  const same_as =
    emailKey === null || extras.has(read.type.id)
      ? undefined
      : await findSamePerson(tx, { jobId, before, emailKey }, details)
  const seen = same_as !== undefined ? { ...details, same_as } : details
  if (fate !== 'new') return { fate, details: seen }
  const left = places.take(read.type.id, read.quantity)
  return left === undefined
    ? { fate, details: seen }
    : { fate: 'sold_out', details: tooFewPlaces(seen, left) }
}

/** Returns the nearest earlier line with the same name and e-mail. Who buys for several people names each of them. */
async function findSamePerson(
  tx: WriteTx,
  { jobId, before, emailKey }: { jobId: string; before: number; emailKey: string },
  details: LineDetails,
): Promise<number | undefined> {
  const nameOf = ({ guest }: LineDetails) => (guest?.holder ?? guest?.name)?.toLowerCase()
  const name = nameOf(details)
  const rows = await sheets.listByEmail<LineDetails>(tx, jobId, { emailKey, before, limit: COMPARED })
  return rows.find(row => nameOf(row.details) === name)?.line
}
