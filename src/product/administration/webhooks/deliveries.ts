import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as allAccounts from './all-accounts-store.ts'
import { PATIENCE } from './delivery/endpoint-watch.ts'
import type { WebhookEventType } from './event-types.ts'
import { disabled } from './rules.ts'
import {
  type Attempt,
  type Delivery,
  type DeliveryRequest,
  presentAttempt,
  presentDelivery,
  presentRequest,
} from './schemas.ts'
import type { DeliveryStatus } from './states.ts'
import * as store from './store.ts'

/** Lists deliveries, newest first. */
export async function listDeliveries(
  tx: ReadTx,
  { endpointId, status }: { endpointId?: string | undefined; status?: DeliveryStatus | undefined },
  page: Page,
): Promise<Iterable<Listed<Delivery>>> {
  const filters = { endpoint_id: endpointId, status }
  return toListed(await store.listDeliveries(tx, filters, page), presentDelivery)
}

/** The rows that one read looks at, and the most reads of one page. The next page continues from there. */
const LOOKED_AT = 1_000
const GOES = 10

/**
 * Lists the deliveries of one type, newest first. There is no index on types, because every delivery would pay for it. So a page
 * looks at no more than 10,000 deliveries. It may have fewer than its limit, or none, and still be followed by another page.
 *
 * @returns `next` is where the next page begins, or undefined on the last page
 */
export async function listOfType(
  tx: ReadTx,
  {
    endpointId,
    status,
    type,
  }: { endpointId: string; status: DeliveryStatus | undefined; type: WebhookEventType },
  page: Page,
): Promise<{ found: Delivery[]; next: Position | undefined }> {
  const found: Delivery[] = []
  let { after } = page
  for (let go = 0; go < GOES; go++) {
    const filters = { endpoint_id: endpointId, status }
    const rows = await store.listTypes(tx, filters, { limit: LOOKED_AT, after })
    for (const row of rows) {
      if (row.type === type && found.length === page.limit) return { found, next: after }
      if (row.type === type) found.push(presentDelivery(await find(tx, row.id)))
      after = { created_at: row.created_at, id: row.id }
    }
    if (rows.length < LOOKED_AT) return { found, next: undefined }
  }
  return { found, next: after }
}

/** Counts the deliveries to an endpoint by status, each no further than `limit`. */
export async function countByStatus(
  tx: ReadTx,
  endpointId: string,
  limit: number,
): Promise<Record<DeliveryStatus, number>> {
  const count = (status: DeliveryStatus) => store.countDeliveries(tx, { endpointId, status, since: 0 }, limit)
  return {
    pending: await count('pending'),
    succeeded: await count('succeeded'),
    failed: await count('failed'),
  }
}

/**
 * Returns the account of a delivery. Only the command line uses it, because its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, store.findOwner(tx, id))).account_id
}

/**
 * Returns a delivery with the request that it sends, and every attempt that is still kept, oldest first.
 *
 * @throws Problem not_found
 */
export async function getDelivery(
  tx: ReadTx,
  id: string,
): Promise<Delivery & { attempt_log: Attempt[]; request: DeliveryRequest }> {
  const row = await find(tx, id)
  const { body } = await refuseMissing(id, store.findBody(tx, id))
  const attempts = await store.listAttempts(tx, id)
  return {
    ...presentDelivery(row),
    attempt_log: attempts.map(presentAttempt),
    request: presentRequest(row, body, attempts.at(-1)?.created_at),
  }
}

/**
 * Requests one more attempt by hand. It has the same event id and is not one of the eight scheduled attempts. If it succeeds, the
 * schedule ends. If it fails, the schedule stays as it was.
 *
 * @throws Problem not_found; invalid_parameter if the endpoint is disabled
 */
export async function retryDelivery(tx: WriteTx, id: string): Promise<Delivery> {
  const row = await find(tx, id)
  if (row.endpoint_enabled === 0) throw disabled(row.endpoint_id)
  await store.requestRetry(tx, id, tx.clock(), await tx.now())
  return presentDelivery(await find(tx, id))
}

function find(tx: ReadTx, id: string): Promise<store.DeliveryRow> {
  return refuseMissing(id, store.findDelivery(tx, id))
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no delivery ${id}.` })
  return row
}

/** Counts the pending deliveries of all accounts, no further than 100,000. */
export function countPending(tx: InstanceReadTx): Promise<number> {
  return allAccounts.countPending(tx, 100_000)
}

/** Counts the enabled endpoints that have failed for an hour, over all accounts. @param now in milliseconds of the clock */
export function countFailing(tx: InstanceReadTx, now: number): Promise<number> {
  return allAccounts.countFailing(tx, now - PATIENCE)
}
