import { newCreditorReference } from '../creditor-reference.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { newUuid } from '../ids.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { Problem } from '../problem.ts'
import { hasProcessor, type Method, type Processors } from './processor.ts'
import { type Payment, presentPayment } from './schemas.ts'
import * as store from './store.ts'
import { tellToPay } from './telling.ts'
import { heldUntil, waysFor } from './ways.ts'

/** Sessions of a processor that one order may have: each holds its places for half an hour. */
const MOST_SESSIONS = 3

/**
 * Begins to pay an order that has no open payment, and holds its places for that.
 *
 * @throws Problem those of `refuseToBegin`
 */
export async function begin(
  tx: WriteTx,
  accountId: string,
  order: Order,
  method: Method,
  processors: Processors,
): Promise<Payment> {
  const { event, amount } = await refuseToBegin(tx, accountId, order, method, processors)
  const { id: orderId, event_id: eventId, currency } = order
  const isAsked = hasProcessor(method)
  const row: store.PaymentRow = {
    ...{ id: newUuid(), account_id: accountId, event_id: eventId, order_id: orderId, method },
    ...{ status: isAsked ? 'created' : 'pending', currency, amount, received: null },
    reference: isAsked ? null : await newReference(tx, accountId),
    ...{ session_id: null, charge_id: null, call: null, url: null, expires_at: null },
    ...{ next_look_at: isAsked ? tx.clock() : null, looks: 0, trouble: null, ended_at: null },
    ...{ next_method: null, created_at: await tx.now() },
  }
  await store.insert(tx, row)
  const until = Math.max(heldUntil(event, method, tx.clock()), Date.parse(order.expires_at as string))
  const held = await orders.awaitPayment(tx, accountId, orderId, until)
  if (!isAsked) await tellToPay(tx, accountId, held, row.id)
  return presentPayment(row)
}

/**
 * @returns what there is to pay, in minor units, and for which event
 * @throws Problem method_not_offered; not_on_sale where the event is cancelled; payment_ended where the order had too many sessions
 */
export async function refuseToBegin(
  tx: WriteTx,
  accountId: string,
  { id, event_id: eventId }: Order,
  method: Method,
  processors: Processors,
): Promise<{ event: EventDetails; amount: number }> {
  const payments = await store.listByOrder(tx, accountId, id)
  const sessions = payments.filter(payment => hasProcessor(payment.method)).length
  if (hasProcessor(method) && sessions >= MOST_SESSIONS) throw new Problem('payment_ended')
  const event = await events.getDetails(tx, accountId, eventId)
  if (event.status === 'cancelled') throw new Problem('not_on_sale')
  const amount = await orders.dueOf(tx, accountId, id)
  const ways = await waysFor(tx, accountId, event, amount, processors, tx.clock())
  if (!ways.includes(method)) throw new Problem('method_not_offered')
  return { event, amount }
}

async function newReference(tx: ReadTx, accountId: string): Promise<string> {
  for (;;) {
    const reference = newCreditorReference()
    if ((await store.findByReference(tx, accountId, reference)) === undefined) return reference
  }
}
