import { digitsOf, isCurrency } from '#base/money.ts'

export type DecimalMark = ',' | '.'

/** An amount as it is written, before the meaning of its marks is known. */
export interface WrittenAmount {
  /** The sign of the amount, or of the parentheses of bookkeepers. It is also set for `+`. */
  sign: -1 | 1 | undefined
  /** Digits, points and commas. */
  number: string
  /** True if spaces or apostrophes separate its thousands. Then a mark can only be that of the decimals. */
  grouped: boolean
  /** The code or sign beside the amount, if it means one currency. */
  currency: string | undefined
  side: 'credit' | 'debit' | undefined
}

/** In characters. Nobody has to know whether a longer cell is an amount. */
const MAX_WRITTEN = 60
const DASHES = /[\p{Pd}\u2212\u02d7]/gu
const CORE = /^([^\d]*?)([.,]?\d(?:[\d.,' ]*\d)?[.,]?)([^\d]*)$/

/** Reads an amount. @returns undefined for a text that is not an amount in any way of writing */
export function readWritten(text: string): WrittenAmount | undefined {
  if (text.length > MAX_WRITTEN) return undefined
  const plain = text
    .normalize('NFKC')
    .replace(DASHES, '-')
    .replace(/['’‘´`]/g, "'")
    .replace(/\s/g, ' ')
  const [, before = '', core = '', behind = ''] = CORE.exec(plain.trim()) ?? []
  // A leading apostrophe makes a cell a text for a spreadsheet.
  const around = readAround(before.replace(/^'/, ''), behind)
  if (core === '' || around === undefined) return undefined
  const grouped = /[' ]/.test(core)
  if (grouped && !/^\d{1,3}(?:( |')\d{3})(?:\1\d{3})*(?:[.,]\d*)?$/.test(core)) return undefined
  return { ...around, number: core.replace(/[' ]/g, ''), grouped }
}

type Around = Pick<WrittenAmount, 'sign' | 'currency' | 'side'>

const SIDES: Readonly<Record<string, 'credit' | 'debit'>> = {
  CR: 'credit',
  C: 'credit',
  H: 'credit',
  DR: 'debit',
  D: 'debit',
  S: 'debit',
}
/** Signs that several countries use tell no currency. */
const SYMBOLS: Readonly<Record<string, string | undefined>> = {
  '€': 'EUR',
  '£': 'GBP',
  ZŁ: 'PLN',
  KČ: 'CZK',
  '₹': 'INR',
  $: undefined,
  '¥': undefined,
  KR: undefined,
  'KR.': undefined,
  'FR.': undefined,
  SFR: undefined,
  'SFR.': undefined,
  US$: 'USD',
}

/** Reads the text before and behind the digits: at most one sign, one currency and one side. */
function readAround(before: string, behind: string): Around | undefined {
  const isInParentheses = before.includes('(') && behind.includes(')')
  let [left, right] = [before.toUpperCase(), behind.toUpperCase()]
  if (isInParentheses) [left, right] = [left.replace('(', ''), right.replace(')', '')]
  const signs = `${left}${right}`.match(/[+-]/g) ?? []
  if (signs.length + (isInParentheses ? 1 : 0) > 1) return undefined
  const around: Around = { sign: undefined, currency: undefined, side: undefined }
  if (isInParentheses || signs[0] === '-') around.sign = -1
  else if (signs[0] === '+') around.sign = 1
  let currencies = 0
  for (const word of `${left} ${right}`.replace(/[+-]/g, ' ').split(' ').filter(Boolean)) {
    const side = SIDES[word]
    if (side !== undefined && around.side === undefined) around.side = side
    else if (Object.hasOwn(SYMBOLS, word) || isCurrency(word)) {
      around.currency = isCurrency(word) ? word : SYMBOLS[word]
      currencies++
    } else return undefined
  }
  return currencies > 1 ? undefined : around
}

/** Returns what an amount says about the decimal mark of its column. `either` means one mark before three digits, as in 1,234. */
export function markOf(
  { number, grouped }: WrittenAmount,
  currency: string,
): DecimalMark | 'either' | undefined {
  const marks = number.match(/[.,]/g) ?? []
  const last = marks.at(-1) as DecimalMark | undefined
  if (last === undefined) return undefined
  if (grouped || new Set(marks).size === 2) return last
  const other = last === ',' ? '.' : ','
  if (marks.length > 1) return other
  const [lead = '', behind = ''] = number.split(last)
  if (behind.length !== 3 || lead.length > 3 || lead === '' || lead.startsWith('0')) return last
  return digitsOf(currency) === 0 ? other : 'either'
}

/** The most digits of an amount. A number holds so many exactly, with room to spare. */
const MAX_DIGITS = 15

/** Matches groups by thousands, or as in India. */
const GROUPED = /^(\d*|[1-9]\d{0,2}(\.\d{3})+|[1-9]\d{0,2}(,\d{3})+|[1-9]\d?(,\d{2})+,\d{3})$/

/**
 * Returns the amount without its sign, in minor units.
 *
 * @returns undefined if marks and digits do not fit the decimal mark or the currency
 */
export function toMinorUnits(number: string, mark: DecimalMark, currency: string): number | undefined {
  const [whole = '', behind = '', ...more] = number.split(mark)
  if (more.length > 0 || !/^\d*$/.test(behind)) return undefined
  if (!GROUPED.test(whole)) return undefined
  const digits = digitsOf(currency)
  if (/[^0]/.test(behind.slice(digits))) return undefined
  const all = whole.replace(/[.,]/g, '') + behind.slice(0, digits).padEnd(digits, '0')
  return all === '' || all.replace(/^0+/, '').length > MAX_DIGITS ? undefined : Number(all)
}
