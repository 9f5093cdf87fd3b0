import { Problem } from '#base/problem.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Acceptance, acceptRead } from '#product/selling/orders/accept-offer.ts'
import { readSale } from '#product/selling/orders/basket.ts'
import { type NewOrder, placeFrom, type SignedLines } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type Order, withoutDetails } from '#product/selling/orders/schemas.ts'
import { payableOf, readSetUp, reservedUntil } from './methods.ts'
import { hasProcessor, type Method, type Processors } from './processor.ts'
import { queuePaymentDue } from './queue-mails.ts'
import { type Payment, presentPayment } from './schemas.ts'
import { settle } from './settle.ts'
import { type Beginning, refuseToStart, startAllowed, startPayment } from './start-payment.ts'
import * as store from './store.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Payment> {
  return presentPayment(await find(tx, id))
}

/** Returns the address of the organizer's own page that the buyer of an open payment came from, if it has one. */
export async function findBack(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await store.find(tx, id))?.back ?? undefined
}

/**
 * Returns the payment with this reference, by which the payer names it.
 *
 * @param reference as it is stored: in upper case and without spaces
 */
export async function findByReference(tx: ReadTx, reference: string): Promise<Payment | undefined> {
  const row = await store.findByReference(tx, reference)
  return row && presentPayment(row)
}

/** Returns the account of a payment, for the command line, which names no account. @throws Problem not_found */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  const row = await store.findOwner(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.account_id
}

/** Returns the payments of an account, the newest first. */
export async function list(tx: ReadTx, filters: store.PaymentFilters, page: Page): Promise<Payment[]> {
  return (await store.listPage(tx, filters, page)).map(presentPayment)
}

/** Returns the payments of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, orderId: string): Promise<Payment[]> {
  return (await store.listByOrder(tx, orderId)).map(presentPayment)
}

/** Returns the payments that somebody has to look into, the newest first. */
export async function listTroubled(tx: ReadTx, limit: number): Promise<Payment[]> {
  return (await store.listTroubled(tx, limit)).map(presentPayment)
}

/** The method to pay an order with. It is undefined for an order that costs nothing, or that is paid once it is approved. */
export type Chosen = Method | undefined

/** How an order is to be paid. */
interface Paying extends Pick<Beginning, 'back'> {
  method: Chosen
  processors: Processors
}

/**
 * Places an order as `place` does, and begins its payment.
 *
 * @throws Problem those of `place`; payment_needed if no method was chosen; method_not_offered; payment_paused
 */
export async function placeOrder(
  tx: WriteTx,
  eventId: string,
  order: NewOrder,
  { method, back, processors, signed }: Paying & { signed: SignedLines },
): Promise<Order> {
  const sale = await readSale(tx, eventId)
  const { event } = sale
  // The payment of any other order begins with it, and is refused then.
  const payable = event.requires_approval
    ? { payable: payableOf(event, await readSetUp(tx, processors), processors, tx.clock()) }
    : {}
  const reserved = event.requires_approval
    ? { reservedUntil: tx.clock() }
    : method && { reservedUntil: reservedUntil(event, method, tx.clock()) }
  const placed = await placeFrom(tx, { ...sale, ...payable }, { ...order, ...reserved }, signed)
  const { order: placedOrder } = placed
  if (placedOrder.waits_for === 'payment' && method !== undefined) {
    const details = placed.isNew ? placed.order : await orders.getDetails(tx, placedOrder.id)
    const isBegun = !placed.isNew && (await store.listByOrder(tx, placedOrder.id)).length > 0
    if (!isBegun) await startPayment(tx, details, { method, back }, processors)
  }
  return placed.isNew ? withoutDetails(placed.order) : placedOrder
}

/**
 * Accepts an offer as `acceptOffer` does, and begins its payment.
 *
 * @throws Problem those of `acceptOffer`; method_not_offered; payment_paused
 */
