import type { ReadTx, WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { atLocalHour, fromLocalTime, HOUR, toLocalTime } from '../time.ts'
import * as store from './store.ts'

/** Nobody is reminded earlier in the day, or later, by the clocks of the event. */
const EARLIEST_HOUR = 8
const LATEST_HOUR = 21
/** A reminder comes so long before the start at most, in milliseconds: what begins at 23:59 reminds at 21:00, and clocks may change. */
export const LONGEST_AHEAD = 29 * HOUR

/**
 * When people are reminded of an event: on the day before, by its calendar, at the time of day at which it begins; where that is
 * before 8:00, then, and where it is after 21:00, then.
 *
 * @param start in milliseconds
 */
export function remindAt(start: number, timezone: string): number {
  const earliest = atLocalHour(start, timezone, -1, EARLIEST_HOUR)
  const latest = atLocalHour(start, timezone, -1, LATEST_HOUR)
  const [day = ''] = toLocalTime(earliest, timezone).split('T')
  const [, time = ''] = toLocalTime(start, timezone).split('T')
  const same = fromLocalTime(`${day}T${time}`, timezone) ?? earliest
  return Math.min(Math.max(same, earliest), latest)
}

/** The day on which an event begins, by its own calendar: people are reminded of each day once. */
export function dayOf(start: number, timezone: string): string {
  return toLocalTime(start, timezone).slice(0, 10)
}

type Reminding = Pick<store.EventRow, 'status' | 'reminder' | 'starts_at' | 'timezone'>

/** Whether nobody is reminded any more of the day on which an event was to begin. */
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

/** Of all accounts, the next first: what begins after `from`, until `until`, in milliseconds. */
export function listToRemind(
  tx: ReadTx,
  from: { starts_at: number; id: string },
  until: number,
  limit: number,
): Promise<ToRemind[]> {
  return store.listToRemind(tx, from, until, limit)
}

/** The start that people were reminded of, in milliseconds; null where they were not. @throws Problem not_found */
export async function findReminded(tx: ReadTx, accountId: string, id: string): Promise<number | null> {
  const row = await store.findReminded(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row.reminded_for
}

/** @param start in milliseconds */
export async function markReminded(tx: WriteTx, accountId: string, id: string, start: number): Promise<void> {
  await store.setReminded(tx, accountId, id, start, await tx.now())
}
