import { runRecorded } from '../access-log/recorded-write.ts'
import type { Actor } from '../access-log/rules.ts'
import type { WriteTx } from '../db/port.ts'
import type { JobKind } from '../jobs/rules.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { cancelRegistration } from '../orders/cancellation.ts'
import * as orders from '../orders/rules.ts'
import type { Problem } from '../problem.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'

export const CANCEL = 'guests.cancel'

/** How long a batch takes at most, in milliseconds, and its registrations: the writes of everybody else wait for it. */
const BATCH_TIME = 4
const BATCH = 50

/** What came of the registrations of a job: those that stayed as they are, by why. */
export type CancelOutcome = Record<'cancelled' | 'tickets' | registrations.RefusedCancel, number>

const NOTHING: CancelOutcome = {
  cancelled: 0,
  tickets: 0,
  already_cancelled: 0,
  refund_required: 0,
  not_cancellable: 0,
}

/** How the organizer cancels. */
interface Cancelling {
  /** Whether the buyer and the holders are mailed that it is so, of what was ordered here. */
  isTold: boolean
}

/** Cancels one registration for the organizer. @throws Problem as `registrations.cancel` */
export async function cancel(
  tx: WriteTx,
  accountId: string,
  id: string,
  { isTold }: Cancelling,
): Promise<Registration> {
  const { resource } = await cancelRegistration(tx, accountId, id)
  if (isTold) await orders.tellOfCancelled(tx, accountId, resource)
  return resource
}

/** Has these registrations of an event cancelled, one after the other. */
export function start(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { ids, isTold, by }: Cancelling & { ids: readonly string[]; by: string },
): Promise<Job> {
  const input = { ids, is_told: isTold }
  return jobs.start(tx, accountId, { kind: CANCEL, eventId, input, total: ids.length, by })
}

/**
 * Cancels registrations, each by the rule of the API with its entry in the access log. One that cannot be cancelled by then stays
 * as it is. Its input has ids alone, so that nothing of a person is kept in it.
 */
export const cancelGuests: JobKind = {
  name: CANCEL,
  permission: 'guests.edit',
  async run(tx, job, actor) {
    const until = performance.now() + BATCH_TIME
    const { ids, is_told: isTold } = job.input as { ids: string[]; is_told: boolean }
    const outcome = { ...NOTHING, ...(job.outcome as Partial<CancelOutcome> | null) }
    const last = Math.min(job.done + BATCH, ids.length)
    let { done } = job
    while (done < last) {
      await cancelOne(tx, actor, { jobId: job.id, id: ids[done] as string, isTold }, outcome)
      done++
      if (performance.now() > until) break
    }
    return { position: String(done), done, finished: done === ids.length, outcome: { ...outcome } }
  },
}

async function cancelOne(
  tx: WriteTx,
  actor: Actor,
  { jobId, id, isTold }: Cancelling & { jobId: string; id: string },
  outcome: CancelOutcome,
): Promise<void> {
  const work = async (inner: WriteTx) => {
    const tickets = await registrations.countValid(inner, actor.accountId, [id])
    await cancel(inner, actor.accountId, id, { isTold })
    return tickets
  }
  const { result, problem } = await runRecorded(tx, actor, work, {
    action: 'registration.cancel',
    targetType: 'registration',
    targetId: id,
    details: () => ({ job_id: jobId }),
  })
  if (problem === undefined) {
    outcome.cancelled++
    outcome.tickets += result
  } else if (isKept(problem)) outcome[problem.code]++
  // One that is not there any more is nobody's.
  else if (problem.code !== 'not_found') throw problem
}

function isKept(problem: Problem): problem is Problem & { code: registrations.RefusedCancel } {
  return ['already_cancelled', 'refund_required', 'not_cancellable'].includes(problem.code)
}
