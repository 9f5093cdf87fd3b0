/*
 * This module says which entry of a ticket an admission would be. The server runs it, and so does the page of a scanner, which
 * decides without a network. So the two cannot disagree. It imports nothing. All instants are milliseconds.
 */

/** Says how often tickets of a type admit. */
export interface EntryRule {
  entries: 'once' | 'each_day'
  /** Whether a guest who has left may enter again. */
  reentry: boolean
}

/** Describes an entry: from when a guest was inside, and until when, if the exit is known. */
export interface Span {
  at: number
  leftAt: number | null
}

/** A day at the door begins at this local hour, because a night belongs to the day before. */
export const FIRST_HOUR = 6
/** The day of every entry of a type for which days do not count. */
export const NO_DAY = '-'

const DAY = 86_400_000

/** Returns whether tickets of a type may have more than one entry. */
export function allowsMore({ entries, reentry }: EntryRule): boolean {
  return entries !== 'once' || reentry
}

/** Returns the day that an instant belongs to, as `2026-11-27`, or `-` if days do not count. */
export function dayOf({ entries }: Pick<EntryRule, 'entries'>, at: number, timezone: string): string {
  if (entries !== 'each_day') return NO_DAY
  const { date, hour } = localOf(at, timezone)
  return new Date(date - (hour < FIRST_HOUR ? DAY : 0)).toISOString().slice(0, 10)
}

/**
 * Returns the entry that holds the slot of an instant. An admission then would be a second one of the same entry. It returns
 * undefined if the slot is free.
 *
 * @param entries the entries of the ticket, in their order
 */
export function holderAt<Entry extends Span>(
  rule: EntryRule,
  entries: readonly Entry[],
  at: number,
  timezone: string,
): Entry | undefined {
  return ofDay(rule, entries, at, timezone).find(
    ({ leftAt }) => !rule.reentry || leftAt === null || at < leftAt,
  )
}

/** Returns the entry that an exit at an instant ends. It returns undefined if the guest is not inside then. */
export function insideAt<Entry extends Span>(
  rule: EntryRule,
  entries: readonly Entry[],
  at: number,
  timezone: string,
): Entry | undefined {
  if (!rule.reentry) return undefined
  return ofDay(rule, entries, at, timezone).find(entry => entry.leftAt === null && entry.at < at)
}

/** Returns the entries of the day of an instant. */
export function ofDay<Entry extends Span>(
  rule: EntryRule,
  entries: readonly Entry[],
  at: number,
  timezone: string,
): Entry[] {
  const day = dayOf(rule, at, timezone)
  return day === NO_DAY ? [...entries] : entries.filter(entry => dayOf(rule, entry.at, timezone) === day)
}

/** Returns which day since a first instant a day is. The first one is 1. */
export function dayNumber(day: string, first: number, timezone: string): number {
  return Math.max(1, Math.round((Date.parse(day) - localOf(first, timezone).date) / DAY) + 1)
}

/** Making a format takes longer than a thousand uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the local date of an instant, as the first instant of that date in UTC, and the local hour. */
function localOf(at: number, timezone: string): { date: number; hour: number } {
  let format = formats.get(timezone)
  if (format === undefined) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, hourCycle: 'h23', ...parts })
    formats.set(timezone, format)
  }
  const found: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(at)) found[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0 } = found
  return { date: Date.UTC(year, month - 1, day), hour }
}
