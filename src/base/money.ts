/** The greatest price or amount, in minor units. */
export const MAX_AMOUNT = 99_999_999

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

/** True for an upper-case ISO 4217 code. */
export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code)
}

/** The digits of ISO 4217's minor units, where they are not two. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map(code => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map(code => [code, 3])),
  CLF: 4,
  UYW: 4,
}

/** How many digits of a currency stand behind the point: 2 of EUR, 0 of JPY. */
export function digitsOf(currency: string): number {
  return DIGITS[currency] ?? 2
}

/** An amount as a decimal number: 1500 of EUR is `15.00`. */
export function toDecimal(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  if (digits === 0) return String(amount)
  const sign = amount < 0 ? '-' : ''
  const text = String(Math.abs(amount)).padStart(digits + 1, '0')
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * Reads an amount as a person writes it: `15`, `15.00`, `15,00`, `1.500,00` and `1,500.00` of EUR. What stands behind the last
 * point or comma are the minor units if they are not too many for the currency; three digits behind the only kind of mark are
 * thousands where the currency has not three.
 *
 * @returns minor units; undefined for what is no amount, or has more digits than the currency
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
