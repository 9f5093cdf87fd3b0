import * as fields from '#base/fields.ts'
import { toIso } from '#base/time.ts'
import type { DateRow, SeriesRow } from './series-store.ts'

/** The most dates that one repetition makes. */
export const MAX_REPEATED = 200
/** The most dates of a series, so that a change of all of them is still one short write. */
export const MAX_DATES = 500

/** The fields of a series that an organizer sets. */
export const seriesFields = {
  name: fields.name(),
  slug: fields.slug,
}

/** Events that repeat one another. */
export interface Series {
  id: string
  name: string
  /** Its name in addresses. No event of the account has it. */
  slug: string
  created_at: string
}

/** A date of a series: an event with the fields that tell it from others. */
export type SeriesDate = DateRow

export function presentSeries({ created_at, ...row }: SeriesRow): Series {
  return { ...row, created_at: toIso(created_at) }
}
