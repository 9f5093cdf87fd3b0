import type { WriteTx } from '../db/port.ts'
import { newOrderedId, newUuid } from '../ids.ts'
import { SECOND } from '../time.ts'
import { insertDelivery, listEnabledEndpoints } from './delivery-store.ts'
import type { WebhookEventType } from './event-types.ts'
import * as store from './store.ts'

/**
 * Writes an event to the outbox, with a delivery for each enabled endpoint of the account that subscribes to its type, in
 * the transaction of the change that it tells of: a crash leaves all of it or nothing.
 *
 * @param object the resource exactly as the API returns it (specification section 2, webhook event)
 */
export async function emit(
  tx: WriteTx,
  accountId: string,
  type: WebhookEventType,
  object: object,
): Promise<void> {
  const eventId = await insertEvent(tx, accountId, type, object)
  for (const endpoint of await listEnabledEndpoints(tx, accountId)) {
    if ((JSON.parse(endpoint.types) as string[]).includes(type)) {
      await deliverTo(tx, accountId, endpoint.id, eventId, type)
    }
  }
}

/** A ping to one endpoint, whatever it subscribes to. @returns the id of its delivery */
export async function emitPing(
  tx: WriteTx,
  accountId: string,
  endpointId: string,
  object: object,
): Promise<string> {
  const eventId = await insertEvent(tx, accountId, 'ping', object)
  return await deliverTo(tx, accountId, endpointId, eventId, 'ping')
}

/** The envelope is kept as the text that every attempt will send. */
async function insertEvent(
  tx: WriteTx,
  accountId: string,
  type: WebhookEventType,
  object: object,
): Promise<string> {
  const now = await tx.now()
  const id = newOrderedId('evt_')
  const envelope = { id, object: 'event', type, created: Math.floor(now / SECOND), data: { object } }
  await store.insertEvent(tx, {
    id,
    account_id: accountId,
    type,
    body: JSON.stringify(envelope),
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
  await insertDelivery(tx, delivery, await tx.now())
  return id
}
