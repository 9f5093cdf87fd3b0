import assert from 'node:assert/strict'
import { newUuid } from '#base/ids.ts'
import type { Database, InstanceReadTx } from '#machinery/db/port.ts'
import * as endpointStore from '#product/administration/webhooks/endpoint-store.ts'
import { newEndpointSecret } from '#product/administration/webhooks/endpoints.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'

/** A server refuses to send to the loopback, at once and without asking the network. */
const NOWHERE = 'https://127.0.0.1:1/all'

/**
 * Adds an endpoint that takes every type of event, without the ping that would greet it. Only so is each event of the account
 * written, and seen by a test. A server records a refused attempt for each, and would mail the organizer about the endpoint once it
 * has failed for a day: a test that moves its clock that far and looks at mails gives the address of a receiver.
 *
 * @returns the id of the endpoint
 */
export async function subscribeToAll(db: Database, accountId: string, url = NOWHERE): Promise<string> {
  const id = newUuid()
  await db.write(accountId, async tx =>
    endpointStore.insert(tx, {
      ...{ id, account_id: accountId, url, types: JSON.stringify(allWebhookEventTypes) },
      ...{ enabled: 1, secret: newEndpointSecret(), created_at: await tx.now() },
    }),
  )
  return id
}

/** Fails where no enabled endpoint takes every type of event: events that are not there would prove nothing. */
export async function refuseUnsubscribed(tx: InstanceReadTx): Promise<void> {
  const found = await tx.all('SELECT id FROM webhook_endpoints WHERE enabled = 1 AND types = $1', [
    JSON.stringify(allWebhookEventTypes),
  ])
  assert.ok(found.length > 0, 'No endpoint takes every event, and so none might be written.')
}
