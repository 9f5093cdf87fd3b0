import { newCreditorReference } from '#base/creditor-reference.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { awaitPayment } from '#product/selling/orders/order-changes.ts'
import { dueOf, type OrderDetails } from '#product/selling/orders/schemas.ts'
import { findMethods, reservedUntil } from './methods.ts'
import { hasProcessor, type Method, type Processors } from './processor.ts'
import { queuePaymentDue } from './queue-mails.ts'
import { type Payment, presentPayment } from './schemas.ts'
import * as store from './store.ts'

/** The most sessions of a processor that one order may have. Each holds its places for half an hour. */
const MOST_SESSIONS = 3

/** A processor takes back to an address that is no longer than some thousand characters, of which this is a part. */
const MOST_OF_ADDRESS = 1_000

/** Returns an address that is short enough to be carried by one that leads back from a processor: a long one is cut to its site. */
function carried(address: string): string {
  return encodeURIComponent(address).length <= MOST_OF_ADDRESS ? address : `${new URL(address).origin}/`
}

/** How a payment is to begin. */
export interface Beginning {
  method: Method
  /** The address of the page of the organizer's own site that the buyer came from, as `readBack` returns it. */
  back?: string | null | undefined
}

/**
 * Begins to pay an order that has no open payment, and holds its places for that.
 *
 * @param order as it was read in this transaction
 * @throws Problem those of `refuseToStart`
 */
export async function startPayment(
  tx: WriteTx,
  order: OrderDetails,
  beginning: Beginning,
  processors: Processors,
): Promise<Payment> {
  const before = await store.listByOrder(tx, order.id)
  await refuseToStart(tx, { order, before }, beginning.method, processors)
  return startAllowed(tx, order, beginning)
}

/** Does the same as `startPayment` for what `refuseToStart` has let pass. */
export async function startAllowed(
  tx: WriteTx,
  order: OrderDetails,
  { method, back = null }: Beginning,
): Promise<Payment> {
  const { id: orderId, event_id: eventId, event, currency } = order
  const isOnline = hasProcessor(method)
  const row: store.PaymentRow = {
    ...{ id: newUuid(), account_id: tx.accountId, event_id: eventId, order_id: orderId, method },
    ...{ status: isOnline ? 'created' : 'pending', currency, amount: dueOf(order), received: null },
    reference: isOnline ? null : await newReference(tx),
    ...{ session_id: null, charge_id: null, call: null, url: null, expires_at: null },
    ...{ next_look_at: isOnline ? tx.clock() : null, looks: 0, trouble: null, ended_at: null },
    ...{ next_method: null, back: isOnline && back ? carried(back) : null, created_at: await tx.now() },
  }
  await store.insert(tx, row)
  const until = Math.max(reservedUntil(event, method, tx.clock()), Date.parse(order.expires_at as string))
  const awaiting = await awaitPayment(tx, order, until)
  if (!isOnline) await queuePaymentDue(tx, awaiting, row.id)
  return presentPayment(row)
}

/**
 * Throws if a payment of an order cannot begin. The order is as it was read in this transaction, and `before` has its payments.
 *
 * @throws Problem method_not_offered; payment_paused if the method takes no money at the moment; not_on_sale if the event is
 *   cancelled; payment_ended if the order had too many sessions
 */
export async function refuseToStart(
  tx: WriteTx,
  { order, before }: { order: OrderDetails; before: readonly Pick<Payment, 'method'>[] },
  method: Method,
  processors: Processors,
): Promise<void> {
  const sessions = before.filter(payment => hasProcessor(payment.method)).length
  if (hasProcessor(method) && sessions >= MOST_SESSIONS) throw new Problem('payment_ended')
  const { event } = order
  if (event.status === 'cancelled') throw new Problem('not_on_sale')
  const { offered, paused } = await findMethods(tx, event, dueOf(order), processors, tx.clock())
  if (paused.includes(method)) throw new Problem('payment_paused')
  if (!offered.includes(method)) throw new Problem('method_not_offered')
}

async function newReference(tx: ReadTx): Promise<string> {
  for (;;) {
    const reference = newCreditorReference()
    if ((await store.findByReference(tx, reference)) === undefined) return reference
  }
}
