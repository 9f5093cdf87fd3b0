import { shareOut } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { confirm, revive } from '#product/selling/orders/confirm-order.ts'
import { awaitPayment } from '#product/selling/orders/order-changes.ts'
import { DECIDED_WITHIN } from '#product/selling/orders/reservation-time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order, OrderDetails } from '#product/selling/orders/schemas.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { hasProcessor } from './processor.ts'
import { queueReturned } from './queue-mails.ts'
import { listRefundSources } from './refund-limit.ts'
import type { RefundReason } from './refund-store.ts'
import * as refunds from './refunds.ts'
import * as store from './store.ts'

/** Money that came for a payment. Amounts are in minor units, instants in milliseconds. */
export interface Money {
  /** The unique id of what moved the money. A refund of it goes back there. */
  entryId: string
  amount: number
  currency: string
  at: number
  /** It is null if it is not known yet. */
  fee: number | null
  method: ledger.LedgerMethod
}

/** What became of the money. `known` means that it was recorded before, and nothing happened. */
export type Settled = 'known' | 'confirmed' | 'kept' | 'returned'

/**
 * Settles money that came: the order is confirmed with its tickets, or the money goes back, once, with a mail that says why. A
 * second call with the same money changes nothing, except that it records a fee that has become known. A wrong amount is kept and
 * shown, and confirms nothing.
 *
 * @throws Problem not_found
 */
export async function settle(tx: WriteTx, paymentId: string, money: Money): Promise<Settled> {
  const payment = await store.find(tx, paymentId)
  if (payment === undefined) throw new Problem('not_found')
  return settlePayment(tx, payment, money)
}

/**
 * Does the same as `settle` for a payment, and its order, that were read in this transaction.
 *
 * @param existing the order; without it, it is read
 */
export async function settlePayment(
  tx: WriteTx,
  payment: store.PaymentRow,
  money: Money,
  existing?: OrderDetails,
): Promise<Settled> {
  if (!(await record(tx, payment, money))) {
    await noteFee(tx, payment, money, existing)
    return 'known'
  }
  const order = existing ?? (await orders.getDetails(tx, payment.order_id))
  await noteFee(tx, payment, money, order)
  const received = (payment.received ?? 0) + money.amount
  const isOwn = money.currency === payment.currency
  // What came before the payment ended unpaid goes back already.
  const counted = payment.ended_at === null ? received : money.amount
  // A buyer who pays without a processor may pay in parts, or too much.
  const isEnough = hasProcessor(payment.method) ? counted === payment.amount : counted >= payment.amount
  const now = await tx.now()
  const isOver = payment.ended_at !== null
  // Nobody decides about money that comes after the payment has ended.
  if (isOver && (payment.status === 'confirmed' || !isOwn || !isEnough)) {
    await store.update(tx, payment, { received }, now)
    const reason = order.status === 'confirmed' ? 'twice' : 'late'
    await returnMoney(tx, order, { amount: money.amount, reason, paymentId: payment.id })
    return 'returned'
  }
  if (!isOwn || !isEnough) {
    await keep(
      tx,
      payment,
      order,
      received,
      isOwn && !hasProcessor(payment.method) ? 'partly_paid' : 'other_amount',
    )
    return 'kept'
  }
  const next = money.fee === null ? tx.clock() + FIRST_FEE_LOOK : null
  const changes = { status: 'confirmed', received, trouble: null, looks: 0, next_look_at: next } as const
  await store.update(tx, payment, { ...changes, ended_at: now, charge_id: money.entryId }, now)
  return settleOrder(tx, payment, order, { amount: counted, at: money.at })
}

/** Keeps money that confirms nothing. Somebody has to look into it, and the places stay held meanwhile. */
async function keep(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: Order,
  received: number,
  trouble: string,
): Promise<void> {
  const status = payment.ended_at === null ? 'pending' : payment.status
  const changes = { status, received, trouble, looks: 0, next_look_at: null } as const
  await store.update(tx, payment, changes, await tx.now())
  const until = tx.clock() + DECIDED_WITHIN
  if (order.waits_for === 'payment' && Date.parse(order.expires_at as string) < until)
    await awaitPayment(tx, order, until)
}

/** How long until an unknown fee is asked for the first time, in milliseconds. */
const FIRST_FEE_LOOK = 60_000

async function record(tx: WriteTx, payment: store.PaymentRow, money: Money): Promise<boolean> {
  const { entryId, amount, currency, at, method } = money
  const of = { orderId: payment.order_id }
  const entry = { eventId: payment.event_id, of, method, currency, at, paymentId: payment.id }
  return ledger.record(tx, { ...entry, kind: 'payment', entryId, amount })
}

/**
 * Stores what the processor took, and which part of it each registration bears.
 *
 * @param existing the order, if it was read in this transaction
 */
export async function noteFee(
  tx: WriteTx,
  payment: store.PaymentRow,
  { entryId, fee, currency, at, method }: Money,
  existing?: OrderDetails,
): Promise<boolean> {
  if (fee === null) return false
  const { order_id: orderId } = payment
  const of = { orderId }
  const entry = { eventId: payment.event_id, of, method, currency, at, paymentId: payment.id }
  const isNew = await ledger.record(tx, { ...entry, kind: 'fee', entryId, amount: fee })
  if (!isNew) return false
  await shareFee(tx, orderId, existing?.registrations)
  return true
}

