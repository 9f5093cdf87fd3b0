import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import * as allAccounts from './all-accounts-store.ts'
import type { DeliveryStatus } from './delivery/store.ts'
import * as store from './store.ts'

/** What became of one event at one endpoint. */
export interface Delivery {
  id: string
  event_id: string
  type: string
  endpoint_id: string
  status: DeliveryStatus
  /** Of the schedule: those by hand do not count. */
  attempts: number
  next_attempt_at: string | null
  last_status_code: number | null
  last_error: string | null
  created_at: string
}

export interface Attempt {
  /** Null for one by hand. */
  number: number | null
  manual: boolean
  at: string
  duration_ms: number
  status_code: number | null
  error: string | null
  response: string | null
}

/** Newest first. */
export async function listDeliveries(
  tx: ReadTx,
  accountId: string,
  { endpointId, status }: { endpointId?: string | undefined; status?: DeliveryStatus | undefined },
  page: Page,
): Promise<Listed<Delivery>[]> {
  const filters = { endpoint_id: endpointId, status }
  return toListed(await store.listDeliveries(tx, accountId, filters, page), present)
}

/**
 * The account of a delivery, for the command line alone: its person owns every account.
 *
 * @throws Problem not_found
 */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  return (await refuseMissing(id, store.findOwner(tx, id))).account_id
}

/** With every attempt that is kept, oldest first. @throws Problem not_found */
export async function getDelivery(
  tx: ReadTx,
  accountId: string,
  id: string,
): Promise<Delivery & { attempt_log: Attempt[] }> {
  const row = await find(tx, accountId, id)
  const attempts = await store.listAttempts(tx, accountId, id)
  return {
    ...present(row),
    attempt_log: attempts.map(attempt => ({
      number: attempt.number,
      manual: attempt.number === null,
      at: toIso(attempt.created_at),
      duration_ms: attempt.duration_ms,
      status_code: attempt.status_code,
      error: attempt.error,
      response: attempt.response,
    })),
  }
}

/**
 * Asks for one more attempt by hand: the same event id, not one of the eight. Success ends the schedule, failure leaves it as
 * it was.
 *
 * @throws Problem not_found; invalid_parameter when the endpoint is disabled
 */
export async function retryDelivery(tx: WriteTx, accountId: string, id: string): Promise<Delivery> {
  const row = await find(tx, accountId, id)
  if (row.endpoint_enabled === 0) {
    throw new Problem('invalid_parameter', {
      message: `The webhook ${row.endpoint_id} is disabled. Enable it first.`,
    })
  }
  await store.askForRetry(tx, accountId, id, tx.clock(), await tx.now())
  return present(await find(tx, accountId, id))
}

function find(tx: ReadTx, accountId: string, id: string): Promise<store.DeliveryRow> {
  return refuseMissing(id, store.findDelivery(tx, accountId, id))
}

async function refuseMissing<Row>(id: string, found: Promise<Row | undefined>): Promise<Row> {
  const row = await found
  if (row === undefined) throw new Problem('not_found', { message: `There is no delivery ${id}.` })
  return row
}

function present(row: store.DeliveryRow): Delivery {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    endpoint_id: row.endpoint_id,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: toIsoOrNull(row.next_attempt_at),
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: toIso(row.created_at),
  }
}

/** Deliveries that are still to come, over all accounts: counted no further than 100,000. */
export function countPending(tx: ReadTx): Promise<number> {
  return allAccounts.countPending(tx, 100_000)
}
