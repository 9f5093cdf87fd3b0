import type { ReadTx, WriteTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import * as ledger from '../ledger/rules.ts'
import * as orders from '../orders/rules.ts'
import type { Order, OrderDetails } from '../orders/schemas.ts'
import { Problem } from '../problem.ts'
import * as receipts from '../receipts/rules.ts'
import * as checkout from '../registrations/checkout.ts'
import { DAY } from '../time.ts'
import { ERASED_EMAIL } from '../words.ts'
import { hasProcessor } from './processor.ts'
import type { RefundReason } from './refund-store.ts'
import * as refunds from './refunds.ts'
import { shareOut } from './shares.ts'
import * as store from './store.ts'
import { tellReturned } from './telling.ts'

/** Money that came for a payment. Amounts in minor units, instants in milliseconds. */
export interface Money {
  /** Of what has moved it: unique, and what goes back is of it. */
  entryId: string
  amount: number
  currency: string
  at: number
  /** Null where it is not known yet. */
  fee: number | null
  method: ledger.LedgerMethod
}

/** What became of it: nothing where it was known already. */
export type Settled = 'known' | 'confirmed' | 'kept' | 'returned'

/**
 * Settles money that came: the order is confirmed with its tickets, or the money goes back, once, with a mail that says why. Told
 * again, nothing changes but a fee that has become known. An amount that was not asked for is kept and shown, and confirms nothing.
 */
export async function settle(
  tx: WriteTx,
  accountId: string,
  paymentId: string,
  money: Money,
): Promise<Settled> {
  const payment = await store.find(tx, accountId, paymentId)
  if (payment === undefined) throw new Problem('not_found')
  const isNew = await record(tx, payment, money)
  await noteFee(tx, accountId, payment, money)
  if (!isNew) return 'known'
  const received = (payment.received ?? 0) + money.amount
  const isOwn = money.currency === payment.currency
  // What came of it before it ended without being paid goes back already.
  const counted = payment.ended_at === null ? received : money.amount
  // Who pays without a processor may pay in parts, and too much.
  const isEnough = hasProcessor(payment.method) ? counted === payment.amount : counted >= payment.amount
  const now = await tx.now()
  const isOver = payment.ended_at !== null
  // Nobody decides about what comes once all is over.
  if (isOver && (payment.status === 'confirmed' || !isOwn || !isEnough)) {
    await store.update(tx, payment, { received }, now)
    const order = await orders.getDetails(tx, accountId, payment.order_id)
    const reason = order.status === 'confirmed' ? 'twice' : 'late'
    await giveBack(tx, accountId, order, { amount: money.amount, reason, paymentId })
    return 'returned'
  }
  if (!isOwn || !isEnough) {
    await keep(tx, payment, received, isOwn && !hasProcessor(payment.method) ? 'partly_paid' : 'other_amount')
    return 'kept'
  }
  const next = money.fee === null ? tx.clock() + FIRST_FEE_LOOK : null
  const changes = { status: 'confirmed', received, trouble: null, looks: 0, next_look_at: next } as const
  await store.update(tx, payment, { ...changes, ended_at: now, charge_id: money.entryId }, now)
  return settleOrder(tx, accountId, payment, { amount: counted, at: money.at })
}

/** Keeps money that confirms nothing. Somebody has to look into it, and nobody else gets the places meanwhile. */
async function keep(
  tx: WriteTx,
  payment: store.PaymentRow,
  received: number,
  trouble: string,
): Promise<void> {
  const status = payment.ended_at === null ? 'pending' : payment.status
  const changes = { status, received, trouble, looks: 0, next_look_at: null } as const
  await store.update(tx, payment, changes, await tx.now())
  const order = await orders.get(tx, payment.account_id, payment.order_id)
  const until = tx.clock() + KEPT_DAYS * DAY
  if (order.waits_for === 'payment' && Date.parse(order.expires_at as string) < until)
    await orders.awaitPayment(tx, payment.account_id, order.id, until)
}

/** Days that the places are held of an order that was paid with another amount than was asked for. */
const KEPT_DAYS = 7
/** When a fee is asked for that was not known at once, in milliseconds. */
const FIRST_FEE_LOOK = 60_000

async function record(tx: WriteTx, payment: store.PaymentRow, money: Money): Promise<boolean> {
  const { entryId, amount, currency, at, method } = money
  const of = { orderId: payment.order_id }
  const entry = { eventId: payment.event_id, of, method, currency, at, paymentId: payment.id }
  return ledger.record(tx, payment.account_id, { ...entry, kind: 'payment', entryId, amount })
}

/** Keeps what the processor took, and which of it each registration has. */
export async function noteFee(
  tx: WriteTx,
  accountId: string,
  payment: store.PaymentRow,
  { entryId, fee, currency, at, method }: Money,
): Promise<boolean> {
  if (fee === null) return false
  const { order_id: orderId } = payment
  const of = { orderId }
  const entry = { eventId: payment.event_id, of, method, currency, at, paymentId: payment.id }
  const isNew = await ledger.record(tx, accountId, { ...entry, kind: 'fee', entryId, amount: fee })
  if (isNew) await shareFee(tx, accountId, orderId)
  return isNew
}

/** Gives each registration of an order its part of the fees, once all are known. */
export async function shareFee(tx: WriteTx, accountId: string, orderId: string): Promise<void> {
  const { fee } = ledger.balanceOf(await ledger.list(tx, accountId, { orderId }))
  const lines = await checkout.listByOrder(tx, accountId, orderId)
  const confirmed = lines.filter(({ confirmed_at }) => confirmed_at !== null)
  // One that was cancelled before it was paid has no part in it, where others stand.
  const sharing = confirmed.length > 0 ? confirmed : lines
  const weights = sharing.map(line => line.amount_total)
  const parts = fee === null ? [] : shareOut(fee, weights)
  for (const line of lines) {
    const part = parts[sharing.indexOf(line)] ?? null
    await checkout.setFee(tx, accountId, line.id, part)
  }
}

/** Settles the order of a payment that is confirmed. @param came minor units that came for it and do not go back already, and when, in milliseconds */
export async function settleOrder(
  tx: WriteTx,
  accountId: string,
  payment: store.PaymentRow,
  { amount, at }: { amount: number; at: number },
): Promise<Settled> {
  const order = await orders.getDetails(tx, accountId, payment.order_id)
  const { id: paymentId } = payment
  if (order.waits_for === 'payment') {
    const isOff = await isCancelled(tx, order.account_id, order.event_id)
    if (isOff || isErased(order)) {
      await orders.fail(tx, accountId, order.id, 'cancelled')
      const reason = isOff ? 'event_cancelled' : 'late'
      await giveBack(tx, accountId, order, { amount, reason, paymentId })
      return 'returned'
    }
    await orders.confirm(tx, accountId, order.id)
  } else if (!(await revived(tx, accountId, order))) {
    const reason = order.status === 'confirmed' ? 'twice' : 'late'
    await giveBack(tx, accountId, order, { amount, reason, paymentId })
    return 'returned'
  }
  await announce(tx, accountId, order.id)
  await shareFee(tx, accountId, order.id)
  await issueReceipt(tx, accountId, payment, at)
  await giveBackExcess(tx, accountId, order.id, payment, amount)
  return 'confirmed'
}

/** Of what stands: the rest goes straight back. */
async function issueReceipt(
  tx: WriteTx,
  accountId: string,
  { id: paymentId, order_id: orderId, method }: store.PaymentRow,
  at: number,
): Promise<void> {
  const { registrations } = await orders.getDetails(tx, accountId, orderId)
  const standing = registrations.filter(({ status }) => status === 'confirmed')
  const amount = standing.reduce((sum, { amount_total }) => sum + amount_total, 0)
  await receipts.issue(tx, accountId, { orderId, paymentId, amount, at, method })
}

/** A line that was cancelled before it was paid is paid back, and so is what was paid too much. */
async function giveBackExcess(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  payment: store.PaymentRow,
  amount: number,
): Promise<void> {
  const order = await orders.getDetails(tx, accountId, orderId)
  const standing = order.registrations.filter(({ status }) => status === 'confirmed')
  const wanted = standing.reduce((sum, { amount_total }) => sum + amount_total, 0)
  const { id: paymentId } = payment
  const excess = { amount: amount - payment.amount, reason: 'excess', paymentId } as const
  const ofLines = { amount: payment.amount - wanted, reason: 'line_cancelled', paymentId } as const
  await giveBack(tx, accountId, order, excess)
  await giveBack(tx, accountId, order, ofLines)
}

async function announce(tx: WriteTx, accountId: string, orderId: string): Promise<void> {
  for (const line of await checkout.listByOrder(tx, accountId, orderId))
    if (line.status === 'confirmed' && line.amount_total > 0) await checkout.announcePaid(tx, accountId, line)
}

/** Whether an order that was not paid in time stands again: of an event that is on and not over, while there is room. */
async function revived(tx: WriteTx, accountId: string, order: OrderDetails): Promise<boolean> {
  if (order.status !== 'failed' || order.failed_for !== 'unpaid' || isErased(order)) return false
  const event = await events.getDetails(tx, accountId, order.event_id)
  if (event.status !== 'published' || tx.clock() >= eventPages.endOf(event)) return false
  try {
    await tx.attempt(() => orders.revive(tx, accountId, order.id))
    return true
  } catch (error) {
    if (error instanceof Problem && (error.code === 'sold_out' || error.code === 'code_used_up')) return false
    throw error
  }
}

/** Whether nobody is to pay for it any more. */
export async function isCancelled(tx: ReadTx, accountId: string, eventId: string): Promise<boolean> {
  return (await events.get(tx, accountId, eventId)).status === 'cancelled'
}

/** Whose buyer is anonymous by now: nobody would get the tickets. */
function isErased({ buyer }: Pick<Order, 'buyer'>): boolean {
  return buyer.email === ERASED_EMAIL
}

/**
 * Has what came for a payment go back, or as much of it as has not gone back already, and tells the buyer why.
 *
 * @param what.amount minor units; nothing where it is not above 0
 */
export async function giveBack(
  tx: WriteTx,
  accountId: string,
  order: Order,
  { amount, reason, paymentId }: { amount: number; reason: RefundReason; paymentId: string },
): Promise<void> {
  // It may have been paid back at the processor before it was known here.
  const left = await refunds.leftOf(tx, accountId, order.id, paymentId)
  const back = Math.min(amount, left)
  if (back <= 0) return
  const { id: orderId, event_id: eventId, currency } = order
  const wanted = { orderId, eventId, amount: back, currency, reason, paymentId }
  for (const refund of await refunds.request(tx, accountId, wanted))
    await tellReturned(tx, accountId, order, refund)
}
