import { Problem } from '#base/problem.ts'
import { DAY, toLocalTime } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { getAfter, setUnavailable } from '#product/programme/abstracts/after.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'

/** Of a longer event, nobody is asked about the days after these. */
const MOST_DAYS = 31

/** Returns the days of an event by its own calendar, as `YYYY-MM-DD`. It has none as long as it has no date. */
export function daysOf({
  starts_at,
  ends_at,
  timezone,
}: Pick<EventDetails, 'starts_at' | 'ends_at' | 'timezone'>): string[] {
  if (starts_at === null) return []
  const start = Date.parse(starts_at)
  const dayOf = (instant: number) => toLocalTime(instant, timezone).slice(0, 10)
  // What ends at midnight has no part of the day that begins then.
  const last = dayOf(ends_at === null ? start : Math.max(start, Date.parse(ends_at) - 1))
  const days: string[] = []
  for (let day = dayOf(start); day <= last && days.length < MOST_DAYS; day = dayAfter(day)) days.push(day)
  return days
}

/** Days of a calendar all have as many hours in UTC. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10)
}

/**
 * Keeps the days of its event on which nobody can present an abstract. Days that the event does not have are left out: it may have
 * been moved since they were shown.
 *
 * @param id of the abstract
 * @returns undefined if they were known
 * @throws Problem not_found; abstract_withdrawn
 */
export async function tellUnavailable(
  tx: WriteTx,
  id: string,
  days: readonly string[],
): Promise<readonly string[] | undefined> {
  const { event_id, withdrawn_at } = await getSubmitted(tx, id)
  if (withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  const told = daysOf(await events.getDetails(tx, event_id)).filter(day => days.includes(day))
  const { unavailable } = await getAfter(tx, id)
  if (told.join() === unavailable.join()) return undefined
  await setUnavailable(tx, id, told)
  return told
}
