import type { Database } from '#machinery/db/port.ts'
import * as deliveries from '#product/administration/webhooks/deliveries.ts'
import { removeEndpoints, removeSoon } from '#product/administration/webhooks/removal.ts'
import {
  countFailedSince,
  findRetry,
  retryFailed,
  retryFailedDeliveries,
} from '#product/administration/webhooks/retry-all.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'

/** Does what organizers do with webhooks on pages, and the jobs that they begin, each of it once. */
export async function sendWebhooks(db: Database, accountId: string): Promise<void> {
  await db.write(accountId, async tx => {
    const url = 'https://127.0.0.1:1/pages'
    const { id } = await webhooks.addEndpoint(tx, { url, types: ['ping'] })
    await webhooks.ping(tx, id)
    const [details] = await webhooks.listEndpointDetails(tx, 0)
    await webhooks.getEndpointDetails(tx, details?.id ?? id, 0)
    await deliveries.countByStatus(tx, id, 10)
    for (const status of [undefined, 'pending'] as const) {
      for (const after of [undefined, { created_at: tx.clock(), id: '' }]) {
        const filters = { endpointId: id, status, type: 'ping' } as const
        await deliveries.listOfType(tx, filters, { limit: 1, after })
      }
    }
    await countFailedSince(tx, id, 0, 10)
    await retryFailed(tx, id, { since: 0, total: null, by: 'cli' })
    await findRetry(tx, id)
    const actor = { accountId, who: 'cli', requestId: null, address: null }
    const job = { id: '', event_id: null, done: 0, total: null, outcome: null, position: null, lease: 0 }
    const input = { endpoint_id: id, since: 0, until: tx.clock() }
    await retryFailedDeliveries.run(tx, { ...job, input }, actor)
    await removeEndpoints.run(tx, { ...job, input }, actor)
    const again = await webhooks.addEndpoint(tx, { url, types: ['ping'] })
    await removeSoon(tx, again.id, 'cli')
  })
}
