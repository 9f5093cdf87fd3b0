import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Database, InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { findUrlFault } from './delivery/address-guard.ts'
import * as endpointStore from './endpoint-store.ts'
import { isSigning, newEndpointSecret, ROTATION_GRACE } from './endpoints.ts'
import type { WebhookEventType } from './event-types.ts'
import { emitPing } from './outbox.ts'
import { type EndpointDetails, presentDelivery, presentEndpoint, type WebhookEndpoint } from './schemas.ts'
import * as store from './store.ts'

/** The most deliveries and attempts that one write deletes. They are few, so that no check-in waits for the write. */
export const DELETED_PER_WRITE = 500

/**
 * Refuses an address that webhooks may not go to. It asks the network, so call it before the write.
 *
 * @throws Problem invalid_parameter
 */
export async function refuseUnsafeUrl(url: string, allowInsecure: boolean): Promise<void> {
  const fault = await findUrlFault(url, allowInsecure)
  if (fault === undefined) return
  const reason = new URL(url).protocol === 'https:' ? 'webhook_not_public' : 'webhook_not_https'
  throw new Problem('invalid_parameter', {
    message: `The webhook ${url} ${fault}.`,
    param: 'url',
    details: { reason },
  })
}

/**
 * Adds an endpoint, with the ping that greets it. The answer contains the secret.
 *
 * @throws Problem invalid_parameter if the account has an endpoint with this URL
 */
export async function addEndpoint(
  tx: WriteTx,
  input: { url: string; types: readonly WebhookEventType[]; enabled?: boolean },
): Promise<WebhookEndpoint & { secret: string }> {
  await refuseTaken(tx, input.url)
  const row: endpointStore.EndpointRow = {
    id: newUuid(),
    account_id: tx.accountId,
    url: input.url,
    types: JSON.stringify(input.types),
    enabled: input.enabled === false ? 0 : 1,
    secret: newEndpointSecret(),
    created_at: await tx.now(),
  }
  await endpointStore.insert(tx, row)
  if (row.enabled === 1) await ping(tx, row.id)
  return { ...presentEndpoint(row), secret: row.secret }
}

/**
 * Changes the URL or the event types of an endpoint. Its secret stays. Pending deliveries go to the new URL.
 *
 * @throws Problem not_found; invalid_parameter if the account has another endpoint with this URL
 */
export async function updateEndpoint(
  tx: WriteTx,
  id: string,
  input: { url?: string | undefined; types?: readonly WebhookEventType[] | undefined },
): Promise<{ endpoint: WebhookEndpoint; changed: boolean }> {
  const current = await find(tx, id)
  const types = input.types === undefined ? current.types : JSON.stringify(input.types)
  const row = { ...current, url: input.url ?? current.url, types }
  if (row.url !== current.url) await refuseTaken(tx, row.url)
  const changed = row.url !== current.url || row.types !== current.types
  if (changed) await endpointStore.update(tx, row, await tx.now())
  return { endpoint: presentEndpoint(row), changed }
}

/** @throws Problem invalid_parameter */
async function refuseTaken(tx: ReadTx, url: string): Promise<void> {
  const others = await endpointStore.list(tx)
  if (others.some(other => other.url === url)) {
    throw new Problem('invalid_parameter', {
      message: `The account already has a webhook to ${url}.`,
      param: 'url',
      details: { reason: 'webhook_taken' },
    })
  }
}

/** Lists the endpoints of the account, oldest first. */
export async function listEndpoints(tx: ReadTx): Promise<WebhookEndpoint[]> {
  return (await endpointStore.list(tx)).map(presentEndpoint)
}

/**
 * Returns the account of an endpoint. Only the command line uses it, because its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, endpointStore.findOwner(tx, id))).account_id
}

/** Lists the endpoints with the state of each, oldest first. @param now in milliseconds of the clock */
export async function listEndpointDetails(tx: ReadTx, now: number): Promise<EndpointDetails[]> {
  const details: EndpointDetails[] = []
  for (const row of await endpointStore.list(tx)) {
    details.push(await presentDetails(tx, row, now))
  }
  return details
}

/** @param now in milliseconds of the clock @throws Problem not_found */
export async function getEndpointDetails(tx: ReadTx, id: string, now: number): Promise<EndpointDetails> {
  return presentDetails(tx, await find(tx, id), now)
}

async function presentDetails(
  tx: ReadTx,
  row: endpointStore.StandingRow,
  now: number,
): Promise<EndpointDetails> {
  const { failing_since: since, previous_secret_expires_at: expires } = row
  const [last] = await store.listDeliveries(tx, { endpoint_id: row.id }, { limit: 1 })
  return {
    ...presentEndpoint(row),
    failing_since: toIsoOrNull(since),
    previous_secret_expires_at: expires !== null && isSigning(expires, now) ? toIso(expires) : null,
    last_delivery: last === undefined ? null : presentDelivery(last),
  }
}

/** @throws Problem not_found */
export async function getSecret(tx: ReadTx, id: string): Promise<string> {
  return (await find(tx, id)).secret
}

/**
 * Enables or disables an endpoint. A disabled endpoint gets no new deliveries, and its pending ones wait until it is enabled
 * again.
 *
 * @throws Problem not_found
 */
export async function setEnabled(tx: WriteTx, id: string, enabled: boolean): Promise<WebhookEndpoint> {
  await endpointStore.setEnabled(tx, id, enabled, await tx.now())
  return presentEndpoint(await find(tx, id))
}

/**
 * Queues a ping. It is sent once, whatever the endpoint subscribes to.
 *
 * @returns the id of the delivery
 * @throws Problem not_found; invalid_parameter for a disabled endpoint
 */
export async function ping(tx: WriteTx, id: string): Promise<string> {
  const row = await find(tx, id)
  if (row.enabled === 0) throw disabled(id)
  const { url, types, object } = presentEndpoint(row)
  return await emitPing(tx, id, { id, object, url, types })
}

/**
 * Gives the endpoint a new secret. For 24 hours each attempt is signed with both.
 *
 * @throws Problem not_found
 */
export async function rotateSecret(
  tx: WriteTx,
  id: string,
): Promise<{ id: string; secret: string; previous_secret_expires_at: string }> {
  await find(tx, id)
  const expires = tx.clock() + ROTATION_GRACE
  const secret = newEndpointSecret()
  await endpointStore.rotateSecret(tx, id, { secret, expires }, await tx.now())
  return { id, secret, previous_secret_expires_at: toIso(expires) }
}

/**
 * Removes an endpoint with everything that was sent to it, in short writes. From the first write on it receives nothing more.
 *
 * @throws Problem not_found
 */
export async function removeEndpoint(
  db: Pick<Database, 'write'>,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await db.write(accountId, tx => setEnabled(tx, id, false))
  const deleteSome = (tx: WriteTx) => store.deleteDeliveries(tx, id, DELETED_PER_WRITE)
  while ((await db.write(accountId, deleteSome)) > 0);
  await db.write(accountId, tx => endpointStore.remove(tx, id))
  return endpoint
}

/** Makes the Problem that refuses an action on a disabled endpoint. */
export function disabled(id: string): Problem {
  return new Problem('invalid_parameter', {
    message: `The webhook ${id} is disabled. Enable it first.`,
    details: { reason: 'webhook_disabled' },
  })
}

function find(tx: ReadTx, id: string): Promise<endpointStore.StandingRow> {
  return refuseMissing(id, endpointStore.find(tx, id))
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no webhook ${id}.` })
  return row
}
