import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { toIso } from '#base/time.ts'
import { topicSchema } from '#product/programme/calls/schemas.ts'
import type { RoundRow } from './round-store.ts'

export const MAX_CRITERIA = 5
export const MAX_WEIGHT = 9
/** The most reviews of one abstract. */
export const MAX_REVIEWS = 10

const criteria = v.pipe(
  v.array(
    fields.closedObject({ name: fields.name(100), weight: fields.integer(1, MAX_WEIGHT) }),
    says('array'),
  ),
  v.check(
    list =>
      list.length >= 1 &&
      list.length <= MAX_CRITERIA &&
      new Set(list.map(({ name }) => name.toLowerCase())).size === list.length,
    says('choices', { max: MAX_CRITERIA }),
  ),
)

/** What an organizer says of the review of an event. After parsing, instants are in milliseconds. */
export const roundFields = {
  /** The last minute in which reviews are taken. */
  closes_at: fields.instant,
  /** Whether reviewers see neither who has written an abstract nor its file. */
  blind: fields.yesOrNo,
  /** How many reviews an abstract gets. */
  wanted: fields.integer(1, MAX_REVIEWS),
  /** What is scored, from 1 to 5, and how much it counts. */
  criteria,
  /** What reviewers are asked to look at, in Markdown. */
  about: v.nullable(fields.text(20_000)),
}

export type NewRound = { [Name in keyof typeof roundFields]: v.InferOutput<(typeof roundFields)[Name]> }

/** One that is left out retires: reviews may have scored it. */
export const criterionSchema = v.strictObject({ ...topicSchema.entries, weight: v.number() })
export type Criterion = v.InferOutput<typeof criterionSchema>

export interface Round extends Omit<NewRound, 'closes_at' | 'criteria'> {
  event_id: string
  closes_at: string
  /** Those that are scored, in their order, and then the retired ones. */
  criteria: readonly Criterion[]
  updated_at: string
}

export function presentRound(row: RoundRow): Round {
  const { event_id, wanted, about } = row
  return {
    ...{ event_id, wanted, about },
    closes_at: toIso(row.closes_at),
    blind: row.blind !== 0,
    criteria: JSON.parse(row.criteria) as Criterion[],
    updated_at: toIso(row.updated_at),
  }
}