export async function acceptOffer(
  tx: WriteTx,
  id: string,
  acceptance: Acceptance,
  { method, back, processors }: Paying,
): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  const reserved = method && { reservedUntil: reservedUntil(order.event, method, tx.clock()) }
  const accepted = await acceptRead(tx, order, { ...acceptance, ...reserved })
  const isBegun = (await store.listByOrder(tx, id)).length > 0
  if (accepted.waits_for === 'payment' && method !== undefined && !isBegun)
    await startPayment(tx, accepted, { method, back }, processors)
  return withoutDetails(accepted)
}

/** Approves an order as `orders.approve` does. If it costs something, the buyer has to pay it from then on. */
export async function approve(tx: WriteTx, id: string): Promise<Order> {
  const order = await orders.approve(tx, id)
  if (order.waits_for === 'payment') await queuePaymentDue(tx, order)
  return order
}

/**
 * Begins to pay an order, or goes on with the open payment. Another method than before ends the open payment. If that may be paid
 * at its processor, the reconciler first ends it there. The other method begins only then, and until then the buyer can go back.
 *
 * @returns the open payment: the former one, with `next_method`, as long as it has not ended
 * @throws Problem not_found; order_ended; method_not_offered; payment_paused; not_on_sale if the event is cancelled;
 *   payment_ended if the order had too many sessions; payment_under_way if money is on its way
 */
export async function choose(
  tx: WriteTx,
  orderId: string,
  method: Method,
  processors: Processors,
  back: Beginning['back'] = null,
): Promise<Payment> {
  const order = await orders.getDetails(tx, orderId)
  if (order.waits_for !== 'payment') throw new Problem('order_ended')
  const payments = await store.listByOrder(tx, orderId)
  const open = payments.find(({ ended_at }) => ended_at === null)
  if (open?.method === method) return leaveFor(tx, open, null)
  if (open !== undefined && isUnderWay(open)) throw new Problem('payment_under_way')
  await refuseToStart(tx, { order, before: payments }, method, processors)
  if (open !== undefined && hasProcessor(open.method) && open.call !== null) return leaveFor(tx, open, method)
  const now = await tx.now()
  if (open !== undefined)
    await store.update(tx, open, { status: 'cancelled', next_look_at: null, ended_at: now }, now)
  return startAllowed(tx, order, { method, back: back ?? open?.back })
}

function isUnderWay({ method, status, received }: store.PaymentRow): boolean {
  return received !== null || (hasProcessor(method) && status === 'pending')
}

/** Has the processor end a payment so that another method can follow. @param method null to go back to the payment */
async function leaveFor(tx: WriteTx, open: store.PaymentRow, method: Method | null): Promise<Payment> {
  if (open.next_method === method) return presentPayment(open)
  const changes = { next_method: method, next_look_at: tx.clock() }
  await store.update(tx, open, changes, await tx.now())
  return presentPayment({ ...open, ...changes })
}

/**
 * Returns what a member notes as paid of a payment, in minor units: what is missing, or all of it if the payment has ended, as
 * what came of it goes back.
 */
export function lackingOf({
  amount,
  received,
  ended_at,
}: Pick<Payment, 'amount' | 'received' | 'ended_at'>): number {
  return ended_at === null ? amount - (received ?? 0) : amount
}

/** Tells whether a member can note a payment as paid: it has no processor and is not paid, even if the money came late. */
export function isMarkable({ method, status }: Pick<Payment, 'method' | 'status'>): boolean {
  return !hasProcessor(method) && status !== 'confirmed'
}

/**
 * Notes that a member has received the money of a payment: at the door, or by a transfer that no statement shows. Money for an
 * ended payment confirms its order if there is room, or is owed back.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for a payment that is paid, or has a processor
 */
export async function markPaid(tx: WriteTx, id: string): Promise<Payment> {
  const payment = await get(tx, id)
  if (!isMarkable(payment)) throw new Problem('payment_ended')
  await settle(tx, id, {
    ...{ entryId: payment.id, amount: lackingOf(payment) },
    ...{ currency: payment.currency, at: tx.clock(), fee: 0, method: payment.method },
  })
  return get(tx, id)
}

async function find(tx: ReadTx, id: string): Promise<store.PaymentRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
