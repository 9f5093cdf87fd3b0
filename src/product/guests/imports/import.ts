import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as sheets from '#product/administration/sheets/rules.ts'
import { MAX_ANSWER_KEYS } from '#product/guests/registrations/answer-keys.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { BATCH, type Judge, judge, openJudge, tooFewPlaces } from './judge.ts'
import type { Counts, ImportInput, ImportLine, LineDetails } from './schemas.ts'

export const IMPORT = 'guests.import'

/** A batch reads no more lines than it may add in its time, which are fewer than those that a check looks at. */
const ADDED_AT_ONCE = { ...BATCH, limit: 16 }

type Settled = Pick<Counts, 'added' | 'known' | 'wrong' | 'sold_out' | 'left_out'>

const NOTHING: Settled = { added: 0, known: 0, wrong: 0, sold_out: 0 }

/** Checks a new ticket in, as it was elsewhere. @param at in milliseconds */
export type CheckIn = (tx: WriteTx, attendeeId: string, at: number) => Promise<unknown>

/**
 * Imports the lines that the check has found new, each by the rule of the API. The transaction of a registration also keeps the
 * fate of its line, and the registration has the line's reference. So no line is imported twice, even if the import is cut off or
 * repeated.
 */
export const importing = (checkIn: CheckIn): JobKind => ({
  name: IMPORT,
  permission: 'guests.edit',
  async run(tx, job, actor) {
    const { check_id } = job.input as unknown as ImportInput
    const by = await openJudge(tx, await jobs.get(tx, check_id))
    const counts = { ...NOTHING, ...(job.outcome as Partial<Settled> | null) }
    const after = Number(job.position ?? 0)
    const rows = await sheets.list<LineDetails>(tx, check_id, { after, fate: 'new', ...ADDED_AT_ONCE })
    // What lines are judged by takes its own time in an event of many types, and must leave some for them.
    const until = performance.now() + tx.batchTime
    let { done } = job
    let last = after
    for (const row of rows) {
      const { fate, details } = await add(tx, { by, actor, checkIn, jobId: job.id }, row)
      await sheets.setFate(tx, check_id, { line: row.line, fate, details })
      counts[fate] = (counts[fate] ?? 0) + 1
      last = row.line
      done++
      if (performance.now() > until) break
    }
    return { position: String(last), done, finished: rows.length === 0, outcome: { ...counts } }
  },
})

interface Adding {
  by: Judge
  actor: Actor
  checkIn: CheckIn
  jobId: string
}

/** Imports one line, or says why it cannot. The event may have changed since the check. */
async function add(
  tx: WriteTx,
  { by, actor, checkIn, jobId }: Adding,
  line: ImportLine,
): Promise<{ fate: keyof Settled; details: LineDetails }> {
  const { fate, details, read, reference } = await judge(tx, by, line)
  // It keeps what the check has seen in the file.
  const { same_as } = line.details
  const seen = same_as === undefined ? details : { ...details, same_as }
  if (fate !== 'new') return { fate, details: seen }
  const create = async () => {
    const { checkedIn, note, beside } = read
    const created = await registrations.create(tx, read.registration, undefined, { reference, note, beside })
    if (checkedIn === undefined) return created
    const now = await tx.now()
    // An export that does not say when tells it now.
    const at = Math.min(checkedIn ?? now, now)
    for (const { id } of created.resource.attendees) await checkIn(tx, id, at)
    return created
  }
  try {
    const outcome = await runRecorded(tx, actor, create, {
      action: 'registration.create',
      targetType: 'registration',
      targetOf: ({ resource }) => resource.id,
      details: () => ({ job_id: jobId }),
    })
    if (outcome.problem !== undefined) throw outcome.problem
    return { fate: 'added', details: { ...seen, registration_id: outcome.result.resource.id } }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'sold_out')
      return { fate: 'sold_out', details: tooFewPlaces(seen, Number(error.details?.available ?? 0)) }
    if (error.param !== 'answers') throw error
    const fault = makeFault('answerCount', { max: MAX_ANSWER_KEYS })
    return { fate: 'wrong', details: { ...seen, faults: [{ field: null, fault }] } }
  }
}
