import { DAY } from '#base/time.ts'
import type { EventDetails } from './schemas.ts'

/** An event without an end is over this long after its start, in milliseconds. */
export const UNSAID_LENGTH = DAY

/** Returns when an event is over, in milliseconds. An event without a date is never over. */
export function endOf({ starts_at, ends_at }: Pick<EventDetails, 'starts_at' | 'ends_at'>): number {
  if (starts_at === null) return Number.POSITIVE_INFINITY
  return ends_at === null ? Date.parse(starts_at) + UNSAID_LENGTH : Date.parse(ends_at)
}
