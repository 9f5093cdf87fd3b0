import type { Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { JobKind } from '../jobs/rules.ts'
import * as jobs from '../jobs/rules.ts'
import type { Job } from '../jobs/schemas.ts'
import { Problem } from '../problem.ts'
import * as endpointStore from './endpoint-store.ts'
import { disabled } from './rules.ts'
import * as store from './store.ts'

const RETRY = 'webhooks.retry'

/** Deliveries of one batch. */
const BATCH = 200
/** Jobs of an account that are looked through for one that is under way. */
const RECENT = 50

interface RetryInput {
  endpoint_id: string
  /** Milliseconds, as is `until`. */
  since: number
  /** Those that fail meanwhile are not retried again without end. */
  until: number
}

/** Counts the deliveries to an endpoint that have failed since an instant in milliseconds, no further than `limit`. */
export function countFailedSince(
  tx: ReadTx,
  accountId: string,
  endpointId: string,
  since: number,
  limit: number,
): Promise<number> {
  return store.countDeliveries(tx, accountId, { endpointId, status: 'failed', since }, limit)
}

/**
 * Has every delivery that has failed since an instant attempted once more, as a job.
 *
 * @param total how many these are, where that is known
 * @param by the actor's `who`
 * @throws Problem not_found; invalid_parameter when the endpoint is disabled
 */
export async function retryFailed(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  { since, total, by }: { since: number; total: number | null; by: string },
): Promise<Job> {
  await refuseUnready(tx, accountId, endpointId)
  const input: RetryInput = { endpoint_id: endpointId, since, until: await tx.now() }
  return jobs.start(tx, accountId, { kind: RETRY, eventId: null, input, total, by })
}

/** @throws Problem not_found, also for a job of another kind or endpoint */
export async function getRetry(tx: ReadTx, accountId: string, endpointId: string, id: string): Promise<Job> {
  const job = await jobs.get(tx, accountId, id)
  if (!isOf(job, endpointId)) throw new Problem('not_found')
  return job
}

/** The one that is under way. */
export async function findRetry(tx: ReadTx, accountId: string, endpointId: string): Promise<Job | undefined> {
  const recent = [...(await jobs.list(tx, accountId, { limit: RECENT }))].map(({ resource }) => resource)
  return recent.find(job => isOf(job, endpointId) && (job.state === 'waiting' || job.state === 'running'))
}

function isOf({ kind, input }: Job, endpointId: string): boolean {
  return kind === RETRY && input.endpoint_id === endpointId
}

export const retryFailedDeliveries: JobKind = {
  name: RETRY,
  permission: 'webhooks',
  async run(tx, job, { accountId }) {
    const { endpoint_id: endpointId, since, until } = job.input as unknown as RetryInput
    await refuseUnready(tx, accountId, endpointId)
    // No id is before the empty one.
    const after: Position = job.position === null ? { created_at: since, id: '' } : JSON.parse(job.position)
    const failed = await store.listFailed(tx, accountId, { endpointId, until }, after, BATCH)
    const now = await tx.now()
    for (const { id } of failed) await store.requestRetry(tx, accountId, id, tx.clock(), now)
    return {
      position: JSON.stringify(failed.at(-1) ?? after),
      done: job.done + failed.length,
      finished: failed.length < BATCH,
    }
  },
}

/** @throws Problem not_found, invalid_parameter */
async function refuseUnready(tx: ReadTx, accountId: string, endpointId: string): Promise<void> {
  const endpoint = await endpointStore.find(tx, accountId, endpointId)
  if (endpoint === undefined) throw new Problem('not_found')
  if (endpoint.enabled === 0) throw disabled(endpointId)
}
