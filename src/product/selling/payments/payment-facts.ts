import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { awaitPayment } from '#product/selling/orders/order-changes.ts'
import { MOST_PROCESSING } from '#product/selling/orders/reservation-time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { dueOf, type Order, type OrderDetails } from '#product/selling/orders/schemas.ts'
import type { Session } from './processor.ts'
import { queueUnderWay, queueUnpaid } from './queue-mails.ts'
import { type Money, noteFee, returnMoney, settlePayment } from './settle.ts'
import * as store from './store.ts'

/** How long until an open session is looked at again if no event comes before, in milliseconds. */
export const OPEN = 5 * MINUTE
const PROCESSING = HOUR
/** How long until a failed step is taken again, in milliseconds, longer each time. */
const DELAYS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]
/** How long until a fee is asked for again, in milliseconds. If it is not known after all of them, it stays unknown. */
export const FEE_DELAYS = [5 * MINUTE, HOUR, 12 * HOUR, ...Array.from({ length: 14 }, () => DAY)]

export function delayAfter(attempts: number): number {
  return DELAYS[Math.min(attempts, DELAYS.length - 1)] as number
}

/** Stores what a processor says of the session of a payment. @returns whether the session has to be ended there */
export async function apply(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: OrderDetails,
  session: Session,
): Promise<boolean> {
  const now = tx.clock()
  const again = async (changes: store.PaymentChanges) => {
    await store.update(tx, payment, { looks: 0, ...changes }, await tx.now())
  }
  if (session.state === 'paid') {
    await settlePaid(tx, payment, order, session)
  } else if (session.state === 'open') {
    const until = order.expires_at === null ? 0 : Date.parse(order.expires_at)
    // This holds for an ended payment too: as long as its session is open, somebody may pay it.
    if (payment.ended_at !== null || now >= until || !canBePaid(payment, order)) {
      await again({ next_look_at: now + delayAfter(payment.looks + 1), looks: payment.looks + 1 })
      return true
    }
    await again({ url: session.url, next_look_at: Math.min(now + OPEN, until) })
  } else if (payment.ended_at !== null) {
    await again({ next_look_at: null })
  } else if (session.state === 'processing') {
    await process(tx, payment, order)
  } else {
    await end(tx, payment, order, session.state === 'failed' ? 'failed' : 'cancelled')
    const isOver = order.expires_at !== null && now >= Date.parse(order.expires_at)
    // A payment that fails after days has held the places long enough. A buyer who has chosen another way begins that now.
    const isLeft = payment.next_method !== null
    if (order.waits_for === 'payment' && !isLeft && (isOver || payment.status === 'pending'))
      await failOrder(tx, order)
  }
  return false
}

/** Holds the places while money is on its way, but no longer than it may take. */
async function process(tx: WriteTx, payment: store.PaymentRow, order: OrderDetails): Promise<void> {
  const now = tx.clock()
  const isAwaited = order.waits_for === 'payment'
  if (isAwaited && payment.status === 'created')
    await queueUnderWay(tx, await awaitPayment(tx, order, now + MOST_PROCESSING), payment.id)
  else if (isAwaited && now >= Date.parse(order.expires_at as string)) await failOrder(tx, order)
  // Nothing makes it due sooner.
  const changes = { status: 'pending', looks: 1, next_look_at: now + PROCESSING } as const
  await store.update(tx, payment, changes, await tx.now())
}

/** Tells whether an order waits for this payment and no other, for the same amount, and its event is not cancelled. */
export function canBePaid(payment: store.PaymentRow, order: OrderDetails): boolean {
  if (payment.next_method !== null) return false
  if (order.waits_for !== 'payment' || order.event.status === 'cancelled') return false
  return dueOf(order) === payment.amount
}

async function settlePaid(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: OrderDetails,
  session: Session,
): Promise<void> {
  const money = moneyOf(payment, session, tx.clock())
  if (payment.status === 'confirmed') return lookForFee(tx, payment, order, session, money)
  if ((await settlePayment(tx, payment, money, order)) !== 'known') return
  // A known payment that is not confirmed has another amount. It waits for a decision as long as its order does.
  await store.update(tx, payment, { looks: 0, next_look_at: null }, await tx.now())
  const isOver = order.expires_at === null || tx.clock() >= Date.parse(order.expires_at)
  if (order.waits_for === 'payment' && isOver) await failOrder(tx, order)
  if (order.waits_for !== 'payment' || isOver) await end(tx, payment, order, 'cancelled', payment.trouble)
}

async function lookForFee(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: OrderDetails,
  { isFeeForeign = false }: Session,
  money: Money,
): Promise<void> {
  await noteFee(tx, payment, money, order)
  const delay = FEE_DELAYS[payment.looks]
  const isOver = money.fee !== null || isFeeForeign || delay === undefined
  const changes = {
    looks: payment.looks + 1,
    next_look_at: isOver ? null : tx.clock() + (delay as number),
    trouble: isFeeForeign ? 'fee_currency' : null,
  }
  await store.update(tx, payment, changes, await tx.now())
}

function moneyOf({ method }: store.PaymentRow, session: Session, now: number): Money {
  const { id, chargeId, amount, currency, paidAt, fee } = session
  return { entryId: chargeId ?? id, amount, currency, at: paidAt ?? now, fee, method }
}

/** Ends a payment that was not fully paid. Any part of it that came goes back. */
export async function end(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: Order,
  status: 'failed' | 'cancelled',
  trouble: string | null = null,
): Promise<void> {
  if (payment.ended_at !== null) return
  const now = await tx.now()
  await store.update(tx, payment, { status, trouble, next_look_at: null, ended_at: now }, now)
  if (payment.received === null) return
  const { received: amount, id: paymentId } = payment
  await returnMoney(tx, order, { amount, reason: 'late', paymentId })
}

/** Ends an order that was not paid in time, which gives its places back. */
export async function failOrder(tx: WriteTx, order: OrderDetails): Promise<void> {
  await queueUnpaid(tx, await orders.end(tx, order, 'unpaid'))
}
