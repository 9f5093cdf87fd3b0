import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { type Invoice, isAddressNeeded, refuseWithoutAddress } from '#product/selling/orders/invoice.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import * as store from './store.ts'

/** Tells whether a buyer may still say whom the receipt is made out to: there will be a receipt, and it is not made yet. */
export function mayInvoice({ amount_total, status }: Order, receipts: readonly unknown[]): boolean {
  return amount_total > 0 && receipts.length === 0 && (status === 'pending' || status === 'confirmed')
}

/**
 * Sets whom the receipt of an order is made out to, until it is made.
 *
 * @returns whether that changed anything
 * @throws Problem not_found; receipt_made, also if there will be no receipt; address_needed
 */
export async function setInvoice(tx: WriteTx, orderId: string, invoice: Invoice): Promise<boolean> {
  const order = await orders.get(tx, orderId)
  if (!mayInvoice(order, await store.listByOrder(tx, orderId))) throw new Problem('receipt_made')
  refuseWithoutAddress(await isAddressNeeded(tx, order), invoice)
  return orders.setInvoice(tx, order, invoice)
}
