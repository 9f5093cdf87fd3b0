const DAY = 86_400_000
/** The first day of each of the two systems is serial 1, and 0. */
const OF_1900 = Date.UTC(1899, 11, 31)
const OF_1904 = Date.UTC(1904, 0, 1)
/** Excel has a 29 February 1900, which there was not. Later days count one too many. */
const NO_DAY = 60
/** The last day that Excel knows is 31 December 9999. */
const LAST_SERIAL = 2_958_466
/** A spreadsheet shows this many digits of a number. What stands behind them comes from its arithmetic. */
const DIGITS = 15

/** The formats of dates and times that have a number only (ECMA-376 part 1, 18.8.30), also those of East Asian versions. */
const DATE_FORMATS: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

/** Returns whether a built-in number format shows a date or a time. */
export function isBuiltInDate(format: number): boolean {
  return DATE_FORMATS.some(([first, last]) => format >= first && format <= last)
}

/** Returns whether the code of a number format shows a date or a time: it has one of their letters outside of what is quoted. */
export function isDateCode(code: string): boolean {
  const letters = code
    .slice(0, 255)
    .replace(/\[(?:h+|m+|s+)\]/gi, 'h')
    .replace(/"[^"]*"?|\\.|[_*].|\[[^\]]*\]?/g, '')
  return /[ymdhs]/i.test(letters) && !/general/i.test(letters)
}

/** Returns a number as a spreadsheet shows it without a format. What is no number stays as it is. */
export function numberText(value: string): string {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return value
  return plainDigits(Number(number.toPrecision(DIGITS)))
}

/** Writes all digits of a large number: it may be a telephone number. */
function plainDigits(number: number): string {
  return Number.isInteger(number) ? BigInt(number).toString() : String(number)
}

/**
 * Returns a date as ISO 8601 has it, without the time at midnight, and a time of no day as a time. It has no time zone, as in the
 * spreadsheet.
 */
export function dateText(value: string, is1904: boolean): string {
  const serial = Number(value)
  if (value === '' || !Number.isFinite(serial) || serial < 0 || serial >= LAST_SERIAL)
    return numberText(value)
  const day = is1904 || serial <= NO_DAY ? serial : serial - 1
  // Serials are fractions of a day, and a second is often not one exactly.
  const seconds = Math.round((day * DAY) / 1000)
  const iso = new Date((is1904 ? OF_1904 : OF_1900) + seconds * 1000).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19).replace(/:00$/, '')]
  if (serial < 1 && serial > 0) return time
  return time === '00:00' ? date : `${date} ${time}`
}
