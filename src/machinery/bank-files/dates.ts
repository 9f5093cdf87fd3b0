import { fold } from '#base/fold.ts'

/** The order of day and month if the year comes last. */
export type DateOrder = 'dmy' | 'mdy'

/** A date as it is written. */
interface WrittenDate {
  year: number
  /** The month and the day if they are clear. Otherwise `numbers` has two numbers in the order of the file. */
  month?: number
  day?: number
  numbers?: [number, number]
  /** True if points separate the parts. People who write so put the day first. */
  pointed?: boolean
}

/** In characters. */
const MAX_WRITTEN = 40
const TIME = String.raw`(?:[T ,]+\d{1,2}[:.h]\d{2}.*)?$`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}`)
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4}|\d{2})${TIME}`)
const DIGITS = new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})(?:\d{6})?${TIME}`)
const DAY_AND_NAME = new RegExp(String.raw`^(\d{1,2})[ ./-]*(\p{L}{3,12})[ .,/-]*(\d{4}|\d{2})${TIME}`, 'u')
const NAME_AND_DAY = new RegExp(String.raw`^(\p{L}{3,12})\.?[ -](\d{1,2})(?:,? |-)(\d{4})${TIME}`, 'u')

/** The beginnings of the names of months in the languages of the banks, without their marks. */
const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'jan ene gen sty',
    'feb fev fevr lut',
    'mar mrz mrt maa',
    'apr abr avr kwi',
    'may mai mei mag maj',
    'jun juin giu cze',
    'jul juil lug lip',
    'aug ago aou sie',
    'sep set wrz',
    'oct okt out ott paz',
    'nov lis',
    'dec dez dic gru',
  ].flatMap((names, at) => names.split(' ').map(name => [name, at + 1])),
)

function monthOf(name: string): number | undefined {
  const plain = fold(name)
  return MONTHS[plain.slice(0, 4)] ?? MONTHS[plain.slice(0, 3)]
}

function yearOf(text: string): number {
  return text.length === 2 ? 2000 + Number(text) : Number(text)
}

/** Reads a date. @returns undefined for a text that has not the form of a date, such as `Total` */
export function readWrittenDate(text: string): WrittenDate | undefined {
  if (text.length > MAX_WRITTEN) return undefined
  const plain = text.normalize('NFKC').replace(/^'/, '').trim()
  const first = YEAR_FIRST.exec(plain)
  if (first) return { year: Number(first[1]), month: Number(first[3]), day: Number(first[4]) }
  const last = YEAR_LAST.exec(plain)
  if (last) {
    const [, one, mark, other, year = ''] = last
    return { year: yearOf(year), numbers: [Number(one), Number(other)], pointed: mark === '.' }
  }
  const digits = DIGITS.exec(plain)
  if (digits) return { year: Number(digits[1]), month: Number(digits[2]), day: Number(digits[3]) }
  const [, day, name, year] = DAY_AND_NAME.exec(plain) ?? []
  const [, otherName, otherDay, otherYear] = NAME_AND_DAY.exec(plain) ?? []
  const month = monthOf(name ?? otherName ?? '')
  if (month === undefined) return undefined
  return { year: yearOf((year ?? otherYear) as string), month, day: Number(day ?? otherDay) }
}

/**
 * Returns what a date says about the order of its column. `points` is weaker evidence, and `either` means that both orders give a
 * date.
 */
export function orderOf({ numbers, pointed }: WrittenDate): DateOrder | 'points' | 'either' | undefined {
  if (numbers === undefined) return undefined
  const [one, other] = numbers
  if (one > 12) return other > 12 ? undefined : 'dmy'
  if (other > 12) return 'mdy'
  if (pointed) return 'points'
  return one === other ? undefined : 'either'
}

/** Returns a date as `YYYY-MM-DD`. @returns undefined for a day that does not exist */
export function toDate(written: WrittenDate, order: DateOrder): string | undefined {
  const [one = 0, other = 0] = written.numbers ?? []
  const month = written.month ?? (order === 'dmy' ? other : one)
  const day = written.day ?? (order === 'dmy' ? one : other)
  const { year } = written
  if (year < 1970 || year > 2199) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  const isThere = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isThere ? date.toISOString().slice(0, 10) : undefined
}
