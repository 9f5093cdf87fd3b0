import { isCreditorReference } from '../creditor-reference.ts'
import type { ReadTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import * as store from './store.ts'

/**
 * Orders of an event that are named so, the newest first: by their reference or that of a payment of theirs, however people write
 * it, or by the e-mail of their buyer.
 */
export async function findOrders(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  q: string,
  limit: number,
): Promise<Order[]> {
  if (q.includes('@')) return orders.listByBuyer(tx, accountId, eventId, emailKey(q.trim()), limit)
  const plain = q.replace(/[^A-Za-z0-9]/g, '').toUpperCase()
  const payment = isCreditorReference(plain) && (await store.findByReference(tx, accountId, plain))
  if (payment) return payment.event_id === eventId ? [await orders.get(tx, accountId, payment.order_id)] : []
  const order = await orders.findByReference(tx, accountId, eventId, plain)
  return order === undefined ? [] : [order]
}
