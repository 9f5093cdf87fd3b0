import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'

/** Whom a receipt is made out to, if not to the buyer alone. A field is null if nobody filled it in. */
export const invoiceFields = {
  company: v.nullable(fields.name()),
  /** The address may have several lines. */
  address: v.nullable(fields.text(500)),
  vat_id: v.nullable(fields.name(50)),
}

export type Invoice = { [Name in keyof typeof invoiceFields]: string | null }

export const NO_INVOICE: Invoice = { company: null, address: null, vat_id: null }

/**
 * Tells whether the invoice of an order needs the postal address of its buyer. Below the amount that the seller has set, the law
 * is content with a simplified one. What is sold in another currency than the seller's cannot be compared, and needs none.
 *
 * @param from the amount; null if no invoice needs one
 */
export function needsAddress(
  { amount_total, currency }: { amount_total: number; currency: string },
  from: accounts.Sum | null,
): boolean {
  return from !== null && currency === from.currency && amount_total > 0 && amount_total >= from.amount
}

/** Tells the same of an order that was placed. */
export async function isAddressNeeded(
  tx: ReadTx,
  order: Parameters<typeof needsAddress>[0],
): Promise<boolean> {
  return order.amount_total > 0 && needsAddress(order, await accounts.findInvoiceFrom(tx))
}

/** @throws Problem address_needed if an address is needed and missing */
export function refuseWithoutAddress(isNeeded: boolean, { address }: Pick<Invoice, 'address'>): void {
  if (isNeeded && address === null) throw new Problem('address_needed', { param: 'invoice.address' })
}
