import { invalid, refused } from './errors.ts'

// The lists follow https://docs.stripe.com/currencies: "Minor units in API amounts", "Zero-decimal currencies", "Three-decimal
// currencies", "Special cases", "Minimum and maximum charge amounts". UGX stands among the zero-decimal ones there, and its special
// case says that it is sent with two decimals that are 00, as ISK is.
const NO_DECIMALS = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const THREE_DECIMALS = new Set('bhd jod kwd omr tnd'.split(' '))
const WHOLE_IN_HUNDREDTHS = new Set(['isk', 'ugx'])
const TWO_DECIMALS = new Set(
  `aed all amd ang ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd bwp byn bzd cad cdf chf cny cop crc cve czk dkk dop dzd
  egp etb eur fjd fkp gbp gel gip gmd gtq gyd hkd hnl htg huf idr ils inr jmd kes kgs khr kyd kzt lak lbp lkr lrd lsl mad mdl
  mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sek sgd
  shp sle sos srd std svc szl thb tjs top try ttd twd tzs uah usd uyu uzs wst xcd xcg yer zar zmw`.split(
    /\s+/,
  ),
)

/** The least charge in a currency that a bank account can have, in Stripe's units. */
export const MINIMUM_CHARGES: Readonly<Record<string, number>> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
}
export const MOST = 99_999_999

/** How much a unit of a currency is in dollars, about: what has no minimum of its own must convert to 0.50 USD. */
const DOLLARS: Readonly<Record<string, number>> = {
  bhd: 2.65,
  isk: 0.0072,
  jod: 1.41,
  krw: 0.0007,
  kwd: 3.25,
  omr: 2.6,
  tnd: 0.32,
  ugx: 0.00027,
  vnd: 0.000039,
}

/** An account that is paid out in another currency than it charges: what a unit of the one is in the other. */
export interface Settlement {
  currency: string
  rate: number
}

/** Returns the digits after the point in amounts that Stripe takes and gives. */
export function decimalsOf(currency: string): number {
  if (NO_DECIMALS.has(currency)) return 0
  return THREE_DECIMALS.has(currency) ? 3 : 2
}

export function isCurrency(currency: string): boolean {
  return [NO_DECIMALS, THREE_DECIMALS, WHOLE_IN_HUNDREDTHS, TWO_DECIMALS].some(all => all.has(currency))
}

export function checkCurrency(currency: string, param: string): void {
  if (isCurrency(currency)) return
  const hint =
    currency.toLowerCase() !== currency && isCurrency(currency.toLowerCase())
      ? ' Currency codes are lowercase.'
      : ''
  throw invalid(`Invalid currency: ${currency}.${hint}`, param)
}

/** Converts an amount to another currency, rounded to its smallest unit. */
export function convert(amount: number, from: string, to: Settlement): number {
  return Math.round(unrounded(amount, from, to))
}

function unrounded(amount: number, from: string, { currency, rate }: Settlement): number {
  return amount * rate * 10 ** (decimalsOf(currency) - decimalsOf(from))
}

/** Checks the last digits that a currency must have: 0 in three-decimal ones, 00 in those that became whole. */
export function checkDigits(amount: number, currency: string, param: string): void {
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) {
    throw refused(
      `Invalid amount. The least-significant digit of an amount in ${currency.toUpperCase()} must be 0. See https://stripe.com/docs/currencies#three-decimal for more information.`,
      undefined,
      param,
    )
  }
  if (WHOLE_IN_HUNDREDTHS.has(currency) && amount % 100 !== 0) {
    throw refused(
      `Invalid amount. Currency ${currency.toUpperCase()} has become effectively zero-decimal and charged amounts must be evenly divisible by 100. See https://stripe.com/docs/currencies#special-cases for more information.`,
      'invalid_charge_amount_no_decimal_compatible',
      param,
    )
  }
}

/** Checks a total that Checkout takes: 0 needs no payment; all else has a least and a most. */
export function checkTotal(total: number, currency: string, settlement: Settlement | null): void {
  if (total > MOST) {
    throw refused(
      `The Checkout Session's total amount must be no more than ${shown(MOST, currency)}.`,
      'amount_too_large',
      'line_items',
    )
  }
  if (total === 0) return
  checkDigits(total, currency, 'line_items')
  const settled = settlement ?? ownSettlement(currency)
  const least = MINIMUM_CHARGES[settled.currency] ?? 50
  if (unrounded(total, currency, settled) >= least) return
  throw refused(
    `The Checkout Session's total amount must convert to at least ${shown(least, settled.currency)}. ${shown(total, currency)} converts to approximately ${shown(convert(total, currency, settled), settled.currency)}.`,
    'amount_too_small',
    'line_items',
  )
}

function ownSettlement(currency: string): Settlement {
  const rate = DOLLARS[currency]
  return rate === undefined || currency in MINIMUM_CHARGES ? { currency, rate: 1 } : { currency: 'usd', rate }
}

/** Returns an amount as Stripe's messages show it. */
export function shown(amount: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return `${(amount / 10 ** decimals).toFixed(decimals)} ${currency}`
}
