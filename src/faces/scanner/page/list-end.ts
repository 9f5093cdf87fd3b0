import type { CopyHead } from './store.ts'

const DAY = 24 * 60 * 60 * 1000
/** The copy of an event without an end is kept for this long. */
const KEPT_WITHOUT_END = 30 * DAY

/** Returns when the phone has to wipe a copy, in milliseconds: a day after it can no longer admit anybody. */
export function endOf(head: CopyHead | undefined): number {
  if (head === undefined) return Number.POSITIVE_INFINITY
  const ends = [head.event.ends_at, ...head.types.map(type => type.valid_until)]
  const last = Math.max(...ends.flatMap(end => (end === null ? [] : [Date.parse(end)])))
  return Number.isFinite(last) ? last + DAY : head.heardAt + KEPT_WITHOUT_END
}
