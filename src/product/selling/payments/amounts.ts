import type { WriteTx } from '../db/port.ts'
import * as ledger from '../ledger/rules.ts'
import * as orders from '../orders/rules.ts'
import { Problem } from '../problem.ts'
import * as refunds from './refunds.ts'
import { get } from './rules.ts'
import type { Payment } from './schemas.ts'
import { settleOrder } from './settle.ts'
import * as store from './store.ts'
import { tellRefund } from './telling.ts'

/** Whether what came for a payment is not what was asked for, and waits for somebody to decide. */
export function isToDecide({ trouble, status, received }: Payment): boolean {
  const isOther = trouble === 'other_amount' || trouble === 'partly_paid'
  return isOther && status !== 'confirmed' && received !== null && received > 0
}

/** @throws Problem not_found; payment_ended for one that waits for no decision */
async function findToDecide(tx: WriteTx, accountId: string, id: string): Promise<store.PaymentRow> {
  const payment = await get(tx, accountId, id)
  if (!isToDecide(payment)) throw new Problem('payment_ended')
  return (await store.find(tx, accountId, id)) as store.PaymentRow
}

/**
 * Takes what came for a payment as all that there is to pay, and confirms its order, while there is room; what is too much goes back.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for one that waits for no decision, or where the money is of another currency or goes back
 */
export async function acceptAmount(tx: WriteTx, accountId: string, id: string): Promise<Payment> {
  const payment = await findToDecide(tx, accountId, id)
  const entries = await ledger.list(tx, accountId, { orderId: payment.order_id })
  const own = entries.filter(({ kind, payment_id }) => kind === 'payment' && payment_id === id)
  const received = payment.received as number
  const isThere = (await refunds.leftOf(tx, accountId, payment.order_id)) >= received
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
  await settleOrder(tx, accountId, { ...payment, amount }, { amount: received, at: tx.clock() })
  return get(tx, accountId, id)
}

/**
 * Pays back what came for a payment and is not what was asked for: its order ends, where it still waits.
 *
 * @returns the payment
 * @throws Problem not_found; payment_ended for one that waits for no decision
 */
export async function declineAmount(tx: WriteTx, accountId: string, id: string): Promise<Payment> {
  const payment = await findToDecide(tx, accountId, id)
  const { order_id: orderId, event_id: eventId, currency } = payment
  const now = await tx.now()
  const ended = { trouble: null, looks: 0, next_look_at: null, ended_at: payment.ended_at ?? now }
  const status = payment.ended_at === null ? 'cancelled' : payment.status
  await store.update(tx, payment, { ...ended, status }, now)
  const order = await orders.get(tx, accountId, orderId)
  if (order.waits_for === 'payment') await orders.fail(tx, accountId, orderId, 'declined')
  const left = await refunds.leftOf(tx, accountId, orderId)
  const amount = Math.min(left, payment.received as number)
  if (amount > 0) {
    await refunds.request(tx, accountId, { orderId, eventId, currency, amount, reason: 'organizer' })
    await tellRefund(tx, accountId, order, { cause: id, amount })
  }
  return get(tx, accountId, id)
}
