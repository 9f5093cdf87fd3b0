import type { WriteTx } from '../db/port.ts'
import type { Invoice } from '../orders/invoice.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { Problem } from '../problem.ts'
import * as store from './store.ts'

/** Whether a buyer may still say whom the receipt is made out to: there will be one, and it is not made yet. */
export function mayInvoice({ amount_total, status }: Order, receipts: readonly unknown[]): boolean {
  return amount_total > 0 && receipts.length === 0 && (status === 'pending' || status === 'confirmed')
}

/**
 * Says whom the receipt of an order is made out to, until it is made.
 *
 * @returns whether that is another than before
 * @throws Problem not_found; receipt_made, also where there will be none
 */
export async function setInvoice(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  invoice: Invoice,
): Promise<boolean> {
  const order = await orders.get(tx, accountId, orderId)
  if (!mayInvoice(order, await store.listByOrder(tx, accountId, orderId))) throw new Problem('receipt_made')
  return orders.setInvoice(tx, accountId, order, invoice)
}