/**
 * Gives each registration of an order its part of the fees, once all are known.
 *
 * @param existing the registrations, if they were read in this transaction
 */
export async function shareFee(
  tx: WriteTx,
  orderId: string,
  existing?: readonly Registration[],
): Promise<void> {
  const { fee } = ledger.balanceOf(await ledger.list(tx, { orderId }))
  const lines = existing ?? (await checkout.listByOrder(tx, orderId))
  const confirmed = lines.filter(({ confirmed_at }) => confirmed_at !== null)
  // A line that was cancelled before it was paid bears no part, if others stand.
  const sharing = confirmed.length > 0 ? confirmed : lines
  const weights = sharing.map(line => line.amount_total)
  const parts = fee === null ? [] : shareOut(fee, weights)
  for (const line of lines) {
    const part = parts[sharing.indexOf(line)] ?? null
    await checkout.setFee(tx, line.id, part)
  }
}

/**
 * Settles the order of a confirmed payment. `amount` has the minor units that came for it and do not go back already, and `at`
 * says when they came, in milliseconds.
 *
 * @param order as it was read in this transaction
 */
export async function settleOrder(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: OrderDetails,
  { amount, at }: { amount: number; at: number },
): Promise<Settled> {
  const { id: paymentId } = payment
  const returnAll = async (reason: RefundReason) => {
    await returnMoney(tx, order, { amount, reason, paymentId })
    return 'returned' as const
  }
  const isAwaited = order.waits_for === 'payment'
  const isOff = order.event.status === 'cancelled'
  if (isAwaited && (isOff || isErased(order))) {
    await orders.end(tx, order, 'cancelled')
    return returnAll(isOff ? 'event_cancelled' : 'late')
  }
  const confirmed = isAwaited ? await confirm(tx, order) : await findRevived(tx, order)
  if (confirmed === undefined) return returnAll(order.status === 'confirmed' ? 'twice' : 'late')
  const stillConfirmed = confirmed.registrations.filter(({ status }) => status === 'confirmed')
  const wanted = stillConfirmed.reduce((sum, { amount_total }) => sum + amount_total, 0)
  const priced = stillConfirmed.filter(({ amount_total }) => amount_total > 0)
  await checkout.announcePaid(tx, priced)
  await shareFee(tx, order.id, confirmed.registrations)
  // The receipt is for what still stands, or for less if a member accepted less. The rest goes straight back.
  const kept = Math.min(wanted, amount)
  const paid = { orderId: order.id, order: confirmed, paymentId, amount: kept, at, method: payment.method }
  await receipts.issue(tx, paid)
  const excess = { amount: amount - payment.amount, reason: 'excess', paymentId } as const
  // The excess goes back, and so does the price of a line that was cancelled before it was paid.
  const ofLines = { amount: payment.amount - wanted, reason: 'line_cancelled', paymentId } as const
  await returnMoney(tx, confirmed, excess)
  await returnMoney(tx, confirmed, ofLines)
  return 'confirmed'
}

/**
 * Revives an order that was not paid in time, if its event is published and not over and there is room.
 *
 * @returns undefined if it cannot
 */
async function findRevived(tx: WriteTx, order: OrderDetails): Promise<OrderDetails | undefined> {
  const { status, failed_for: reason, event } = order
  if (status !== 'failed' || reason !== 'unpaid' || isErased(order)) return undefined
  if (event.status !== 'published' || tx.clock() >= eventPages.endOf(event)) return undefined
  try {
    return await tx.attempt(() => revive(tx, order))
  } catch (error) {
    if (error instanceof Problem && (error.code === 'sold_out' || error.code === 'code_used_up'))
      return undefined
    throw error
  }
}

/** Tells whether the buyer is anonymous by now, so that nobody would get the tickets. */
function isErased({ buyer }: Pick<Order, 'buyer'>): boolean {
  return buyer.email === ERASED_EMAIL
}

/**
 * Refunds what came for a payment, as far as it has not gone back already, and tells the buyer why. `amount` is in minor units.
 * If it is 0 or less, nothing goes back.
 */
export async function returnMoney(
  tx: WriteTx,
  order: Order,
  { amount, reason, paymentId }: { amount: number; reason: RefundReason; paymentId: string },
): Promise<void> {
  if (amount <= 0) return
  const { id: orderId, event_id: eventId, currency } = order
  const sources = await listRefundSources(tx, { orderId })
  const ofPayment = sources.filter(source => source.paymentId === paymentId)
  // It may have been refunded at the processor before it was known here.
  const left = ofPayment.reduce((sum, source) => sum + source.left, 0)
  const back = Math.min(amount, left)
  if (back <= 0) return
  const wanted = { orderId, eventId, amount: back, currency, reason, paymentId }
  for (const refund of await refunds.requestFrom(tx, wanted, ofPayment))
    await queueReturned(tx, order, refund)
}
