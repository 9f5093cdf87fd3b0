import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { queueRefund } from './queue-mails.ts'
import * as refunds from './refunds.ts'
import { get } from './rules.ts'
import type { Payment } from './schemas.ts'
import { settleOrder } from './settle.ts'
import * as store from './store.ts'

/** Tells whether a payment received another amount than was asked for, and waits for somebody to decide. */
export function isToDecide({ trouble, status, received }: Payment): boolean {
  const isOther = trouble === 'other_amount' || trouble === 'partly_paid'
  return isOther && status !== 'confirmed' && received !== null && received > 0
}

/** @throws Problem not_found; payment_ended for a payment that waits for no decision */
async function findToDecide(tx: WriteTx, id: string): Promise<store.PaymentRow> {
  const payment = await get(tx, id)
  if (!isToDecide(payment)) throw new Problem('payment_ended')
  return (await store.find(tx, id)) as store.PaymentRow
}

/**
 * Accepts what came for a payment as the full price, and confirms its order if there is room. An excess goes back.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for a payment that waits for no decision, or if the money has another currency or goes
 *   back
 */
export async function acceptAmount(tx: WriteTx, id: string): Promise<Payment> {
  const payment = await findToDecide(tx, id)
  const entries = await ledger.list(tx, { orderId: payment.order_id })
  const own = entries.filter(({ kind, payment_id }) => kind === 'payment' && payment_id === id)
  const received = payment.received as number
  const isThere = (await refunds.leftOf(tx, payment.order_id)) >= received
  if (!isThere || own.some(({ currency }) => currency !== payment.currency))
    throw new Problem('payment_ended')
  const amount = Math.min(payment.amount, received)
  const now = await tx.now()
  await store.update(
    tx,
    payment,
    {
      ...{ status: 'confirmed', amount, trouble: null, looks: 0, next_look_at: null },
      ...{ ended_at: payment.ended_at ?? now, charge_id: own.at(-1)?.entry_id ?? null },
    },
    now,
  )
  const order = await orders.getDetails(tx, payment.order_id)
  await settleOrder(tx, { ...payment, amount }, order, { amount: received, at: tx.clock() })
  return get(tx, id)
}

/**
 * Refunds what came for a payment with the wrong amount. Its order ends if it still waits.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for a payment that waits for no decision
 */
export async function declineAmount(tx: WriteTx, id: string): Promise<Payment> {
  const payment = await findToDecide(tx, id)
  const { order_id: orderId, event_id: eventId, currency } = payment
  const now = await tx.now()
  const closed = { trouble: null, looks: 0, next_look_at: null, ended_at: payment.ended_at ?? now }
  const status = payment.ended_at === null ? 'cancelled' : payment.status
  await store.update(tx, payment, { ...closed, status }, now)
  const order = await orders.getDetails(tx, orderId)
  if (order.waits_for === 'payment') await orders.end(tx, order, 'declined')
  const left = await refunds.leftOf(tx, orderId)
  const amount = Math.min(left, payment.received as number)
  if (amount > 0) {
    await refunds.request(tx, { orderId, eventId, currency, amount, reason: 'organizer' })
    await queueRefund(tx, order, { cause: id, amount })
  }
  return get(tx, id)
}
