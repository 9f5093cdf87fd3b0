import type { WriteTx } from '../db/port.ts'
import { newOrderedId } from '../ids.ts'
import { SECOND } from '../time.ts'
import type { WebhookEventType } from './event-types.ts'
import * as store from './store.ts'

/**
 * Writes an event to the outbox, in the transaction of the change that it tells of: a crash leaves both or neither.
 * The envelope is kept as the text that every attempt will send.
 *
 * @param object the resource exactly as the API returns it (specification section 2, webhook event)
 */
export async function emit(
  tx: WriteTx,
  accountId: string,
  type: WebhookEventType,
  object: object,
): Promise<void> {
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
}
