import type { WriteTx } from '#machinery/db/port.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as endpointStore from './endpoint-store.ts'
import { DELETED_PER_WRITE, setEnabled } from './rules.ts'
import type { WebhookEndpoint } from './schemas.ts'
import * as store from './store.ts'

const REMOVE = 'webhooks.remove'

/**
 * Removes an endpoint with everything that was sent to it. It does so at once, or in the short writes of a job if there is much
 * to delete. The endpoint receives nothing more from now on.
 *
 * @param by the `who` of the actor
 * @throws Problem not_found
 */
export async function removeSoon(
  tx: WriteTx,
  id: string,
  by: string,
): Promise<{ endpoint: WebhookEndpoint; isRemoved: boolean }> {
  const endpoint = await setEnabled(tx, id, false)
  const isRemoved = await removeSome(tx, id)
  if (!isRemoved) {
    const input = { endpoint_id: id }
    await jobs.start(tx, { kind: REMOVE, eventId: null, input, total: null, by })
  }
  return { endpoint, isRemoved }
}

export const removeEndpoints: JobKind = {
  name: REMOVE,
  async run(tx, job) {
    const { endpoint_id: id } = job.input as { endpoint_id: string }
    return { position: null, done: job.done, finished: await removeSome(tx, id) }
  },
}

/** @returns whether nothing is left */
async function removeSome(tx: WriteTx, id: string): Promise<boolean> {
  await store.deleteDeliveries(tx, id, DELETED_PER_WRITE)
  const [left] = await store.listDeliveries(tx, { endpoint_id: id }, { limit: 1 })
  if (left === undefined) await endpointStore.remove(tx, id)
  return left === undefined
}
