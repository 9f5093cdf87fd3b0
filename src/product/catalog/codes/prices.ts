import { portion } from '#base/money.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import type { Code } from './schemas.ts'

/** The price of a ticket with a code. Amounts are in minor units. */
export interface CodePrice {
  price: number
  /** The amount that the code takes off. `price` and this add up to the price of the type. */
  discount: number
}

type Discounting = Pick<Code, 'percent' | 'amount'>

/** Returns whether a code applies to tickets of a type. Such tickets count as its uses. */
export function isFor(
  { registration_type_ids: ids }: Pick<Code, 'registration_type_ids'>,
  typeId: string,
): boolean {
  return ids?.includes(typeId) ?? true
}

/** Returns whether a code shows a hidden type. A code with a discount shows only the types that it names. */
export function unlocks(code: Discounting & Pick<Code, 'registration_type_ids'>, typeId: string): boolean {
  const isDiscount = code.percent !== null || code.amount !== null
  return isFor(code, typeId) && !(isDiscount && code.registration_type_ids === null)
}

/**
 * Returns the price of one ticket with a code. A percentage is rounded half up to minor units. The price is never below 0 and
 * never higher than without the code. A type that the code does not apply to keeps its price.
 */
export function priceOf(
  code: Discounting & Pick<Code, 'registration_type_ids'>,
  type: Pick<RegistrationType, 'id' | 'price'>,
): CodePrice {
  const { price: full } = type
  if (!isFor(code, type.id)) return { price: full, discount: 0 }
  const price = Math.max(0, Math.min(full, reduced(full, code)))
  return { price, discount: full - price }
}

function reduced(full: number, { percent, amount }: Discounting): number {
  if (percent !== null) return portion(full, 100 - percent, 100)
  return full - (amount ?? 0)
}

/** The state of a code. */
export type CodeState = 'on' | 'later' | 'ended' | 'usedUp' | 'off'

/** @param now in milliseconds of the clock */
export function stateOf(
  { active, valid_from, valid_until, max_tickets, used }: Code,
  now: number,
): CodeState {
  if (!active) return 'off'
  if (max_tickets !== null && used >= max_tickets) return 'usedUp'
  if (valid_until !== null && now >= Date.parse(valid_until)) return 'ended'
  return valid_from !== null && now < Date.parse(valid_from) ? 'later' : 'on'
}
