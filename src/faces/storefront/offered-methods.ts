import type { Basket } from '#product/selling/orders/basket.ts'
import { findMethods, type PaymentMethods } from '#product/selling/payments/methods.ts'
import type { StorefrontServices } from './storefront-services.ts'
import type { PublicEvent } from './view-page.tsx'

/** Returns the methods by which a buyer can pay for a basket now. An order that needs approval is paid later. */
export async function readOfferedMethods(
  { db, clock, payments }: StorefrontServices,
  { accountId }: Pick<PublicEvent, 'accountId'>,
  { event, total }: Pick<Basket, 'event' | 'total'>,
): Promise<PaymentMethods> {
  if (total === 0 || event.requires_approval) return { offered: [], paused: [] }
  return db.read(accountId, tx => findMethods(tx, event, total, payments.processors, clock()))
}
