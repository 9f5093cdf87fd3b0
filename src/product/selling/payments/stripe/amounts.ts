import { digitsOf } from '#base/money.ts'

/*
 * The sections are "Minor units in API amounts", "Special cases" and "Minimum and maximum charge amounts" of
 * https://docs.stripe.com/currencies.
 */

/** The currencies that Stripe takes in hundredths. */
const WITH_TWO = `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC
  CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP
  LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
  SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW`
/** Stripe takes these in whole units, whatever ISO 4217 says. */
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
/** Stripe takes these in hundredths, although they have only whole units. */
const WHOLE_IN_HUNDREDTHS = 'ISK UGX'
/** Stripe takes these in thousandths, and the last digit has to be 0. */
const WITH_THREE = 'BHD JOD KWD OMR TND'

interface Kind {
  digits: number
  /** An amount in Stripe's units has to be a multiple of this. */
  step: number
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...namesOf(WITH_TWO, { digits: 2, step: 1 }),
  ...namesOf(WHOLE, { digits: 0, step: 1 }),
  ...namesOf(WHOLE_IN_HUNDREDTHS, { digits: 2, step: 100 }),
  ...namesOf(WITH_THREE, { digits: 3, step: 10 }),
])

function namesOf(names: string, kind: Kind): [string, Kind][] {
  return names.split(/\s+/).map(name => [name, kind])
}

/**
 * The smallest charge, in Stripe's units. For other currencies it depends on the rate of the day, and Stripe refuses a smaller
 * charge when it is asked.
 */
const LEAST: Readonly<Record<string, number>> = {
  ...{
    AED: 200,
    AUD: 50,
    BGN: 100,
    BRL: 50,
    CAD: 50,
    CHF: 50,
    CZK: 1500,
    DKK: 250,
    EUR: 50,
    GBP: 30,
    HKD: 400,
  },
  ...{ HUF: 17500, INR: 50, JPY: 50, MXN: 1000, MYR: 200, NOK: 300, NZD: 50, PLN: 200, RON: 200, SEK: 300 },
  ...{ SGD: 50, THB: 1000, USD: 50 },
}

/** The largest charge, in Stripe's units: eight digits. */
const MOST = 99_999_999

/**
 * Returns an amount in Stripe's units.
 *
 * @param amount minor units of ISO 4217
 * @returns undefined if Stripe cannot take it: an unknown currency, or more digits than it takes
 */
export function toStripe(amount: number, currency: string): number | undefined {
  const kind = KINDS.get(currency)
  if (kind === undefined) return undefined
  const units = scaled(amount, kind.digits - digitsOf(currency))
  return Number.isSafeInteger(units) && units % kind.step === 0 ? units : undefined
}

/**
 * Returns an amount of Stripe's in minor units of ISO 4217. It rounds, as fees may have digits that the currency lacks.
 *
 * @param currency as Stripe writes it, or in capitals
 */
export function fromStripe(units: number, currency: string): number {
  const code = currency.toUpperCase()
  const digits = KINDS.get(code)?.digits ?? digitsOf(code)
  return Math.round(scaled(units, digitsOf(code) - digits))
}

// It divides instead of multiplying by a fraction: 7 / 100 is as near as a number can be, 7 * 0.01 is not.
function scaled(amount: number, digits: number): number {
  return digits < 0 ? amount / 10 ** -digits : amount * 10 ** digits
}

/** Tells whether Stripe takes such an amount. @param amount minor units of ISO 4217 */
export function canTake(currency: string, amount: number): boolean {
  const units = toStripe(amount, currency)
  return units !== undefined && units >= (LEAST[currency] ?? 1) && units <= MOST
}
