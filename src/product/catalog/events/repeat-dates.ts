import { DateTime } from 'luxon'
import { fromLocalTime, HOUR, isLocalTime, wallClock } from '#base/time.ts'
import { MAX_REPEATED } from './series-schemas.ts'

/** The dates that an event is repeated on: each of these days of each week, at each of these times. */
export interface Pattern {
  /** From 1, Monday, to 7, Sunday. */
  weekdays: readonly number[]
  /** `HH:MM` */
  times: readonly string[]
  /** The first and the last day, `YYYY-MM-DD`. */
  from: string
  until: string
  /** 1 for each week, 2 for every second week, and so on, from the week of `from`. */
  every: number
}

/** More dates than this are not counted. */
const MOST_COUNTED = 1_000

/**
 * Returns the local times of a pattern, `YYYY-MM-DDTHH:MM`, in their order. It may return more than can be made at once, but
 * never many more.
 */
export function datesOf({ weekdays, times, from, until, every }: Pattern): string[] {
  const days = new Set(weekdays)
  const sorted = [...new Set(times)].sort()
  const last = DateTime.fromISO(until, { zone: 'utc' })
  const dates: string[] = []
  if (days.size === 0 || sorted.length === 0) return dates
  const first = DateTime.fromISO(from, { zone: 'utc' })
  let week = first.startOf('week')
  while (week <= last && dates.length < MOST_COUNTED) {
    for (let at = 0; at < 7; at++) {
      const day = week.plus({ days: at })
      if (!days.has(day.weekday) || day < first || day > last) continue
      for (const time of sorted) dates.push(`${day.toFormat('yyyy-MM-dd')}T${time}`)
    }
    week = week.plus({ weeks: every })
  }
  return dates
}

/** A line of dates that somebody has pasted, and cannot be read. */
export interface UnreadLine {
  /** From 1. */
  line: number
  text: string
}

const DAY_FIRST = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?=\D|$)/
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})(?=\D|$)/
const TIME = /^([01]?\d|2[0-3])[:.h]([0-5]\d)(?::00)?$/

/** Reads a time of day, such as `9:00`, `09.00` or `9h00`. @returns `HH:MM`, or undefined */
export function readTime(text: string): string | undefined {
  const found = TIME.exec(text)
  return found === null ? undefined : `${(found[1] as string).padStart(2, '0')}:${found[2]}`
}

/**
 * Reads pasted dates: a line a day, `2026-12-01` or `1.12.2026`, and behind it one time or several. A line without a time has
 * those given. Whether there is such a day is not looked at.
 *
 * @param times `HH:MM`, of the lines without any
 * @returns local times as in `datesOf`, in the order of the lines
 */
export function readDates(text: string, times: readonly string[]): { dates: string[]; unread: UnreadLine[] } {
  const dates: string[] = []
  const unread: UnreadLine[] = []
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    const read = readLine(trimmed, times)
    if (read === undefined) unread.push({ line: at + 1, text: trimmed })
    else dates.push(...read)
  }
  return { dates, unread }
}

function readLine(line: string, times: readonly string[]): string[] | undefined {
  const dayFirst = DAY_FIRST.exec(line)
  const found = dayFirst ?? YEAR_FIRST.exec(line)
  if (found === null) return undefined
  const [head, one = '', month = '', three = ''] = found
  const [year, day] = dayFirst === null ? [one, three] : [three, one]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const words = line
    .slice(head.length)
    .replace(/^T/i, ' ')
    .split(/[\s,;]+/)
    .filter(word => word !== '')
  const read = words.map(readTime)
  if (read.includes(undefined)) return undefined
  return (read.length === 0 ? times : (read as string[])).map(time => `${date}T${time}`)
}

/** Why an event cannot be repeated on a date. */
export type DateFault = 'no_such_day' | 'skipped' | 'past' | 'taken' | 'double'

/** A date that somebody has asked for. */
export interface AskedDate {
  /** `YYYY-MM-DDTHH:MM`, as asked. There may be no such day. */
  local: string
  /** Milliseconds. It is null if there is no such instant. */
  starts_at: number | null
  fault: DateFault | null
  /** The clocks show the time twice on that day. The first of both counts. */
  isTwice: boolean
}

/**
 * Judges dates, each by itself and beside those before it, in the order of time.
 *
 * @param now milliseconds
 * @param taken the starts of the events of the series, in milliseconds
 */
export function judgeDates(
  locals: readonly string[],
  { timezone, now, taken }: { timezone: string; now: number; taken: ReadonlySet<number> },
): AskedDate[] {
  const seen = new Set<string>()
  return [...locals].sort().map(local => {
    const isDouble = seen.has(local)
    seen.add(local)
    const starts_at = instantOf(local, timezone)
    if (typeof starts_at === 'string') return { local, starts_at: null, fault: starts_at, isTwice: false }
    const fault = isDouble ? 'double' : starts_at <= now ? 'past' : taken.has(starts_at) ? 'taken' : null
    return { local, starts_at, fault, isTwice: isShownTwice(starts_at, timezone) }
  })
}

function instantOf(local: string, timezone: string): number | 'no_such_day' | 'skipped' {
  return fromLocalTime(local, timezone) ?? (isLocalTime(local) ? 'skipped' : 'no_such_day')
}

/** The clocks go back by at most this much. */
const LONGEST_BACK = 2 * HOUR

/** Returns whether the clocks go back, soon after, by so much that they show the same again. */
function isShownTwice(instant: number, timezone: string): boolean {
  const shown = wallClock(instant, timezone)
  const back = shown + LONGEST_BACK - wallClock(instant + LONGEST_BACK, timezone)
  return back > 0 && wallClock(instant + back, timezone) === shown
}

/** Returns whether more dates than can be made at once are asked for. */
export function areTooMany(dates: readonly AskedDate[]): boolean {
  return dates.filter(({ fault }) => fault === null).length > MAX_REPEATED
}
