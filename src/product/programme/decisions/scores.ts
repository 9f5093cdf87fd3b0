import type { recommendations } from '#product/programme/reviews/states.ts'

/** A review that is done, in figures. */
export interface Scored {
  abstract_id: string
  reviewer_id: string
  /** The weighted mean of its scores. It is undefined if all that was scored has retired. */
  mean: number | undefined
  recommendation: Recommendation | null
}

type Recommendation = (typeof recommendations)[number]

/** What the reviews of an abstract say together. */
export interface Figures {
  /** How many are done. */
  done: number
  mean: number | undefined
  /** The highest less the lowest of two reviews or more. */
  spread: number | undefined
  /** The mean, without how much kinder or stricter than all its reviewers are. */
  adjusted: number | undefined
  recommended: Readonly<Record<Recommendation, number>>
}

/** From so many reviews on, a reviewer's mean says something of the reviewer. */
export const ENOUGH = 5

/** Returns how far the mean of each reviewer with enough reviews is above that of all reviews. */
export function leaningsOf(reviews: readonly Scored[]): ReadonlyMap<string, number> {
  const ofAll: number[] = []
  const ofReviewers = new Map<string, number[]>()
  for (const { reviewer_id, mean } of reviews) {
    if (mean === undefined) continue
    ofAll.push(mean)
    const own = ofReviewers.get(reviewer_id)
    if (own === undefined) ofReviewers.set(reviewer_id, [mean])
    else own.push(mean)
  }
  const all = meanOf(ofAll) ?? 0
  const enough = [...ofReviewers].filter(([, means]) => means.length >= ENOUGH)
  return new Map(enough.map(([id, means]) => [id, (meanOf(means) ?? 0) - all]))
}

/** @param leanings of all reviewers. Without any, nothing is adjusted */
export function figuresOf(reviews: readonly Scored[], leanings: ReadonlyMap<string, number>): Figures {
  const scored = reviews.flatMap(({ reviewer_id, mean }) => (mean === undefined ? [] : { reviewer_id, mean }))
  const means = scored.map(({ mean }) => mean)
  const adjusted = scored.map(({ reviewer_id, mean }) => mean - (leanings.get(reviewer_id) ?? 0))
  const count = (wanted: Recommendation) =>
    reviews.filter(({ recommendation }) => recommendation === wanted).length
  return {
    done: reviews.length,
    mean: meanOf(means),
    spread: means.length < 2 ? undefined : Math.max(...means) - Math.min(...means),
    adjusted: leanings.size === 0 ? undefined : meanOf(adjusted),
    recommended: { accept: count('accept'), unsure: count('unsure'), reject: count('reject') },
  }
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}
