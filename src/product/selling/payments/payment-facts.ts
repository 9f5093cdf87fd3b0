import type { ReadTx, WriteTx } from '../db/port.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../time.ts'
import type { Session } from './processor.ts'
import { giveBack, isCancelled, type Money, noteFee, settle } from './settle.ts'
import * as store from './store.ts'
import { tellUnpaid } from './telling.ts'

/** How long until something is looked at again that nobody tells of before, in milliseconds. */
export const OPEN = 5 * MINUTE
const PROCESSING = HOUR
/** For how long the places are held while money is on its way. */
const MOST_PROCESSING = 21 * DAY
/** How long until a step is taken again that has come to nothing, longer each time. */
const DELAYS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]
/** How long until a fee is asked for again; where it is not known by then, it stays so. */
export const FEE_DELAYS = [5 * MINUTE, HOUR, 12 * HOUR, ...Array.from({ length: 14 }, () => DAY)]

export function delayAfter(looks: number): number {
  return DELAYS[Math.min(looks, DELAYS.length - 1)] as number
}

/** Writes what a processor says of the session of a payment. @returns whether it has to be ended there */
export async function apply(
  tx: WriteTx,
  accountId: string,
  payment: store.PaymentRow,
  order: Order,
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
    // Also of a payment that has ended: as long as it is open, somebody may pay it.
    if (payment.ended_at !== null || now >= until || !(await canBePaid(tx, accountId, payment, order))) {
      await again({ next_look_at: now + delayAfter(payment.looks + 1), looks: payment.looks + 1 })
      return true
    }
    await again({ url: session.url, next_look_at: Math.min(now + OPEN, until) })
  } else if (payment.ended_at !== null) {
    await again({ next_look_at: null })
  } else if (session.state === 'processing') {
    await process(tx, payment, order)
  } else {
    await end(tx, payment.account_id, payment, session.state === 'failed' ? 'failed' : 'cancelled')
    const isOver = order.expires_at !== null && now >= Date.parse(order.expires_at)
    // What failed after days has held the places long enough; whoever pays in another way begins that now.
    const isLeft = payment.next_method !== null
    if (order.waits_for === 'payment' && !isLeft && (isOver || payment.status === 'pending'))
      await failOrder(tx, order.account_id, order)
  }
  return false
}

/** Money is on its way: the places are held for it, and no longer than it may take. */
async function process(tx: WriteTx, payment: store.PaymentRow, order: Order): Promise<void> {
  const now = tx.clock()
  const isAwaited = order.waits_for === 'payment'
  if (isAwaited && payment.status === 'created')
    await orders.awaitPayment(tx, payment.account_id, order.id, now + MOST_PROCESSING)
  else if (isAwaited && now >= Date.parse(order.expires_at as string))
    await failOrder(tx, order.account_id, order)
  // Nobody else has it looked at sooner.
  const changes = { status: 'pending', looks: 1, next_look_at: now + PROCESSING } as const
  await store.update(tx, payment, changes, await tx.now())
}

/** Whether an order waits for this payment, and for no other: for as much, and for an event that is on. */
export async function canBePaid(
  tx: ReadTx,
  accountId: string,
  payment: store.PaymentRow,
  order: Order,
): Promise<boolean> {
  if (payment.next_method !== null) return false
  if (order.waits_for !== 'payment' || (await isCancelled(tx, accountId, order.event_id))) return false
  return (await orders.dueOf(tx, accountId, order.id)) === payment.amount
}

async function settlePaid(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: Order,
  session: Session,
): Promise<void> {
  const money = moneyOf(payment, session, tx.clock())
  if (payment.status === 'confirmed') return lookForFee(tx, payment, session, money)
  if ((await settle(tx, payment.account_id, payment.id, money)) !== 'known') return
  // Known and not confirmed: it is another amount, which waits for somebody for as long as the order does.
  await store.update(tx, payment, { looks: 0, next_look_at: null }, await tx.now())
  const isOver = order.expires_at === null || tx.clock() >= Date.parse(order.expires_at)
  if (order.waits_for === 'payment' && isOver) await failOrder(tx, order.account_id, order)
  if (order.waits_for !== 'payment' || isOver)
    await end(tx, payment.account_id, payment, 'cancelled', payment.trouble)
}

async function lookForFee(
  tx: WriteTx,
  payment: store.PaymentRow,
  { isFeeForeign = false }: Session,
  money: Money,
): Promise<void> {
  await noteFee(tx, payment.account_id, payment, money)
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

/** Ends a payment that was not paid: what came of a part of it goes back. */
export async function end(
  tx: WriteTx,
  accountId: string,
  payment: store.PaymentRow,
  status: 'failed' | 'cancelled',
  trouble: string | null = null,
): Promise<void> {
  if (payment.ended_at !== null) return
  const now = await tx.now()
  await store.update(tx, payment, { status, trouble, next_look_at: null, ended_at: now }, now)
  if (payment.received === null) return
  const order = await orders.get(tx, accountId, payment.order_id)
  const { received: amount, id: paymentId } = payment
  await giveBack(tx, accountId, order, { amount, reason: 'late', paymentId })
}

/** Gives the places of an order back that was not paid in time. */
export async function failOrder(tx: WriteTx, accountId: string, { id }: Pick<Order, 'id'>): Promise<void> {
  await tellUnpaid(tx, accountId, await orders.fail(tx, accountId, id, 'unpaid'))
}
