import { DateTime, IANAZone } from 'luxon'

/** Milliseconds since the epoch, UTC. The one clock is handed down from the composition root. */
export type Clock = () => number

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** ISO 8601 in UTC with milliseconds, as the specification's section 1 has it. */
export function toIso(instant: number): string {
  return new Date(instant).toISOString()
}

/** ISO 8601's basic format in UTC, for names of files: `20261121T030000Z`, in the order of time when sorted. */
export function toBasicIso(instant: number): string {
  return toIso(instant).replace(/[-:]|\.\d+/g, '')
}

/** Reads what `toBasicIso` has written. @returns milliseconds */
export function readBasicIso(text: string): number {
  return Date.parse(text.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
}

export function toIsoOrNull(instant: number | null): string | null {
  return instant === null ? null : toIso(instant)
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** The years that ISO 8601 writes with four digits. */
export const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Reads an ISO 8601 date and time that names its offset; undefined for anything else, 30 February too. */
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

/** Local hours that were worked out, as each takes longer than the signature of a ticket; the oldest leave first. */
const localHours = new Map<string, number>()
const KEPT_LOCAL_HOURS = 1000

/** The instant of `hour`:00, `days` after the local day that `instant` falls on. */
export function atLocalHour(instant: number, zone: string, days: number, hour: number): number {
  const question = `${instant} ${zone} ${days} ${hour}`
  const known = localHours.get(question)
  if (known !== undefined) return known
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

/** The month in which an instant falls in a time zone, as `YYYY-MM`. */
export function monthOf(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toFormat('yyyy-MM')
}

/** The months back to that of an instant, `YYYY-MM`, from the current one on, at most so many. @param now milliseconds */
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

/** The first instant of a month, `YYYY-MM`, in a time zone, and that of the next: a half-open range, in milliseconds. */
export function monthRange(month: string, zone: string): [from: number, to: number] {
  const start = DateTime.fromISO(`${month}-01`, { zone: 'utc' })
  return [firstInstantOf(start, zone), firstInstantOf(start.plus({ months: 1 }), zone)]
}

/**
 * When the clocks of a zone first show this date. A change of the clocks can make its midnight come twice, which is one of
 * two instants, or not at all; and each month must begin exactly where the one before ends.
 */
function firstInstantOf(date: DateTime, zone: string): number {
  const { real, all } = instantsOf(date, zone)
  return Math.min(...(real.length > 0 ? real : all.slice(0, 1)))
}

/**
 * The instants at which the clocks of a zone show a date and time: none where they skip it, two where they show it twice.
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

/** Whether a text is a local date and time, as a form has it: `2026-12-01T09:00`. */
export function isLocalTime(text: string): boolean {
  return LOCAL.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid
}

/**
 * The instant of a local date and time; the first of two, where the clocks show it twice.
 *
 * @param text as in `isLocalTime`
 * @returns undefined where a change of the clocks skips it
 */
export function fromLocalTime(text: string, zone: string): number | undefined {
  const { real } = instantsOf(DateTime.fromISO(text, { zone: 'utc' }), zone)
  return real.length === 0 ? undefined : Math.min(...real)
}

/** The date and time that the clocks of a zone show, to the minute: `2026-12-01T09:00`. */
export function toLocalTime(instant: number, zone: string): string {
  return DateTime.fromMillis(instant, { zone }).toFormat("yyyy-MM-dd'T'HH:mm")
}

/**
 * Moves an instant by the distance of two others on the calendar and the clocks of a zone: what is at 09:00 stays at 09:00 when
 * the clocks change in between. A time that they skip is as much later, and one that comes twice is the first.
 */
export function shiftOnCalendar(instant: number, zone: string, from: number, to: number): number {
  const at = IANAZone.create(zone)
  const shown = (each: number) => each + at.offset(each) * MINUTE
  const local = DateTime.fromMillis(shown(instant) + shown(to) - shown(from), { zone: 'utc' })
  return Math.min(Math.max(firstInstantOf(local, zone), EARLIEST), LATEST)
}

interface LocalDay {
  /** `YYYY-MM-DD` */
  date: string
  /** Milliseconds: the first instant, and that of the next day. */
  from: number
  to: number
}

/** The days of one time zone. Each is worked out once: millions of instants fall on few days. */
export class LocalDays {
  readonly #zone: string
  /** By the day in UTC, which at most three local ones share. */
  readonly #known = new Map<number, LocalDay[]>()

  constructor(zone: string) {
    this.#zone = zone
  }

  of(instant: number): LocalDay {
    const utcDay = Math.floor(instant / DAY)
    const known = this.#known.get(utcDay) ?? []
    const found = known.find(({ from, to }) => instant >= from && instant < to)
    if (found !== undefined) return found
    const { year, month, day } = DateTime.fromMillis(instant, { zone: this.#zone })
    const date = DateTime.utc(year, month, day)
    const made = {
      date: date.toFormat('yyyy-MM-dd'),
      from: firstInstantOf(date, this.#zone),
      to: firstInstantOf(date.plus({ days: 1 }), this.#zone),
    }
    this.#known.set(utcDay, [...known, made])
    return made
  }
}
