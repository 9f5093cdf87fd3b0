import type { Voice } from '#machinery/web/voice.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'

/** Returns the price of a type as lists show it. An open price is the least that a buyer gives. */
export function printPrice(
  { price, currency, open_price }: Pick<TypeDetails, 'price' | 'currency' | 'open_price'>,
  { texts, format }: Voice,
): string {
  if (open_price) return texts.tickets.priceFrom(format.money(price, currency))
  return price === 0 ? texts.overview.free : format.money(price, currency)
}
