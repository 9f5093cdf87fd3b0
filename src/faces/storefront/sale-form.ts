import * as questions from '#product/guests/questions/rules.ts'
import type { Question } from '#product/guests/questions/schemas.ts'
import { readSale, type Sale } from '#product/selling/orders/basket.ts'
import { payableOf, readSetUp, type SetUp } from '#product/selling/payments/methods.ts'
import type { StorefrontServices } from './storefront-services.ts'
import type { PublicEvent } from './view-page.tsx'

/** What the form of an order is made from. It is nothing but data, so a cache can compare it. */
export interface SaleForm {
  sale: Sale
  all: readonly Question[]
  setUp: SetUp
}

export function readSaleForm(
  { db, payments }: StorefrontServices,
  { accountId, eventId }: PublicEvent,
): Promise<SaleForm> {
  return db.read(accountId, async tx => ({
    sale: await readSale(tx, eventId),
    all: await questions.list(tx, eventId),
    setUp: await readSetUp(tx, payments.processors),
  }))
}

/** Returns the sale with how it can be paid. @param now milliseconds of the clock */
export function payableSale(
  { payments }: StorefrontServices,
  { sale, setUp }: Omit<SaleForm, 'all'>,
  now: number,
): Sale {
  return { ...sale, payable: payableOf(sale.event, setUp, payments.processors, now) }
}
