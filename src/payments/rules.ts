import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { type NewOrder, place, type SignedLines } from '../orders/place.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { type Taken, take } from '../orders/taking.ts'
import { Problem } from '../problem.ts'
import { begin, refuseToBegin } from './beginning.ts'
import { hasProcessor, type Method, type Processors } from './processor.ts'
import { type Payment, presentPayment } from './schemas.ts'
import { settle } from './settle.ts'
import * as store from './store.ts'
import { tellToPay } from './telling.ts'
import { heldUntil } from './ways.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Payment> {
  return presentPayment(await find(tx, accountId, id))
}

/** The payment that whoever pays names so. @param reference as it is kept: in upper case and without spaces */
export async function findByReference(
  tx: ReadTx,
  accountId: string,
  reference: string,
): Promise<Payment | undefined> {
  const row = await store.findByReference(tx, accountId, reference)
  return row && presentPayment(row)
}

/** The account that has a payment, for the command line, which names none. @throws Problem not_found */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  const row = await store.findOwner(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** Of an account, the newest first. */
export async function list(
  tx: ReadTx,
  accountId: string,
  filters: store.PaymentFilters,
  page: Page,
): Promise<Payment[]> {
  return (await store.listPage(tx, accountId, filters, page)).map(presentPayment)
}

/** Of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Payment[]> {
  return (await store.listByOrder(tx, accountId, orderId)).map(presentPayment)
}

/** Those that somebody has to look into, the newest first. */
export async function listTroubled(tx: ReadTx, accountId: string, limit: number): Promise<Payment[]> {
  return (await store.listTroubled(tx, accountId, limit)).map(presentPayment)
}

/** What an order is to be paid with; undefined for one that costs nothing, or that is paid once it is approved. */
export type Chosen = Method | undefined

/**
 * Takes an order as `place` does, and begins its payment.
 *
 * @throws Problem those of `place`; payment_needed where no way to pay was chosen; method_not_offered
 */
export async function placeOrder(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  order: NewOrder,
  { method, processors, signed }: { method: Chosen; processors: Processors; signed: SignedLines },
): Promise<Order> {
  const event = await events.getDetails(tx, accountId, eventId)
  const now = tx.clock()
  const held = event.requires_approval
    ? { heldUntil: now }
    : method && { heldUntil: heldUntil(event, method, now) }
  const placed = await place(tx, accountId, eventId, { ...order, ...held }, signed)
  const isBegun = (await store.listByOrder(tx, accountId, placed.id)).length > 0
  if (placed.waits_for === 'payment' && method !== undefined && !isBegun)
    await begin(tx, accountId, placed, method, processors)
  return placed
}

/**
 * Takes what is offered as `take` does, and begins its payment.
 *
 * @throws Problem those of `take`; method_not_offered
 */
export async function takeOffer(
  tx: WriteTx,
  accountId: string,
  id: string,
  taken: Taken,
  { method, processors }: { method: Chosen; processors: Processors },
): Promise<Order> {
  const order = await orders.get(tx, accountId, id)
  const event = await events.getDetails(tx, accountId, order.event_id)
  const held = method && { heldUntil: heldUntil(event, method, tx.clock()) }
  const now = await take(tx, accountId, id, { ...taken, ...held })
  const isBegun = (await store.listByOrder(tx, accountId, id)).length > 0
  if (now.waits_for === 'payment' && method !== undefined && !isBegun)
    await begin(tx, accountId, now, method, processors)
  return now
}

/** Approves an order as `orders.approve` does: one that costs something is paid from then on. */
export async function approve(tx: WriteTx, accountId: string, id: string): Promise<Order> {
  const order = await orders.approve(tx, accountId, id)
  if (order.waits_for === 'payment') await tellToPay(tx, accountId, order)
  return order
}

/**
 * Begins to pay an order, or goes on where it was begun: with another way than before, the former ends. One that may be paid at its
 * processor is ended there first, by the reconciler: only then the other begins, and until then the buyer can go back.
 *
 * @returns the open payment: the former, with `next_method`, as long as it is not ended
 * @throws Problem not_found; order_ended; method_not_offered; not_on_sale where the event is cancelled; payment_ended where the order had too many sessions; payment_under_way
 *   where money is on its way
 */
export async function choose(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  method: Method,
  processors: Processors,
): Promise<Payment> {
  const order = await orders.get(tx, accountId, orderId)
  if (order.waits_for !== 'payment') throw new Problem('order_ended')
  const payments = await store.listByOrder(tx, accountId, orderId)
  const open = payments.find(({ ended_at }) => ended_at === null)
  if (open === undefined) return begin(tx, accountId, order, method, processors)
  if (open.method === method) return leaveFor(tx, open, null)
  if (open.received !== null || (hasProcessor(open.method) && open.status === 'pending'))
    throw new Problem('payment_under_way')
  await refuseToBegin(tx, accountId, order, method, processors)
  if (hasProcessor(open.method) && open.call !== null) return leaveFor(tx, open, method)
  const now = await tx.now()
  await store.update(tx, open, { status: 'cancelled', next_look_at: null, ended_at: now }, now)
  return begin(tx, accountId, order, method, processors)
}

/** Has the processor end a payment for another way. @param method null to go back to it */
async function leaveFor(tx: WriteTx, open: store.PaymentRow, method: Method | null): Promise<Payment> {
  if (open.next_method === method) return presentPayment(open)
  const changes = { next_method: method, next_look_at: tx.clock() }
  await store.update(tx, open, changes, await tx.now())
  return presentPayment({ ...open, ...changes })
}

/** What a member notes as paid of a payment, in minor units: what is lacking, or all of one that ended, as what came of it goes back. */
export function lackingOf({ amount, received, ended_at }: Payment): number {
  return ended_at === null ? amount - (received ?? 0) : amount
}

/** Whether a member can note a payment as paid: one without a processor that is not paid, also where the money came late. */
export function isMarkable({ method, status }: Pick<Payment, 'method' | 'status'>): boolean {
  return !hasProcessor(method) && status !== 'confirmed'
}

/**
 * Notes that a member has got the money of a payment: at the door, or by a transfer that no statement shows. Money for a payment that
 * has ended confirms its order while there is room, or is owed back.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for one that is paid, or of a processor
 */
export async function markPaid(tx: WriteTx, accountId: string, id: string): Promise<Payment> {
  const payment = await get(tx, accountId, id)
  if (!isMarkable(payment)) throw new Problem('payment_ended')
  await settle(tx, accountId, id, {
    ...{ entryId: payment.id, amount: lackingOf(payment) },
    ...{ currency: payment.currency, at: tx.clock(), fee: 0, method: payment.method },
  })
  return get(tx, accountId, id)
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.PaymentRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
