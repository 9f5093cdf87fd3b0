import type * as v from 'valibot'
import { areaField, check, choicesField, type Field, optionalTextField } from '#machinery/web/forms/field.ts'
import type { Fields, ValuesOf } from '#machinery/web/forms/form.ts'
import { linesField } from '#machinery/web/forms/lines-field.ts'
import { offered, type Topic } from '#product/programme/calls/schemas.ts'
import {
  BEST_SCORE,
  MAX_COMMENT,
  type NewReview,
  reviewFields,
} from '#product/programme/reviews/review-schemas.ts'
import { MAX_CONFLICTS, type Profile, profileFields } from '#product/programme/reviews/reviewer-schemas.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'
import { recommendations } from '#product/programme/reviews/states.ts'

const SCORES = Array.from({ length: BEST_SCORE }, (_, at) => at + 1)

/** Returns the name of the field for the score of a criterion. */
export function scoreName(id: string): string {
  return `score.${id}`
}

/** The field with what tells whether a review has changed since its form was shown. */
export const REVISION = 'review.revision'

/** Returns the fields of a review. Each may stay empty until it is done. */
export function fieldsOf({ criteria }: Round): Fields {
  return {
    ...Object.fromEntries(offered(criteria).map(({ id, name }) => [scoreName(id), scoreField(name)])),
    recommendation: recommendationField,
    to_authors: areaField(MAX_COMMENT, 6, {
      label: texts => texts.reviews.toAuthors,
      help: texts => texts.reviews.toAuthorsHelp,
    }),
    to_chairs: areaField(MAX_COMMENT, 3, { label: texts => texts.reviews.toChairs }),
  }
}

function scoreField(name: string): Field<number | null> {
  return {
    label: () => name,
    isOfPeople: true,
    control: {
      kind: 'radios',
      choices: texts => SCORES.map(n => ({ value: String(n), label: texts.reviews.score(n) })),
      isInLine: true,
    },
    required: false,
    print: value => (value === null ? [] : [String(value)]),
    parse: ([typed]) => ({ value: SCORES.find(n => String(n) === typed) ?? null }),
  }
}

const recommendationField: Field<NewReview['recommendation']> = {
  label: texts => texts.reviews.recommendation,
  control: {
    kind: 'radios',
    choices: texts => recommendations.map(value => ({ value, label: texts.reviews.recommendations[value] })),
    isInLine: true,
  },
  required: false,
  print: value => (value === null ? [] : [value]),
  parse: ([typed]) => check(reviewFields.recommendation, typed || null),
}

/** Returns what the form of a review shows. */
export function valuesOf({ criteria }: Round, review: NewReview): ValuesOf<Fields> {
  const { scores, recommendation, to_authors, to_chairs } = review
  return {
    ...Object.fromEntries(offered(criteria).map(({ id }) => [scoreName(id), scores[id] ?? null])),
    ...{ recommendation, to_authors, to_chairs },
  }
}

/** Returns the review that a form says. */
export function reviewOf({ criteria }: Round, values: ValuesOf<Fields>): NewReview {
  const scored = offered(criteria).flatMap(({ id }) => {
    const score: number | null = values[scoreName(id)] ?? null
    return score === null ? [] : [[id, score] as const]
  })
  const { recommendation, to_authors, to_chairs } = values
  return { scores: Object.fromEntries(scored), recommendation, to_authors, to_chairs }
}

/** Returns the fields of what a reviewer says of themselves. */
export function profileFieldsOf(topics: readonly Topic[]) {
  const lines = linesField(profileFields.conflicts as v.GenericSchema<unknown, string[]>, 5, {
    label: texts => texts.reviews.conflicts,
    help: texts => texts.reviews.conflictsHelp,
  })
  const conflicts: Field<readonly string[]> = {
    ...lines,
    parse: (typed, scale) => {
      const parsed = lines.parse(typed, scale)
      return 'fault' in parsed && parsed.fault.key === 'choices'
        ? { say: texts => texts.reviews.wrongConflicts(MAX_CONFLICTS) }
        : parsed
    },
  }
  const all = {
    affiliation: optionalTextField(profileFields.affiliation as v.GenericSchema<unknown, string>, {
      label: texts => texts.reviews.affiliation,
      help: texts => texts.reviews.affiliationHelp,
    }),
    topics: topicsField(topics),
    conflicts,
  }
  const { topics: _, ...others } = all
  return topics.length === 0 ? (others as typeof all) : all
}

function topicsField(topics: readonly Topic[]): Field<readonly string[]> {
  return choicesField(
    topics.map(({ id }) => id),
    () => topics.map(({ id, name }) => ({ value: id, label: name })),
    { label: texts => texts.reviews.topics },
  )
}

/** Returns what a form says of a reviewer. Topics that cannot be chosen any more stay. */
export function profileOf(
  values: Partial<ValuesOf<ReturnType<typeof profileFieldsOf>>>,
  was: Profile,
  topics: readonly Topic[],
): Profile {
  const shown = new Set(topics.map(({ id }) => id))
  const kept = was.topics.filter(id => !shown.has(id))
  return {
    affiliation: values.affiliation ?? null,
    topics: [...(values.topics ?? []), ...kept],
    conflicts: [...(values.conflicts ?? [])],
  }
}
