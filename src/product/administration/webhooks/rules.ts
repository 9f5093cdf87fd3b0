import type { Database, ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import { findUrlFault } from './delivery/address-guard.ts'
import * as endpointStore from './endpoint-store.ts'
import { isSigning, newEndpointSecret, ROTATION_GRACE } from './endpoints.ts'
import type { WebhookEventType } from './event-types.ts'
import { emitPing } from './outbox.ts'
import { type EndpointDetails, presentDelivery, presentEndpoint, type WebhookEndpoint } from './schemas.ts'
import * as store from './store.ts'

/** Deliveries and attempts that one write deletes: few, so that no check-in waits for it. */
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
 * Adds an endpoint, with the ping that greets it. The secret is in this answer.
 *
 * @throws Problem invalid_parameter when the account has an endpoint with this URL
 */
export async function addEndpoint(
  tx: WriteTx,
  accountId: string,
  input: { url: string; types: readonly WebhookEventType[]; enabled?: boolean },
): Promise<WebhookEndpoint & { secret: string }> {
  await refuseTaken(tx, accountId, input.url)
  const row: endpointStore.EndpointRow = {
    id: newUuid(),
    account_id: accountId,
    url: input.url,
    types: JSON.stringify(input.types),
    enabled: input.enabled === false ? 0 : 1,
    secret: newEndpointSecret(),
    created_at: await tx.now(),
  }
  await endpointStore.insert(tx, row)
  if (row.enabled === 1) await ping(tx, accountId, row.id)
  return { ...presentEndpoint(row), secret: row.secret }
}

/**
 * Changes where an endpoint is, or what it gets; its secret stays. What waits for the old address goes to the new one.
 *
 * @throws Problem not_found; invalid_parameter when the account has another endpoint with this URL
 */
export async function updateEndpoint(
  tx: WriteTx,
  accountId: string,
  id: string,
  input: { url?: string | undefined; types?: readonly WebhookEventType[] | undefined },
): Promise<{ endpoint: WebhookEndpoint; changed: boolean }> {
  const current = await find(tx, accountId, id)
  const types = input.types === undefined ? current.types : JSON.stringify(input.types)
  const row = { ...current, url: input.url ?? current.url, types }
  if (row.url !== current.url) await refuseTaken(tx, accountId, row.url)
  const changed = row.url !== current.url || row.types !== current.types
  if (changed) await endpointStore.update(tx, row, await tx.now())
  return { endpoint: presentEndpoint(row), changed }
}

/** @throws Problem invalid_parameter */
async function refuseTaken(tx: ReadTx, accountId: string, url: string): Promise<void> {
  const others = await endpointStore.list(tx, accountId)
  if (others.some(other => other.url === url)) {
    throw new Problem('invalid_parameter', {
      message: `The account already has a webhook to ${url}.`,
      param: 'url',
      details: { reason: 'webhook_taken' },
    })
  }
}

/** Oldest first. */
export async function listEndpoints(tx: ReadTx, accountId: string): Promise<WebhookEndpoint[]> {
  return (await endpointStore.list(tx, accountId)).map(presentEndpoint)
}

/**
 * The account of an endpoint, for the command line alone: its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, endpointStore.findOwner(tx, id))).account_id
}

/** With how it stands with each, oldest first. @param now milliseconds of the clock */
export async function listEndpointDetails(
  tx: ReadTx,
  accountId: string,
  now: number,
): Promise<EndpointDetails[]> {
  const details: EndpointDetails[] = []
  for (const row of await endpointStore.list(tx, accountId)) {
    details.push(await presentDetails(tx, accountId, row, now))
  }
  return details
}

/** @param now milliseconds of the clock @throws Problem not_found */
export async function getEndpointDetails(
  tx: ReadTx,
  accountId: string,
  id: string,
  now: number,
): Promise<EndpointDetails> {
  return presentDetails(tx, accountId, await find(tx, accountId, id), now)
}

async function presentDetails(
  tx: ReadTx,
  accountId: string,
  row: endpointStore.StandingRow,
  now: number,
): Promise<EndpointDetails> {
  const { failing_since: since, previous_secret_expires_at: expires } = row
  const [last] = await store.listDeliveries(tx, accountId, { endpoint_id: row.id }, { limit: 1 })
  return {
    ...presentEndpoint(row),
    failing_since: toIsoOrNull(since),
    previous_secret_expires_at: expires !== null && isSigning(expires, now) ? toIso(expires) : null,
    last_delivery: last === undefined ? null : presentDelivery(last),
  }
}

/** @throws Problem not_found */
export async function getSecret(tx: ReadTx, accountId: string, id: string): Promise<string> {
  return (await find(tx, accountId, id)).secret
}

/**
 * Enables or disables an endpoint. A disabled one gets no new deliveries; its pending ones wait until it is enabled again.
 *
 * @throws Problem not_found
 */
export async function setEnabled(
  tx: WriteTx,
  accountId: string,
  id: string,
  enabled: boolean,
): Promise<WebhookEndpoint> {
  await endpointStore.setEnabled(tx, accountId, id, enabled, await tx.now())
  return presentEndpoint(await find(tx, accountId, id))
}

/**
 * Queues a ping: it is sent whatever the endpoint subscribes to, once.
 *
 * @returns the id of the delivery
 * @throws Problem not_found; invalid_parameter for a disabled endpoint
 */
export async function ping(tx: WriteTx, accountId: string, id: string): Promise<string> {
  const row = await find(tx, accountId, id)
  if (row.enabled === 0) throw disabled(id)
  const { url, types, object } = presentEndpoint(row)
  return await emitPing(tx, accountId, id, { id, object, url, types })
}

/**
 * Gives the endpoint a new secret. For 24 hours each attempt is signed with both.
 *
 * @throws Problem not_found
 */
export async function rotateSecret(
  tx: WriteTx,
  accountId: string,
  id: string,
): Promise<{ id: string; secret: string; previous_secret_expires_at: string }> {
  await find(tx, accountId, id)
  const expires = tx.clock() + ROTATION_GRACE
  const secret = newEndpointSecret()
  await endpointStore.rotateSecret(tx, accountId, id, { secret, expires }, await tx.now())
  return { id, secret, previous_secret_expires_at: toIso(expires) }
}

/**
 * Removes an endpoint with all that was sent to it, in short writes; it gets nothing more from the first of them on.
 *
 * @throws Problem not_found
 */
export async function removeEndpoint(
  db: Pick<Database, 'write'>,
  accountId: string,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await db.write(accountId, tx => setEnabled(tx, accountId, id, false))
  const deleteSome = (tx: WriteTx) => store.deleteDeliveries(tx, accountId, id, DELETED_PER_WRITE)
  while ((await db.write(accountId, deleteSome)) > 0);
  await db.write(accountId, tx => endpointStore.remove(tx, accountId, id))
  return endpoint
}

/** What is refused of an endpoint that is disabled. */
export function disabled(id: string): Problem {
  return new Problem('invalid_parameter', {
    message: `The webhook ${id} is disabled. Enable it first.`,
    details: { reason: 'webhook_disabled' },
  })
}

function find(tx: ReadTx, accountId: string, id: string): Promise<endpointStore.StandingRow> {
  return refuseMissing(id, endpointStore.find(tx, accountId, id))
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no webhook ${id}.` })
  return row
}
