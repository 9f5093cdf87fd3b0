import { isCreditorReference } from '#base/creditor-reference.ts'
import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import * as store from './store.ts'

/**
 * Returns the orders of an event that a search names, the newest first. It matches their reference or that of one of their
 * payments, however people write it, or the buyer's e-mail.
 */
export async function findOrders(tx: ReadTx, eventId: string, q: string, limit: number): Promise<Order[]> {
  if (q.includes('@')) return orders.listByBuyer(tx, eventId, emailKey(q.trim()), limit)
  const plain = q.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  const payment = isCreditorReference(plain) && (await store.findByReference(tx, plain))
  if (payment) return payment.event_id === eventId ? [await orders.get(tx, payment.order_id)] : []
  const order = await orders.findByReference(tx, eventId, plain)
  return order === undefined ? [] : [order]
}
