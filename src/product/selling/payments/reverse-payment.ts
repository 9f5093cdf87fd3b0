import type { WriteTx } from '../db/port.ts'
import * as ledger from '../ledger/rules.ts'
import { Problem } from '../problem.ts'
import { hasProcessor } from './processor.ts'
import type { Money } from './settle.ts'
import * as store from './store.ts'

/**
 * Takes back that money came for a payment, as it was somebody else's: while it is a part of what is asked for, and nothing has come
 * of it. The ledger keeps both.
 *
 * @throws Problem not_found; invalid_transition with `details.reason` `money_used` where the payment has ended
 */
export async function takeBack(
  tx: WriteTx,
  accountId: string,
  paymentId: string,
  { entryId, amount, currency, at, method }: Omit<Money, 'fee'>,
): Promise<void> {
  const payment = await store.find(tx, accountId, paymentId)
  if (payment === undefined) throw new Problem('not_found')
  const { order_id: orderId, event_id: eventId, received, ended_at } = payment
  if (ended_at !== null || hasProcessor(payment.method) || (received ?? 0) < amount)
    throw new Problem('invalid_transition', { details: { reason: 'money_used' } })
  const entry = { eventId, of: { orderId }, method, currency, at, paymentId }
  const isNew = await ledger.record(tx, accountId, { ...entry, kind: 'payment_reversal', entryId, amount })
  if (!isNew) return
  const left = (received ?? 0) - amount
  const changes = { received: left === 0 ? null : left, trouble: left === 0 ? null : payment.trouble }
  await store.update(tx, payment, changes, await tx.now())
}
