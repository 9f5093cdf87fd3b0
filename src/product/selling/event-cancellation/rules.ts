import type { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { runRecorded } from '#product/administration/access-log/recorded-write.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { hasTicketMail, queueGuestCancelled } from '#product/selling/guest-mails/queue-cancelled.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import * as orders from '#product/selling/orders/rules.ts'

export const CANCEL = 'guests.cancel'

/** The most registrations of a batch. */
const BATCH = 50

/** What became of the registrations of a job. Those that stayed as they are count by the reason. */
export type CancelOutcome = Record<'cancelled' | 'tickets' | registrations.RefusedCancel, number>

const NOTHING: CancelOutcome = {
  cancelled: 0,
  tickets: 0,
  already_cancelled: 0,
  refund_required: 0,
  not_cancellable: 0,
}

/**
 * The people whom a cancellation tells by mail: nobody, those who have heard of their tickets because they ordered here or got a
 * ticket by mail, or all. Whoever was only imported may never have heard of them.
 */
export const audiences = ['nobody', 'heard', 'all'] as const
export type CancelAudience = (typeof audiences)[number]

/** How the organizer cancels. */
interface Cancelling {
  /** The buyers and holders who get a mail about it. */
  notified: CancelAudience
}

/** Cancels one registration for the organizer. @throws Problem those of `registrations.cancel` */
export async function cancel(tx: WriteTx, id: string, { notified }: Cancelling): Promise<Registration> {
  const before = notified === 'nobody' ? undefined : await registrations.get(tx, id)
  const { resource } = await cancelRegistration(tx, id)
  if (before === undefined || (await orders.queueCancelledOf(tx, resource))) return resource
  if (notified === 'all' || (await hasTicketMail(tx, id))) await queueGuestCancelled(tx, before)
  return resource
}

/** Starts the job that cancels these registrations of an event, one after the other. */
export function start(
  tx: WriteTx,
  eventId: string,
  { ids, notified, by }: Cancelling & { ids: readonly string[]; by: string },
): Promise<Job> {
  const input = { ids, notified }
  return jobs.start(tx, { kind: CANCEL, eventId, input, total: ids.length, by })
}

/**
 * Cancels registrations, each by the rule of the API, with its own entry in the access log. A registration that cannot be
 * cancelled by then stays as it is. The input has only ids, so that it holds no personal data.
 */
export const cancelGuests: JobKind = {
  name: CANCEL,
  permission: 'guests.edit',
  async run(tx, job, actor) {
    const until = performance.now() + tx.batchTime
    const { ids, notified } = job.input as { ids: string[]; notified: CancelAudience }
    const outcome = { ...NOTHING, ...(job.outcome as Partial<CancelOutcome> | null) }
    const last = Math.min(job.done + BATCH, ids.length)
    let { done } = job
    while (done < last) {
      await cancelOne(tx, actor, { jobId: job.id, id: ids[done] as string, notified }, outcome)
      done++
      if (performance.now() > until) break
    }
    return { position: String(done), done, finished: done === ids.length, outcome: { ...outcome } }
  },
}

async function cancelOne(
  tx: WriteTx,
  actor: Actor,
  { jobId, id, notified }: Cancelling & { jobId: string; id: string },
  outcome: CancelOutcome,
): Promise<void> {
  const work = async (inner: WriteTx) => {
    const tickets = await registrations.countValid(inner, [id])
    await cancel(inner, id, { notified })
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
  // A registration that no longer exists counts for nothing.
  else if (problem.code !== 'not_found') throw problem
}

function isKept(problem: Problem): problem is Problem & { code: registrations.RefusedCancel } {
  return ['already_cancelled', 'refund_required', 'not_cancellable'].includes(problem.code)
}
