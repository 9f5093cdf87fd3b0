import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject, email, instant, integer, isText, label, name, oneOf, text } from '#base/fields.ts'
import { MAX_REFERENCE } from '#product/guests/registrations/schemas.ts'
import { MAX_FILE_MIB, MAX_TOPICS } from '#product/programme/calls/schemas.ts'
import { MAX_CONFLICTS } from '#product/programme/reviews/reviewer-schemas.ts'
import { MAX_AFFILIATIONS, MAX_AUTHORS } from '#product/programme/submissions/content.ts'
import { MOST_OF_PERSON } from '#product/programme/submissions/rules.ts'
import { type Draft, MAX_DRAFT } from '#product/programme/submissions/schemas.ts'
import { languages } from '#texts/languages.ts'
import { MAX_CODE } from './abstract-items.ts'
import { listUpTo } from './array-of.ts'

/** The people of a call for abstracts in an organization file: who submits, with what they submit, and who reviews. */

/** The most fields of a draft, the longest name of one, and the most values. */
const MAX_FIELDS = 2_000
const MAX_FIELD = 200
const MAX_VALUES = 50
/** How much longer a draft may be that names its topic and kind, instead of their ids. */
const MAX_NAMES = 1_000

const maybeInstant = v.nullish(instant, null)

const draft = v.pipe(
  closedObject({
    typed: v.custom<Draft['typed']>(isTyped, says('typed')),
    authors: integer(0, MAX_AUTHORS),
    affiliations: integer(0, MAX_AFFILIATIONS),
  }),
  v.check(
    given => JSON.stringify(given).length <= MAX_DRAFT + MAX_NAMES,
    says('length', { min: 0, max: MAX_DRAFT }),
  ),
)

function isTyped(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const entries = Object.entries(value)
  const areTexts = (values: unknown) =>
    Array.isArray(values) &&
    values.length <= MAX_VALUES &&
    values.every(one => typeof one === 'string' && one.length <= MAX_DRAFT && isText(one))
  return (
    entries.length <= MAX_FIELDS &&
    entries.every(([field, values]) => field.length <= MAX_FIELD && isText(field) && areTexts(values))
  )
}

/** The bytes of a file stand in a folder beside the organization file, under their SHA-256. */
const file = closedObject({
  name: text(MAX_FIELD, 1),
  size: integer(1, MAX_FILE_MIB * 1024 ** 2),
  sha256: v.pipe(v.string(says('string')), v.regex(/^[0-9a-f]{64}$/, says('sha256'))),
})
export type OrganizationFile = v.InferOutput<typeof file>

const submission = closedObject({
  reference: label(MAX_REFERENCE),
  /** The code of what was sent of it; null as long as nothing was. */
  abstract: v.nullish(label(MAX_CODE), null),
  /** What was typed since; null if it is as it was sent. Topic and kind are named. */
  draft: v.nullish(draft, null),
  confirmed_at: maybeInstant,
  created_at: maybeInstant,
  file: v.nullish(file, null),
})

export const submitterSchema = closedObject({
  reference: label(MAX_REFERENCE),
  name: name(),
  email,
  language: v.nullish(oneOf(languages), 'en'),
  confirmed_at: maybeInstant,
  late_until: maybeInstant,
  created_at: maybeInstant,
  submissions: listUpTo(submission, 2 * MOST_OF_PERSON, 1),
})

export const reviewerSchema = closedObject({
  reference: label(MAX_REFERENCE),
  name: name(),
  email,
  affiliation: v.nullish(name(), null),
  language: v.nullish(oneOf(languages), 'en'),
  /** The names of the topics that they know. */
  topics: v.optional(listUpTo(name(), MAX_TOPICS), () => []),
  conflicts: v.optional(listUpTo(name(200), MAX_CONFLICTS), () => []),
  left_at: maybeInstant,
  created_at: maybeInstant,
})
