/** The greatest price or amount, in minor units. */
export const MAX_AMOUNT = 99_999_999

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** True for an upper-case ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}
