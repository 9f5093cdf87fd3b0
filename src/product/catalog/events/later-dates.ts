import { Problem } from '#base/problem.ts'
import { fromWallClock, toLocalTime, wallClock } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from './rules.ts'
import type { EventChanges, EventDetails } from './schemas.ts'
import { MAX_DATES } from './series-schemas.ts'
import { type LaterRow, listLater as listLaterRows } from './series-store.ts'

/** A later date of the same series. `starts_at` is in milliseconds. */
export type LaterDate = LaterRow

/** A start by which times of an event are counted: an instant in milliseconds, and the clocks that show it. */
export type Anchor = Pick<LaterDate, 'starts_at' | 'timezone'>

/** Why a date would not take a change. */
export interface Uncarried {
  /** The date and time of day at which it begins, by its own clocks: `2027-01-09T10:00`. */
  date: string
  code: Problem['code']
  message: string
  details: Record<string, unknown>
}

/** The most dates of which a refusal says why. */
const MOST_EXPLAINED = 20

/**
 * Lists the dates of the series of an event that begin after it, the first one first. Cancelled and deleted ones are left out, and
 * those that a member may not see.
 *
 * @param among the ids of the events that the member has, or null for all
 * @returns at most 500, and none for an event of no series or without a date
 */
export async function listLater(
  tx: ReadTx,
  { id, series_id, starts_at }: EventDetails,
  among: readonly string[] | null,
): Promise<LaterDate[]> {
  if (series_id === null || starts_at === null) return []
  const later = await listLaterRows(tx, series_id, Date.parse(starts_at), MAX_DATES)
  return later.filter(date => date.id !== id && (among === null || among.includes(date.id)))
}

/** What was done here, and the ids of what the same was done to on later dates. */
export interface Carried<Thing> {
  here: Thing
  others: readonly string[]
}

/**
 * Changes each of several dates, or none.
 *
 * @returns the ids of what was changed on each of them
 * @throws Problem not_carried, with `details.uncarried` for the first dates that refuse, as `Uncarried`, and `details.count` for
 *   all that do
 */
export async function changeEach(
  tx: WriteTx,
  later: readonly LaterDate[],
  change: (date: LaterDate) => Promise<{ id: string }>,
): Promise<string[]> {
  const changed: string[] = []
  const uncarried: Uncarried[] = []
  for (const date of later) {
    try {
      changed.push((await change(date)).id)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, message, details = {} } = error
      uncarried.push({ date: toLocalTime(date.starts_at, date.timezone), code, message, details })
    }
    await tx.giveTurn()
  }
  if (uncarried.length === 0) return changed
  const details = { count: uncarried.length, uncarried: uncarried.slice(0, MOST_EXPLAINED) }
  throw new Problem('not_carried', { details })
}

/**
 * Changes an event and, in the same way, later dates of its series, by the rule of `update`. A start moves as far as this one's
 * does on the clocks. Other times get the distance from the start that they have here. The slug stays.
 *
 * @returns the event, and the ids of the later dates that were changed: none if nothing but the slug was
 * @throws Problem those of `update` for the event itself; no_start if its start would be open; not_carried as in `changeEach`
 */
export async function updateWithLater(
  tx: WriteTx,
  id: string,
  changes: EventChanges,
  later: readonly LaterDate[],
): Promise<Carried<EventDetails>> {
  const was = await events.getDetails(tx, id)
  const is = await events.update(tx, id, changes)
  const { slug, ...carried } = changes
  if (later.length === 0 || Object.keys(carried).length === 0) return { here: is, others: [] }
  const [from, here] = [anchorOf(was), anchorOf(is)]
  const others = await changeEach(tx, later, date =>
    events.update(tx, date.id, moveChanges(carried, from, here, date)),
  )
  return { here: is, others }
}

/** @throws Problem no_start */
export function anchorOf({ starts_at, timezone }: EventDetails): Anchor {
  if (starts_at === null) throw new Problem('no_start', { param: 'starts_at' })
  return { starts_at: Date.parse(starts_at), timezone }
}

/** Returns the instant that is as far from another start, on the clocks, as `instant` is from this one. */
export function moveTime(instant: number | null, from: Anchor, to: Anchor): number | null {
  if (instant === null) return null
  const distance = wallClock(instant, from.timezone) - wallClock(from.starts_at, from.timezone)
  return fromWallClock(wallClock(to.starts_at, to.timezone) + distance, to.timezone)
}

/** Returns the changes with those of the named times that they have moved as in `moveTime`. */
export function moveTimes<Name extends string, Changes extends { [Each in Name]?: number | null }>(
  changes: Changes,
  names: readonly Name[],
  from: Anchor,
  to: Anchor,
): Changes {
  const moved: { [Each in Name]?: number | null } = {}
  for (const name of names) {
    const instant = changes[name]
    if (instant !== undefined) moved[name] = moveTime(instant, from, to)
  }
  return { ...changes, ...moved }
}

function moveChanges(changes: EventChanges, from: Anchor, here: Anchor, date: LaterDate): EventChanges {
  const there = { starts_at: date.starts_at, timezone: changes.timezone ?? date.timezone }
  if (changes.starts_at !== undefined) there.starts_at = moveStart(from, here, date, there.timezone)
  const moved = moveTimes(changes, ['ends_at', 'names_locked_at', 'cancel_until'], here, there)
  return changes.starts_at === undefined ? moved : { ...moved, starts_at: there.starts_at }
}

/** @throws Problem invalid_parameter if the clocks skip the start */
function moveStart(from: Anchor, here: Anchor, date: LaterDate, timezone: string): number {
  const distance = wallClock(here.starts_at, here.timezone) - wallClock(from.starts_at, from.timezone)
  const shown = wallClock(date.starts_at, date.timezone) + distance
  const start = fromWallClock(shown, timezone)
  if (wallClock(start, timezone) !== shown) {
    throw new Problem('invalid_parameter', { param: 'starts_at', details: { reason: 'skipped_time' } })
  }
  return start
}
