/** The greatest price or amount, in minor units. */
export const MAX_AMOUNT = 99_999_999

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** Returns true for an upper-case ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** The digits of the minor units by ISO 4217, for the currencies that do not have two. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3])),
  CLF: 4,
  UYW: 4,
}

/** Returns how many digits a currency has behind the point: 2 for EUR, 0 for JPY. */
export function digitsOf(currency: string): number {
  return DIGITS[currency] ?? 2
}

/** Returns whole units of a currency in its minor units: 15 of EUR are 1500. */
export function toMinor(units: number, currency: string): number {
  return units * 10 ** digitsOf(currency)
}

/** Returns an amount as a decimal number: 1500 of EUR is `15.00`. */
export function toDecimal(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  if (digits === 0) return String(amount)
  const sign = amount < 0 ? '-' : ''
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Reads an amount as a person writes it: `15`, `15.00`, `15,00`, `1.500,00` and `1,500.00` of EUR. The digits behind the last
 * point or comma are the minor units if they are not too many for the currency. Three digits behind the only kind of mark are
 * thousands if the currency does not have three digits.
 *
 * @returns minor units, or undefined for a text that is not an amount or has more digits than the currency
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency)
  const plain = text.replace(/[\s'\u2019]/gu, '')
  if (!/^\d[\d.,]{0,18}$/.test(plain)) return undefined
  const [, whole = '', mark = '', behind = ''] = /^(.*?)(?:([.,])(\d*))?$/.exec(plain) ?? []
  const isThousands = mark !== '' && behind.length === 3 && digits !== 3
  const groups = isThousands ? plain : whole
  if (!/^\d+$|^\d{1,3}(\.\d{3})+$|^\d{1,3}(,\d{3})+$/.test(groups)) return undefined
  const minor = isThousands ? '' : behind
  if (minor.length > digits || (!isThousands && groups.includes(mark || ' '))) return undefined
  return Number(groups.replace(/\D/g, '') + minor.padEnd(digits, '0'))
}

/**
 * Returns a part of an amount, rounded half up to the minor unit: `part` of every `whole`. Without `whole`, the part is in basis
 * points (hundredths of a percent).
 *
 * @param amount in minor units, 0 or more
 */
export function portion(amount: number, part: number, whole = 10_000): number {
  // Products of two amounts are larger than a number can hold exactly.
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
}

/**
 * Divides an amount by weights, to the last minor unit. Each gets its part rounded down, and those with the largest remainders
 * get one more, the first ones if remainders are equal. If all weights are 0, the first gets everything.
 */
export function shareOut(amount: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
  if (all === 0n) return weights.map((_, at) => (at === 0 ? amount : 0))
  const exact = weights.map(weight => BigInt(amount) * BigInt(weight))
  const parts = exact.map(each => Number(each / all))
  let left = amount - parts.reduce((sum, part) => sum + part, 0)
  const byRemainder = [...exact.keys()].sort((one, other) => {
    const more = ((exact[other] as bigint) % all) - ((exact[one] as bigint) % all)
    return more > 0n ? 1 : more < 0n ? -1 : one - other
  })
  for (const at of byRemainder) {
    if (left === 0) break
    parts[at] = (parts[at] as number) + 1
    left--
  }
  return parts
}
