import { newOrderedId, newUuid } from '#base/ids.ts'
import type { Written } from '#base/resource.ts'
import { DAY, SECOND } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as endpointStore from './endpoint-store.ts'
import type { WebhookEventType } from './event-types.ts'
import * as store from './store.ts'

/** How long attempts, ended deliveries and their events are kept, in milliseconds. */
export const EVENT_RETENTION = 30 * DAY

/**
 * The types of events that are written even if no endpoint takes them. A check-in that was undone leaves its kept answer and its
 * other events behind, and the integrity check knows by this event alone that it is rightly missing.
 */
const ALWAYS_WRITTEN: ReadonlySet<WebhookEventType> = new Set(['checkin.undone'])

/**
 * Writes an event to the outbox, with a delivery for each enabled endpoint of the account that subscribes to its type. It does so
 * in the transaction of the change itself, so a crash leaves all of it or nothing. Where no endpoint subscribes, it writes nothing
 * but the undoing of a check-in, as nobody could ever get the event: that is 2.8 KB less of the write-ahead log for each import.
 *
 * @param resource exactly as the API returns it (specification section 2, webhook event)
 */
export async function emit<Resource extends object>(
  tx: WriteTx,
  type: WebhookEventType,
  resource: Resource,
): Promise<Written<Resource>> {
  const [written] = await emitAll(tx, type, [resource])
  return written as Written<Resource>
}

/** Does the same for several resources, one event each, in their order. */
export async function emitAll<Resource extends object>(
  tx: WriteTx,
  type: WebhookEventType,
  resources: readonly Resource[],
): Promise<Written<Resource>[]> {
  if (resources.length === 0) return []
  const endpoints = await endpointStore.listEnabled(tx)
  const subscribed = endpoints.filter(({ types }) => (JSON.parse(types) as string[]).includes(type))
  const all: Written<Resource>[] = []
  for (const resource of resources) {
    const json = JSON.stringify(resource)
    all.push({ resource, json })
    if (subscribed.length === 0 && !ALWAYS_WRITTEN.has(type)) continue
    const eventId = await insertEvent(tx, type, json)
    for (const { id } of subscribed) await deliverTo(tx, id, eventId, type)
  }
  return all
}

/** Writes a ping to one endpoint, whatever it subscribes to. @returns the id of its delivery */
export async function emitPing(tx: WriteTx, endpointId: string, object: object): Promise<string> {
  const eventId = await insertEvent(tx, 'ping', JSON.stringify(object))
  return await deliverTo(tx, endpointId, eventId, 'ping')
}

/** Stores the envelope as the text that every attempt will send. */
async function insertEvent(tx: WriteTx, type: WebhookEventType, json: string): Promise<string> {
  const now = await tx.now()
  const id = newOrderedId('evt_')
  const created = Math.floor(now / SECOND)
  await store.insertEvent(tx, {
    id,
    account_id: tx.accountId,
    type,
    body: `{"id":"${id}","object":"event","type":"${type}","created":${created},"data":{"object":${json}}}`,
    created_at: now,
  })
  return id
}

async function deliverTo(
  tx: WriteTx,
  endpointId: string,
  eventId: string,
  type: WebhookEventType,
): Promise<string> {
  const id = newUuid()
  const delivery = { id, account_id: tx.accountId, event_id: eventId, endpoint_id: endpointId, type }
  await store.insertDelivery(tx, delivery, tx.clock(), await tx.now())
  return id
}
