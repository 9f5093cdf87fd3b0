import { Problem } from '#base/problem.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as endpointStore from './endpoint-store.ts'
import { disabled } from './rules.ts'
import * as store from './store.ts'

const RETRY = 'webhooks.retry'

/** The number of deliveries in one batch. */
const BATCH = 200
/** How many jobs of an account a search for a running one looks through. */
const RECENT = 50

interface RetryInput {
  endpoint_id: string
  /** Milliseconds, as is `until`. */
  since: number
  /** Deliveries that fail after this instant are not retried, or the job might never end. */
  until: number
}

/**
 * Counts the deliveries to an endpoint that were made since an instant in milliseconds and have failed, no further than `limit`.
 */
export function countFailedSince(
  tx: ReadTx,
  endpointId: string,
  since: number,
  limit: number,
): Promise<number> {
  return store.countDeliveries(tx, { endpointId, status: 'failed', since }, limit)
}

/**
 * Requests one more attempt, by a job, for every delivery that was made since an instant and has failed.
 *
 * @param total how many these are, if known
 * @param by the `who` of the actor
 * @throws Problem not_found; invalid_parameter if the endpoint is disabled
 */
export async function retryFailed(
  tx: WriteTx,
  endpointId: string,
  { since, total, by }: { since: number; total: number | null; by: string },
): Promise<Job> {
  await refuseUnready(tx, endpointId)
  const input: RetryInput = { endpoint_id: endpointId, since, until: await tx.now() }
  return jobs.start(tx, { kind: RETRY, eventId: null, input, total, by })
}

/** @throws Problem not_found, also for a job of another kind or endpoint */
export async function getRetry(tx: ReadTx, endpointId: string, id: string): Promise<Job> {
  const job = await jobs.get(tx, id)
  if (!isOf(job, endpointId)) throw new Problem('not_found')
  return job
}

/** Returns the retry that is under way. */
export async function findRetry(tx: ReadTx, endpointId: string): Promise<Job | undefined> {
  const recent = [...(await jobs.list(tx, { limit: RECENT }))].map(({ resource }) => resource)
  return recent.find(job => isOf(job, endpointId) && (job.state === 'waiting' || job.state === 'running'))
}

function isOf({ kind, input }: Job, endpointId: string): boolean {
  return kind === RETRY && input.endpoint_id === endpointId
}

export const retryFailedDeliveries: JobKind = {
  name: RETRY,
  permission: 'webhooks',
  async run(tx, job) {
    const { endpoint_id: endpointId, since, until } = job.input as unknown as RetryInput
    await refuseUnready(tx, endpointId)
    // The empty id sorts before every other id.
    const after: Position = job.position === null ? { created_at: since, id: '' } : JSON.parse(job.position)
    const failed = await store.listFailed(tx, { endpointId, until }, after, BATCH)
    const now = await tx.now()
    for (const { id } of failed) await store.requestRetry(tx, id, tx.clock(), now)
    return {
      position: JSON.stringify(failed.at(-1) ?? after),
      done: job.done + failed.length,
      finished: failed.length < BATCH,
    }
  },
}

/** @throws Problem not_found, invalid_parameter */
async function refuseUnready(tx: ReadTx, endpointId: string): Promise<void> {
  const endpoint = await endpointStore.find(tx, endpointId)
  if (endpoint === undefined) throw new Problem('not_found')
  if (endpoint.enabled === 0) throw disabled(endpointId)
}
