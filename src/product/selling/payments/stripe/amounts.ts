import { digitsOf } from '../../money.ts'

/*
 * https://docs.stripe.com/currencies: "Minor units in API amounts", "Special cases", "Minimum and maximum charge amounts".
 */

/** What Stripe takes, but for the currencies below. */
const WITH_TWO = `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC
  CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP
  LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB
  SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW`
/** In whole units, whatever ISO 4217 has. */
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
/** Whole ones that are sent in hundredths, of which there are none. */
const WHOLE_IN_HUNDREDTHS = 'ISK UGX'
/** In thousandths, of which the last digit is 0. */
const WITH_THREE = 'BHD JOD KWD OMR TND'

interface Kind {
  digits: number
  /** What an amount in Stripe's units has to be a multiple of. */
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

/** The least charge, in Stripe's units. Of others it depends on the rate of the day: Stripe says so when it is asked. */
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

/** The greatest charge, in Stripe's units: eight digits. */
const MOST = 99_999_999

/**
 * An amount in Stripe's units.
 *
 * @param amount minor units of ISO 4217
 * @returns undefined where Stripe cannot take it: an unknown currency, or more digits than it takes
 */
export function toStripe(amount: number, currency: string): number | undefined {
  const kind = KINDS.get(currency)
  if (kind === undefined) return undefined
  const units = scaled(amount, kind.digits - digitsOf(currency))
  return Number.isSafeInteger(units) && units % kind.step === 0 ? units : undefined
}

/**
 * An amount of Stripe's in minor units of ISO 4217. Fees may have digits that the currency lacks: they are rounded.
 *
 * @param currency as Stripe writes it, or in capitals
 */
export function fromStripe(units: number, currency: string): number {
  const code = currency.toUpperCase()
  const digits = KINDS.get(code)?.digits ?? digitsOf(code)
  return Math.round(scaled(units, digitsOf(code) - digits))
}

// Divided, not multiplied by a fraction: 7 / 100 is as near as a number can be, 7 * 0.01 is not.
function scaled(amount: number, digits: number): number {
  return digits < 0 ? amount / 10 ** -digits : amount * 10 ** digits
}

/** Whether Stripe takes such an amount. @param amount minor units of ISO 4217 */
export function canTake(currency: string, amount: number): boolean {
  const units = toStripe(amount, currency)
  return units !== undefined && units >= (LEAST[currency] ?? 1) && units <= MOST
}
