import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { hasProcessor } from './processor.ts'
import type { Money } from './settle.ts'
import * as store from './store.ts'

/**
 * Takes back money that came for a payment but belonged to somebody else. That works while it is only a part of what is asked for
 * and has had no effect. The ledger keeps both entries.
 *
 * @throws Problem not_found; invalid_transition with `details.reason` `money_used` if the payment has ended, has a processor, or
 *   received less
 */
export async function reversePayment(
  tx: WriteTx,
  paymentId: string,
  { entryId, amount, currency, at, method }: Omit<Money, 'fee'>,
): Promise<void> {
  const payment = await store.find(tx, paymentId)
  if (payment === undefined) throw new Problem('not_found')
  const { order_id: orderId, event_id: eventId, received, ended_at } = payment
  if (ended_at !== null || hasProcessor(payment.method) || (received ?? 0) < amount)
    throw new Problem('invalid_transition', { details: { reason: 'money_used' } })
  const entry = { eventId, of: { orderId }, method, currency, at, paymentId }
  const isNew = await ledger.record(tx, { ...entry, kind: 'payment_reversal', entryId, amount })
  if (!isNew) return
  const left = (received ?? 0) - amount
  const changes = { received: left === 0 ? null : left, trouble: left === 0 ? null : payment.trouble }
  await store.update(tx, payment, changes, await tx.now())
}
