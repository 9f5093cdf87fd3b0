import { Problem } from '#base/problem.ts'
import { atLocalHour, fromLocalTime, HOUR, toLocalTime } from '#base/time.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

/** Nobody is reminded earlier or later in the day than this, by the clocks of the event. */
const EARLIEST_HOUR = 8
const LATEST_HOUR = 21
/**
 * The longest that a reminder comes before the start, in milliseconds. An event at 23:59 reminds at 21:00 on the day before, and
 * clocks may change.
 */
export const LONGEST_AHEAD = 29 * HOUR

/**
 * Returns when people are reminded of an event: on the day before, by its calendar, at the time of day at which it begins. A time
 * before 8:00 becomes 8:00, and a time after 21:00 becomes 21:00.
 *
 * @param start in milliseconds
 * @param days how many days before
 */
export function remindAt(start: number, timezone: string, days = 1): number {
  const earliest = atLocalHour(start, timezone, -days, EARLIEST_HOUR)
  const latest = atLocalHour(start, timezone, -days, LATEST_HOUR)
  const [day = ''] = toLocalTime(earliest, timezone).split('T')
  const [, time = ''] = toLocalTime(start, timezone).split('T')
  const same = fromLocalTime(`${day}T${time}`, timezone) ?? earliest
  return Math.min(Math.max(same, earliest), latest)
}

/** Returns the day on which an event begins, by its own calendar. People are reminded of each day once. */
export function dayOf(start: number, timezone: string): string {
  return toLocalTime(start, timezone).slice(0, 10)
}

type Reminding = Pick<store.EventRow, 'status' | 'reminder' | 'starts_at' | 'timezone'>

/** Returns whether a change cancels the reminder for the day on which an event was to begin. */
export function endsReminder(was: Reminding, is: Reminding): boolean {
  const day = ({ status, reminder, starts_at, timezone }: Reminding) =>
    status !== 'published' || reminder === 'off' || starts_at === null
      ? undefined
      : dayOf(starts_at, timezone)
  const before = day(was)
  return before !== undefined && before !== day(is)
}

/** An event whose people are to be reminded. */
export interface ToRemind {
  id: string
  account_id: string
  starts_at: number
  timezone: string
}

/**
 * Lists the events of all accounts that begin after `from` and not after `until`, the next one first. Instants are in
 * milliseconds.
 */
export function listToRemind(
  tx: InstanceReadTx,
  from: { starts_at: number; id: string },
  until: number,
  limit: number,
): Promise<ToRemind[]> {
  return store.listToRemind(tx, from, until, limit)
}

/** Returns the start that people were reminded of, in milliseconds, or null if they were not. @throws Problem not_found */
export async function findReminded(tx: ReadTx, id: string): Promise<number | null> {
  const row = await store.findReminded(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row.reminded_for
}

/** @param start in milliseconds */
export async function markReminded(tx: WriteTx, id: string, start: number): Promise<void> {
  await store.setReminded(tx, id, start, await tx.now())
}
