import { setImmediate as nextTurn } from 'node:timers/promises'
import { MINUTE } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { dayOf, NO_DAY } from './entry-rule.ts'
import * as store from './entry-store.ts'

/** One read takes at most this many rows, in a few milliseconds. */
const ENTRIES_A_READ = 1_000
/** The newest entries are counted, at most so many. */
export const MOST_ENTRIES = 100_000
/** The clocks of every time zone differ by a multiple of this, in milliseconds. */
const QUARTER = 15 * MINUTE

/** Counts the entries and exits of an hour. */
export interface EntryHour {
  /** The day at the door, which begins at 06:00. */
  day: string
  /** When the hour begins by the clocks of the event, in milliseconds. */
  at: number
  entered: number
  left: number
}

/** Says how an event's tickets that admit more than once were used. */
export interface EntryCounts {
  /** How many are inside: those of an earlier day are not. */
  inside: number
  /** The hours in which somebody came or left, newest first. */
  hours: EntryHour[]
  /** Whether there are more than were counted. */
  isMore: boolean
}

/** Counts the entries of an event by day and hour. @param now milliseconds */
export async function countEntries(
  reader: Reader,
  accountId: string,
  { id: eventId, timezone }: { id: string; timezone: string },
  now: number,
): Promise<EntryCounts> {
  const hours = new Hours(timezone)
  const today = dayOf({ entries: 'each_day' }, now, timezone)
  let inside = 0
  let counted = 0
  let last: store.CountedEntryRow | undefined
  for (;;) {
    const rows = await reader.read(accountId, tx =>
      store.listEntriesBefore(tx, eventId, last, ENTRIES_A_READ),
    )
    for (const { slot, entered_at: enteredAt, left_at: leftAt } of rows) {
      hours.of(enteredAt).entered++
      if (leftAt !== null) hours.of(leftAt).left++
      const isOfNow = slot.startsWith(`${NO_DAY}/`) || slot.startsWith(`${today}/`)
      if (leftAt === null && isOfNow) inside++
    }
    counted += rows.length
    last = rows.at(-1)
    const isEnd = rows.length < ENTRIES_A_READ
    if (isEnd || counted >= MOST_ENTRIES) return { inside, hours: hours.list(), isMore: !isEnd }
    await nextTurn()
  }
}

/** Finds the hour of an instant. Reading a clock takes long, so each quarter of an hour is read once. */
class Hours {
  readonly #timezone: string
  readonly #byQuarter = new Map<number, EntryHour>()
  readonly #byHour = new Map<number, EntryHour>()
  readonly #format: Intl.DateTimeFormat

  constructor(timezone: string) {
    this.#timezone = timezone
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      minute: '2-digit',
    })
  }

  of(instant: number): EntryHour {
    const at = Math.floor(instant / QUARTER) * QUARTER
    let found = this.#byQuarter.get(at)
    if (found === undefined) {
      const begin = at - Number(this.#format.format(at)) * MINUTE
      const day = dayOf({ entries: 'each_day' }, at, this.#timezone)
      found = this.#byHour.get(begin) ?? { day, at: begin, entered: 0, left: 0 }
      this.#byHour.set(begin, found)
      this.#byQuarter.set(at, found)
    }
    return found
  }

  list(): EntryHour[] {
    return [...this.#byHour.values()].sort((one, other) => other.at - one.at)
  }
}
