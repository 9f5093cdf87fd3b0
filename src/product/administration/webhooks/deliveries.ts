import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import * as allAccounts from './all-accounts-store.ts'
import { PATIENCE } from './delivery/endpoint-watch.ts'
import type { DeliveryStatus } from './delivery/store.ts'
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
import * as store from './store.ts'

/** Newest first. */
export async function listDeliveries(
  tx: ReadTx,
  accountId: string,
  { endpointId, status }: { endpointId?: string | undefined; status?: DeliveryStatus | undefined },
  page: Page,
): Promise<Iterable<Listed<Delivery>>> {
  const filters = { endpoint_id: endpointId, status }
  return toListed(await store.listDeliveries(tx, accountId, filters, page), presentDelivery)
}

/** Rows of a list that are looked at in one go, and how many goes a page makes, before it leaves the rest to the next page. */
const LOOKED_AT = 1_000
const GOES = 10

/**
 * Those of one type, newest first: there is no index for types, which each delivery would pay for. So a page looks at no more
 * than 10,000, and may have less than its limit, or nothing, with a next one nevertheless.
 *
 * @returns `next` is where the next page begins; undefined on the last
 */
export async function listOfType(
  tx: ReadTx,
  accountId: string,
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
    const rows = await store.listTypes(tx, accountId, filters, { limit: LOOKED_AT, after })
    for (const row of rows) {
      if (row.type === type && found.length === page.limit) return { found, next: after }
      if (row.type === type) found.push(presentDelivery(await find(tx, accountId, row.id)))
      after = { created_at: row.created_at, id: row.id }
    }
    if (rows.length < LOOKED_AT) return { found, next: undefined }
  }
  return { found, next: after }
}

/** The deliveries to an endpoint by what became of them, each counted no further than `limit`. */
export async function countByStatus(
  tx: ReadTx,
  accountId: string,
  endpointId: string,
  limit: number,
): Promise<Record<DeliveryStatus, number>> {
  const count = (status: DeliveryStatus) =>
    store.countDeliveries(tx, accountId, { endpointId, status, since: 0 }, limit)
  return {
    pending: await count('pending'),
    succeeded: await count('succeeded'),
    failed: await count('failed'),
  }
}

/**
 * The account of a delivery, for the command line alone: its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, store.findOwner(tx, id))).account_id
}

/** With what is sent, and every attempt that is kept, oldest first. @throws Problem not_found */
export async function getDelivery(
  tx: ReadTx,
  accountId: string,
  id: string,
): Promise<Delivery & { attempt_log: Attempt[]; request: DeliveryRequest }> {
  const row = await find(tx, accountId, id)
  const { body } = await refuseMissing(id, store.findBody(tx, accountId, id))
  const attempts = await store.listAttempts(tx, accountId, id)
  return {
    ...presentDelivery(row),
    attempt_log: attempts.map(presentAttempt),
    request: presentRequest(row, body, attempts.at(-1)?.created_at),
  }
}

/**
 * Requests one more attempt, a manual one: with the same event id, and not one of the eight. Success ends the schedule,
 * failure leaves it as it was.
 *
 * @throws Problem not_found; invalid_parameter when the endpoint is disabled
 */
export async function retryDelivery(tx: WriteTx, accountId: string, id: string): Promise<Delivery> {
  const row = await find(tx, accountId, id)
  if (row.endpoint_enabled === 0) throw disabled(row.endpoint_id)
  await store.requestRetry(tx, accountId, id, tx.clock(), await tx.now())
  return presentDelivery(await find(tx, accountId, id))
}

function find(tx: ReadTx, accountId: string, id: string): Promise<store.DeliveryRow> {
  return refuseMissing(id, store.findDelivery(tx, accountId, id))
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no delivery ${id}.` })
  return row
}

/** Pending deliveries of all accounts: counted no further than 100,000. */
export function countPending(tx: ReadTx): Promise<number> {
  return allAccounts.countPending(tx, 100_000)
}

/** The enabled endpoints that have failed for an hour, over all accounts. @param now milliseconds of the clock */
export function countFailing(tx: ReadTx, now: number): Promise<number> {
  return allAccounts.countFailing(tx, now - PATIENCE)
}
