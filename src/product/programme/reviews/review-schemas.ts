import { createHash } from 'node:crypto'
import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { BriefReview, ReviewRow } from './review-store.ts'
import { recommendations } from './states.ts'

export const MAX_COMMENT = 5_000
/** The best score of a criterion; the worst is 1. */
export const BEST_SCORE = 5

/** What a reviewer says of an abstract. As long as it is not done, anything may be missing. */
export const reviewFields = {
  recommendation: v.nullable(fields.oneOf(recommendations)),
  to_authors: v.nullable(fields.text(MAX_COMMENT)),
  to_chairs: v.nullable(fields.text(MAX_COMMENT)),
}
export const score = fields.integer(1, BEST_SCORE)

export interface NewReview {
  /** By the ids of the criteria. */
  scores: Readonly<Record<string, number>>
  recommendation: ReviewRow['recommendation']
  to_authors: string | null
  to_chairs: string | null
}

/** Returns what tells whether a review has changed. It says nothing of when. */
export function revisionOf({ scores, ...said }: NewReview): string {
  const sorted = Object.entries(scores).sort(([one], [other]) => (one < other ? -1 : 1))
  const { recommendation, to_authors, to_chairs } = said
  const text = JSON.stringify([sorted, recommendation, to_authors, to_chairs])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** A review for those who decide. */
export interface Review extends NewReview {
  abstract_id: string
  reviewer_id: string
  returned: ReviewRow['returned']
  /** What the authors were told, once it was changed after that; empty for nothing. */
  told: string | null
  done_at: string | null
}

export function presentReview(row: ReviewRow): Review {
  const { abstract_id, reviewer_id, returned, recommendation, to_authors, to_chairs, told } = row
  return {
    ...{ abstract_id, reviewer_id, returned, recommendation, to_authors, to_chairs, told },
    scores: JSON.parse(row.scores) as Review['scores'],
    done_at: toIsoOrNull(row.done_at),
  }
}

/** How far the reviews of a reviewer or an abstract are. */
export interface Progress {
  assigned: number
  done: number
  returned: number
}

export function addTo(progress: Progress, { returned, done_at }: BriefReview): void {
  if (returned !== null) progress.returned++
  else progress.assigned++
  if (done_at !== null) progress.done++
}
