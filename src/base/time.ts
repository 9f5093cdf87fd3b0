import { DateTime, IANAZone } from 'luxon'

/** Returns milliseconds since the epoch, UTC. The composition root hands the one clock down. */
export type Clock = () => number

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Returns ISO 8601 in UTC with milliseconds, as section 1 of the specification demands. */
export function toIso(instant: number): string {
  return new Date(instant).toISOString()
}

/** Returns ISO 8601 to the second, as the clocks of a zone show it, with their offset: `2026-11-21T10:00:00+01:00`. */
export function toLocalIso(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ")
}

/** Returns ISO 8601's basic format in UTC, for names of files: `20261121T030000Z`. Names sort in the order of time. */
export function toBasicIso(instant: number): string {
  return toIso(instant).replace(/[-:]|\.\d+/g, '')
}

/** Reads the text that `toBasicIso` writes. @returns milliseconds */
export function readBasicIso(text: string): number {
  return Date.parse(text.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
}

export function toIsoOrNull(instant: number | null): string | null {
  return instant === null ? null : toIso(instant)
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** The limits of the years that ISO 8601 writes with four digits. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads an ISO 8601 date and time that names its offset. Returns undefined for anything else, also for 30 February. */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined
  const moment = DateTime.fromISO(text)
  if (!moment.isValid) return undefined
  const instant = moment.toMillis()
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined
}

export function isTimeZone(name: string): boolean {
  return /^[A-Za-z][\w+/-]{0,63}$/.test(name) && IANAZone.isValidZone(name)
}

/** A cache of computed local hours, because each takes longer than the signature of a ticket. The oldest leave first. */
const localHours = new Map<string, number>()
const KEPT_LOCAL_HOURS = 1000

/** Returns the instant of `hour`:00, `days` after the local day of `instant`. */
export function atLocalHour(instant: number, zone: string, days: number, hour: number): number {
  const question = `${instant} ${zone} ${days} ${hour}`
  const cached = localHours.get(question)
  if (cached !== undefined) return cached
  const day = DateTime.fromMillis(instant, { zone }).plus({ days })
  const local =
    hour === 0
      ? firstInstantOf(DateTime.utc(day.year, day.month, day.day), zone)
      : day.startOf('day').set({ hour }).toMillis()
  const found = Math.min(local, LATEST)
  if (localHours.size >= KEPT_LOCAL_HOURS) localHours.delete(localHours.keys().next().value as string)
  localHours.set(question, found)
  return found
}

/** Returns the month of an instant in a time zone, as `YYYY-MM`. */
export function monthOf(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toFormat('yyyy-MM')
}

/** Returns at most `most` months as `YYYY-MM`, from the current one back to that of `first`. @param now milliseconds */
export function monthsSince(first: number, now: number, zone: string, most: number): string[] {
  const last = monthOf(first, zone)
  const months = [monthOf(now, zone)]
  for (let month = monthBefore(months[0] as string); month >= last; month = monthBefore(month)) {
    if (months.push(month) === most) break
  }
  return months
}

function monthBefore(month: string): string {
  const [year = 0, of = 0] = month.split('-').map(Number)
  const [before, last] = of === 1 ? [year - 1, 12] : [year, of - 1]
  return `${String(before).padStart(4, '0')}-${String(last).padStart(2, '0')}`
}

/** Returns the first instants of a month, `YYYY-MM`, and of the next month in a time zone: a half-open range, in milliseconds. */
export function monthRange(month: string, zone: string): [from: number, to: number] {
  const start = DateTime.fromISO(`${month}-01`, { zone: 'utc' })
  return [firstInstantOf(start, zone), firstInstantOf(start.plus({ months: 1 }), zone)]
}

/**
 * Returns when the clocks of a zone first show this date. When the clocks change, midnight may come twice, at two instants, or
 * not at all. Each month must begin exactly where the one before ends.
 */
function firstInstantOf(date: DateTime, zone: string): number {
  const { real, all } = instantsOf(date, zone)
  return Math.min(...(real.length > 0 ? real : all.slice(0, 1)))
}

/**
 * Returns the instants at which the clocks of a zone show a date and time. `real` is empty if they skip it, and has two if they
 * show it twice.
 *
 * @param local the date and time, as if it were UTC
 */
function instantsOf(local: DateTime, zone: string): { real: number[]; all: number[] } {
  const shown = local.toMillis()
  const at = IANAZone.create(zone)
  const offsets = [shown - DAY, shown + DAY].map(near => at.offset(near) * MINUTE)
  const all = offsets.map(each => shown - each)
  return { real: all.filter((instant, index) => at.offset(instant) * MINUTE === offsets[index]), all }
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/

/** Returns whether a text is a local date and time, as a form has it: `2026-12-01T09:00`. */
export function isLocalTime(text: string): boolean {
  return LOCAL.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid
}

/**
 * Returns the instant of a local date and time, the first of two if the clocks show it twice.
 *
 * @param text as in `isLocalTime`
 * @returns undefined if a change of the clocks skips it
 */
export function fromLocalTime(text: string, zone: string): number | undefined {
  const { real } = instantsOf(DateTime.fromISO(text, { zone: 'utc' }), zone)
  return real.length === 0 ? undefined : Math.min(...real)
}

/** Returns the date and time that the clocks of a zone show, to the minute: `2026-12-01T09:00`. */
export function toLocalTime(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toFormat("yyyy-MM-dd'T'HH:mm")
}

/** Returns what the clocks of a zone show at an instant, in milliseconds as if it were UTC. */
export function wallClock(instant: number, zone: string): number {
  return instant + IANAZone.create(zone).offset(instant) * MINUTE
}

/**
 * Returns the first instant at which the clocks of a zone show this. A time that they skip becomes later by as much.
 *
 * @param shown as `wallClock` returns it
 */
export function fromWallClock(shown: number, zone: string): number {
  const local = DateTime.fromMillis(shown, { zone: 'utc' })
  return Math.min(Math.max(firstInstantOf(local, zone), EARLIEST), LATEST)
}

/**
 * Moves an instant by the distance of two others on the calendar and the clocks of a zone. What is at 09:00 stays at 09:00 when
 * the clocks change in between. A time that the clocks skip becomes later by as much, and of one that comes twice the first
 * counts.
 */
export function shiftOnCalendar(instant: number, zone: string, from: number, to: number): number {
  const shown = (each: number) => wallClock(each, zone)
  return fromWallClock(shown(instant) + shown(to) - shown(from), zone)
}

interface LocalDay {
  /** The form is `YYYY-MM-DD`. */
  date: string
  /** Milliseconds: the first instant of this day, and of the next day in `to`. */
  from: number
  to: number
}

/** The days of one time zone. Each is computed once, as millions of instants fall on few days. */
export class LocalDays {
  readonly #zone: string
  /** The key is the day in UTC, which at most three local days share. */
  readonly #cached = new Map<number, LocalDay[]>()

  constructor(zone: string) {
    this.#zone = zone
  }

  of(instant: number): LocalDay {
    const utcDay = Math.floor(instant / DAY)
    const cached = this.#cached.get(utcDay) ?? []
    const found = cached.find(({ from, to }) => instant >= from && instant < to)
    if (found !== undefined) return found
    const { year, month, day } = DateTime.fromMillis(instant, { zone: this.#zone })
    const date = DateTime.utc(year, month, day)
    const made = {
      date: date.toFormat('yyyy-MM-dd'),
      from: firstInstantOf(date, this.#zone),
      to: firstInstantOf(date.plus({ days: 1 }), this.#zone),
    }
    this.#cached.set(utcDay, [...cached, made])
    return made
  }
}
