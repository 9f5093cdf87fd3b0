import { runRecorded } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import type { WriteTx } from '../db/port.ts'
import { makeFault } from '../faults.ts'
import type { JobKind } from '../jobs/rules.ts'
import * as jobs from '../jobs/rules.ts'
import { Problem } from '../problem.ts'
import { MAX_ANSWER_KEYS } from '../registrations/answer-keys.ts'
import * as registrations from '../registrations/rules.ts'
import { BATCH, BATCH_TIME, type Judge, judge, openJudge, tooFewPlaces } from './judge.ts'
import { type Counts, type ImportInput, type ImportLine, type LineDetails, presentLine } from './schemas.ts'
import * as store from './store.ts'

export const IMPORT = 'guests.import'

type Settled = Pick<Counts, 'added' | 'known' | 'wrong' | 'sold_out'>

const NOTHING: Settled = { added: 0, known: 0, wrong: 0, sold_out: 0 }

/**
 * Imports the lines that the check has found new, each by the rule of the API. The fate of a line is kept in the transaction of its
 * registration, and a registration has the reference of its line: whatever is cut off or done again, no line comes twice.
 */
export const importGuests: JobKind = {
  name: IMPORT,
  permission: 'guests.edit',
  async run(tx, job, actor) {
    const until = performance.now() + BATCH_TIME
    const { accountId } = actor
    const { check_id } = job.input as unknown as ImportInput
    const by = await openJudge(tx, accountId, await jobs.get(tx, accountId, check_id))
    const counts = { ...NOTHING, ...(job.outcome as Partial<Settled> | null) }
    const after = Number(job.position ?? 0)
    const rows = await store.list(tx, accountId, check_id, { after, fate: 'new', ...BATCH })
    let { done } = job
    let last = after
    for (const row of rows) {
      const { fate, details } = await add(tx, by, actor, job.id, presentLine(row))
      const settled = { line: row.line, fate, details: JSON.stringify(details) }
      await store.setFate(tx, accountId, check_id, settled, await tx.now())
      counts[fate]++
      last = row.line
      done++
      if (performance.now() > until) break
    }
    return { position: String(last), done, finished: rows.length === 0, outcome: { ...counts } }
  },
}

/** Imports one line, or says why not: also where the event has changed since the check. */
async function add(
  tx: WriteTx,
  by: Judge,
  actor: Actor,
  jobId: string,
  line: ImportLine,
): Promise<{ fate: keyof Settled; details: LineDetails }> {
  const { fate, details, read, reference } = await judge(tx, actor.accountId, by, line)
  // What the check has seen in the file stays.
  const { same_as } = line.details
  const seen = same_as === undefined ? details : { ...details, same_as }
  if (fate !== 'new') return { fate, details: seen }
  const create = () => registrations.create(tx, actor.accountId, read.registration, undefined, reference)
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
