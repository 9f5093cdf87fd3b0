import type { WriteTx } from '../db/port.ts'
import type { JobKind } from '../jobs/rules.ts'
import * as jobs from '../jobs/rules.ts'
import * as endpointStore from './endpoint-store.ts'
import { DELETED_PER_WRITE, setEnabled } from './rules.ts'
import type { WebhookEndpoint } from './schemas.ts'
import * as store from './store.ts'

const REMOVE = 'webhooks.remove'

/**
 * Removes an endpoint with all that was sent to it: at once, or, where that is much, in the short writes of a job. It gets
 * nothing more from now on.
 *
 * @param by the actor's `who`
 * @throws Problem not_found
 */
export async function removeSoon(
  tx: WriteTx,
  accountId: string,
  id: string,
  by: string,
): Promise<{ endpoint: WebhookEndpoint; isRemoved: boolean }> {
  const endpoint = await setEnabled(tx, accountId, id, false)
  const isRemoved = await removeSome(tx, accountId, id)
  if (!isRemoved) {
    const input = { endpoint_id: id }
    await jobs.start(tx, accountId, { kind: REMOVE, eventId: null, input, total: null, by })
  }
  return { endpoint, isRemoved }
}

export const removeEndpoints: JobKind = {
  name: REMOVE,
  async run(tx, job, { accountId }) {
    const { endpoint_id: id } = job.input as { endpoint_id: string }
    return { position: null, done: job.done, finished: await removeSome(tx, accountId, id) }
  },
}

/** @returns whether nothing is left */
async function removeSome(tx: WriteTx, accountId: string, id: string): Promise<boolean> {
  await store.deleteDeliveries(tx, accountId, id, DELETED_PER_WRITE)
  const [left] = await store.listDeliveries(tx, accountId, { endpoint_id: id }, { limit: 1 })
  if (left === undefined) await endpointStore.remove(tx, accountId, id)
  return left === undefined
}
