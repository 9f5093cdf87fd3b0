import type { WriteTx } from '../db/port.ts'
import { newOrderedId, newUuid } from '../ids.ts'
import type { Written } from '../resource.ts'
import { DAY, SECOND } from '../time.ts'
import * as endpointStore from './endpoint-store.ts'
import type { WebhookEventType } from './event-types.ts'
import * as store from './store.ts'

/** How long attempts, ended deliveries and their events are kept, in milliseconds. */
export const EVENT_RETENTION = 30 * DAY

/**
 * Writes an event to the outbox, with a delivery for each enabled endpoint of the account that subscribes to its type, in
 * the transaction of the change itself: a crash leaves all of it or nothing.
 *
 * @param resource exactly as the API returns it (specification section 2, webhook event)
 */
export async function emit<Resource extends object>(
  tx: WriteTx,
  accountId: string,
  type: WebhookEventType,
  resource: Resource,
): Promise<Written<Resource>> {
  const json = JSON.stringify(resource)
  const eventId = await insertEvent(tx, accountId, type, json)
  for (const endpoint of await endpointStore.listEnabled(tx, accountId)) {
    if ((JSON.parse(endpoint.types) as string[]).includes(type)) {
      await deliverTo(tx, accountId, endpoint.id, eventId, type)
    }
  }
  return { resource, json }
}

/** Writes a ping to one endpoint, whatever it subscribes to. @returns the id of its delivery */
export async function emitPing(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  object: object,
): Promise<string> {
  const eventId = await insertEvent(tx, accountId, 'ping', JSON.stringify(object))
  return await deliverTo(tx, accountId, endpointId, eventId, 'ping')
}

/** The envelope is kept as the text that every attempt will send. */
async function insertEvent(
  tx: WriteTx,
  accountId: string,
  type: WebhookEventType,
  json: string,
): Promise<string> {
  const now = await tx.now()
  const id = newOrderedId('evt_')
  const created = Math.floor(now / SECOND)
  await store.insertEvent(tx, {
    id,
    account_id: accountId,
    type,
    body: `{"id":"${id}","object":"event","type":"${type}","created":${created},"data":{"object":${json}}}`,
    created_at: now,
  })
  return id
}

async function deliverTo(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  eventId: string,
  type: WebhookEventType,
): Promise<string> {
  const id = newUuid()
  const delivery = { id, account_id: accountId, event_id: eventId, endpoint_id: endpointId, type }
  await store.insertDelivery(tx, delivery, tx.clock(), await tx.now())
  return id
}
