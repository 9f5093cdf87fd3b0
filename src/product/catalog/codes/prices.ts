import type { RegistrationType } from '../registration-types/schemas.ts'
import type { Code } from './schemas.ts'

/** What a ticket of a type costs with a code. Amounts are in minor units. */
export interface CodePrice {
  price: number
  /** What the code takes off: `price` and this are the price of the type. */
  discount: number
}

type Discounting = Pick<Code, 'percent' | 'amount'>

/** Whether a code is for tickets of a type: they count as its uses. */
export function isFor(
  { registration_type_ids: ids }: Pick<Code, 'registration_type_ids'>,
  typeId: string,
): boolean {
  return ids?.includes(typeId) ?? true
}

/** Whether a code shows a type that is hidden: one that takes something off shows only those that it names. */
export function unlocks(code: Discounting & Pick<Code, 'registration_type_ids'>, typeId: string): boolean {
  const isDiscount = code.percent !== null || code.amount !== null
  return isFor(code, typeId) && !(isDiscount && code.registration_type_ids === null)
}

/**
 * The price of one ticket with a code: of a percentage rounded half up to minor units, never below 0, and never dearer. A type that
 * the code is not for keeps its price.
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

/** In whole numbers alone: the largest price is far from the end of them. */
function reduced(full: number, { percent, amount }: Discounting): number {
  if (percent !== null) return Math.floor((full * (100 - percent) + 50) / 100)
  return full - (amount ?? 0)
}

/** How it stands with a code. */
export type CodeState = 'on' | 'later' | 'ended' | 'usedUp' | 'off'

/** @param now milliseconds of the clock */
export function stateOf(
  { active, valid_from, valid_until, max_tickets, used }: Code,
  now: number,
): CodeState {
  if (!active) return 'off'
  if (max_tickets !== null && used >= max_tickets) return 'usedUp'
  if (valid_until !== null && now >= Date.parse(valid_until)) return 'ended'
  return valid_from !== null && now < Date.parse(valid_from) ? 'later' : 'on'
}
