import { toDecimal } from '#base/money.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { type Language, languageNames } from '#texts/languages.ts'

/** The parts of an instant that are shown. */
type Shown =
  | 'dateTime'
  | 'date'
  | 'time'
  | 'dayTime'
  | 'weekday'
  | 'weekdayTime'
  | 'weekdayName'
  | 'month'
  | 'shortMonth'
  | 'dayOfMonth'
  | 'zone'

const options: Readonly<Record<Shown, Intl.DateTimeFormatOptions>> = {
  dateTime: {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  dayTime: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  dayOfMonth: { day: 'numeric' },
  zone: { timeZoneName: 'short' },
  weekdayName: { weekday: 'long' },
  weekdayTime: {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  },
  weekday: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
}

/** British dates, such as `3 Dec 2026, 14:05`, leave no doubt which number is the month. */
const locales: Readonly<Record<Language, string>> = { en: 'en-GB', es: 'es' }

/**
 * Formatters are kept, because making one takes longer than a page. There are at most a few hundred time zones and currencies.
 */
const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

function cached<Formatter>(made: Map<string, Formatter>, name: string, make: () => Formatter): Formatter {
  let formatter = made.get(name)
  if (formatter === undefined) {
    formatter = make()
    made.set(name, formatter)
  }
  return formatter
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/** An instant in ISO 8601, as resources have it, or in milliseconds. */
export type Instant = string | number

/** Writes values for people, in their language, with times in one time zone. */
export class Format {
  readonly language: Language
  /** An IANA name. */
  readonly timezone: string

  constructor(language: Language, timezone: string) {
    this.language = language
    this.timezone = timezone
  }

  /** Returns `3 Dec 2026, 14:05`. */
  dateTime(instant: Instant): string {
    return this.#date('dateTime').format(new Date(instant))
  }

  /** Returns how a script of a page writes what `dateTime` does, in the time zone of its browser. */
  get ofDateTime(): { locale: string; options: string } {
    return { locale: locales[this.language], options: JSON.stringify(options.dateTime) }
  }

  /** Returns `3 Dec 2026`. */
  date(instant: Instant): string {
    return this.#date('date').format(new Date(instant))
  }

  /** Returns `14:05`. */
  time(instant: Instant): string {
    return this.#date('time').format(new Date(instant))
  }

  /** Returns `3 Dec, 14:05`, for places where the year is clear. */
  dayTime(instant: Instant): string {
    return this.#date('dayTime').format(new Date(instant))
  }

  /** Returns `Thursday, 3 December 2026`. */
  weekday(instant: Instant): string {
    return this.#date('weekday').format(new Date(instant))
  }

  /** Returns `Thu, 3 Dec 2026, 14:05`. */
  weekdayTime(instant: Instant): string {
    return this.#date('weekdayTime').format(new Date(instant))
  }

  /** Returns `Thursday`. */
  weekdayName(instant: Instant): string {
    return this.#date('weekdayName').format(new Date(instant))
  }

  /** Returns `Dec`. */
  shortMonth(instant: Instant): string {
    return this.#date('shortMonth').format(new Date(instant))
  }

  /** Returns `3`. */
  dayOfMonth(instant: Instant): string {
    return this.#date('dayOfMonth').format(new Date(instant))
  }

  /** Returns the name of the time zone at that instant, such as `CET`. */
  zone(instant: Instant): string {
    const parts = this.#date('zone').formatToParts(new Date(instant))
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? this.timezone
  }

  /** Returns `3 Dec 2026`. @param day `YYYY-MM-DD`, of any time zone */
  day(day: string): string {
    return this.#date('date', 'UTC').format(new Date(day))
  }

  /** Returns `December 2026`. @param month `YYYY-MM` */
  month(month: string): string {
    return new Format(this.language, 'UTC').#date('month').format(new Date(`${month}-01`))
  }

  /** Returns `3–5 Dec 2026`. */
  dates(from: Instant, until: Instant): string {
    return this.#date('date').formatRange(new Date(from), new Date(until))
  }

  /** Returns `1,234`. */
  number(value: number): string {
    return cached(
      numbers,
      locales[this.language],
      () => new Intl.NumberFormat(locales[this.language]),
    ).format(value)
  }

  /** Returns `€12.50`. The digits are those of the currency's minor units, whatever the formatter knows about it. */
  money(amount: number, currency: string): string {
    const decimal = toDecimal(amount, currency)
    const digits = decimal.includes('.') ? decimal.length - decimal.indexOf('.') - 1 : 0
    const make = () =>
      new Intl.NumberFormat(locales[this.language], {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    // The formatter gets a text, which it shows exactly, whatever its size.
    return cached(numbers, `${this.language} ${currency}`, make).format(decimal as `${number}`)
  }

  /** Returns `41 %`. */
  percent(part: number, whole: number): string {
    const make = () => new Intl.NumberFormat(locales[this.language], { style: 'percent' })
    return cached(numbers, `${this.language} %`, make).format(whole === 0 ? 0 : part / whole)
  }

  /** Returns `4.2 MB`. */
  bytes(count: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
    const step = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1)
    const unit = units[step] as string
    const make = () =>
      new Intl.NumberFormat(locales[this.language], { style: 'unit', unit, maximumFractionDigits: 1 })
    return cached(numbers, `${this.language} ${unit}`, make).format(count / 1000 ** step)
  }

  /** Returns `3 days`, in the largest unit of which there are at least two. @param milliseconds rounded down */
  duration(milliseconds: number): string {
    const [unit, length] = UNITS.find(([, each]) => milliseconds >= 2 * each) ?? (['second', SECOND] as const)
    const make = () =>
      new Intl.NumberFormat(locales[this.language], { style: 'unit', unit, unitDisplay: 'long' })
    return cached(numbers, `${this.language} long ${unit}`, make).format(Math.floor(milliseconds / length))
  }

  /** Returns `a, b and c`. */
  list(parts: readonly string[]): string {
    return new Intl.ListFormat(this.language).format(parts)
  }

  /** Returns the name of a language in that language. */
  languageName(language: Language): string {
    return languageNames[language]
  }

  #date(shown: Shown, timeZone = this.timezone): Intl.DateTimeFormat {
    return cached(
      dates,
      `${this.language} ${timeZone} ${shown}`,
      () => new Intl.DateTimeFormat(locales[this.language], { ...options[shown], timeZone }),
    )
  }
}
