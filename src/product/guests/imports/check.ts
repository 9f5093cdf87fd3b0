import type { WriteTx } from '../db/port.ts'
import { makeFault } from '../faults.ts'
import { emailKey } from '../fields.ts'
import type { JobKind } from '../jobs/rules.ts'
import { BATCH, BATCH_TIME, type Judge, judge, openJudge, tooFewPlaces, type Verdict } from './judge.ts'
import { Places, type Taken } from './places.ts'
import type { LineFault } from './read-line.ts'
import { type Counts, type ImportLine, type LineDetails, presentLine } from './schemas.ts'
import * as store from './store.ts'

export const CHECK = 'guests.check'

/** Of the lines before with the same e-mail, so many are compared by their names. */
const COMPARED = 5

interface Position {
  line: number
  taken: Taken
}

const NOTHING: Counts = { new: 0, known: 0, wrong: 0, sold_out: 0, added: 0, tickets: 0, twice: 0 }

/** Tells the fate of each line of a table, in their order, as if each took its places; changes nothing but that. */
export const check: JobKind = {
  name: CHECK,
  permission: 'guests.edit',
  async run(tx, job, { accountId }) {
    const until = performance.now() + BATCH_TIME
    const position: Position = job.position === null ? { line: 0, taken: {} } : JSON.parse(job.position)
    const by = await openJudge(tx, accountId, job)
    const places = await Places.read(tx, accountId, by.eventId, by.allTypes, position.taken)
    const counts = { ...NOTHING, ...(job.outcome as Partial<Counts> | null) }
    const rows = await store.list(tx, accountId, job.id, { after: position.line, ...BATCH })
    let { done } = job
    let { line } = position
    for (const row of rows) {
      if (row.fate === 'added') counts.added++
      else await settle(tx, accountId, job.id, by, { line: presentLine(row), places, counts })
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
  accountId: string,
  jobId: string,
  by: Judge,
  { line, places, counts }: { line: ImportLine; places: Places; counts: Counts },
): Promise<void> {
  const verdict = await judge(tx, accountId, by, line)
  const reference = verdict.read?.reference ?? null
  const email_key = verdict.email === undefined ? null : emailKey(verdict.email)
  const same = { jobId, before: line.line, reference, emailKey: email_key }
  const { fate, details } = await compare(tx, accountId, verdict, same, places)
  counts[fate]++
  if (fate === 'new') counts.tickets += details.guest?.quantity ?? 0
  if (fate !== 'wrong' && details.same_as !== undefined) counts.twice++
  const row = { line: line.line, fate, details: JSON.stringify(details), reference, email_key }
  await store.setChecked(tx, accountId, jobId, row, await tx.now())
}

interface Same {
  jobId: string
  before: number
  reference: string | null
  emailKey: string | null
}

/** What the lines before make of a verdict: they may have the reference, take the places, or be of the same person. */
async function compare(
  tx: WriteTx,
  accountId: string,
  verdict: Verdict,
  { jobId, before, reference, emailKey }: Same,
  places: Places,
): Promise<{ fate: Verdict['fate'] | 'sold_out'; details: LineDetails }> {
  const { fate, details, read } = verdict
  if (read === undefined) return { fate, details }
  if (reference !== null) {
    const same_as = await store.findByReference(tx, accountId, jobId, reference, before)
    const faults: LineFault[] = [{ field: 'reference', fault: makeFault('twice') }]
    if (same_as !== undefined) return { fate: 'wrong', details: { ...details, faults, same_as } }
  }
  const same_as = emailKey && (await findSamePerson(tx, accountId, { jobId, before, emailKey }, details))
  const seen = same_as ? { ...details, same_as } : details
  if (fate !== 'new') return { fate, details: seen }
  const left = places.take(read.type.id, read.quantity)
  return left === undefined
    ? { fate, details: seen }
    : { fate: 'sold_out', details: tooFewPlaces(seen, left) }
}

/** The nearest line before of the same name and e-mail. */
async function findSamePerson(
  tx: WriteTx,
  accountId: string,
  { jobId, before, emailKey }: { jobId: string; before: number; emailKey: string },
  { guest }: LineDetails,
): Promise<number | undefined> {
  const nameOf = (details: LineDetails) => details.guest?.name.toLowerCase()
  const rows = await store.listByEmail(tx, accountId, jobId, { emailKey, before, limit: COMPARED })
  return rows.find(({ details }) => nameOf(JSON.parse(details)) === guest?.name.toLowerCase())?.line
}
