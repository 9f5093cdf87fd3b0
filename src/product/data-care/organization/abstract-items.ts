import * as v from 'valibot'
import { says } from '#base/faults.ts'
import {
  answers,
  closedObject,
  email,
  instant,
  integer,
  isText,
  label,
  name,
  oneOf,
  personName,
  text,
  yesOrNo,
} from '#base/fields.ts'
import { isMathTree } from '#machinery/formulas/math-tree.ts'
import { codeFields } from '#product/catalog/codes/schemas.ts'
import { MAX_REFERENCE } from '#product/guests/registrations/schemas.ts'
import { orcid } from '#product/programme/abstracts/orcid.ts'
import { authorsSchema, contactSchema, MAX_NOTE } from '#product/programme/abstracts/schemas.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import { MOST_REVISIONS } from '#product/programme/abstracts/submitted.ts'
import { MAX_SECTIONS } from '#product/programme/calls/schemas.ts'
import { MAX_COMMENT, score } from '#product/programme/reviews/review-schemas.ts'
import { MAX_REVIEWS } from '#product/programme/reviews/round-schemas.ts'
import { recommendations, returnReasons } from '#product/programme/reviews/states.ts'
import {
  contentSchema,
  MAX_AFFILIATIONS,
  MAX_AUTHORS,
  MAX_KEYWORDS,
  MAX_TEXT,
  MAX_TITLE,
} from '#product/programme/submissions/content.ts'
import { MOST_KEPT, MOST_TYPED } from '#product/programme/submissions/formulas.ts'
import { listUpTo } from './array-of.ts'

/** Abstracts in an organization file, with their versions and what reviewers say of them. */

export const MAX_CODE = 80
/** The longest text, with the headings of its sections. */
const MAX_ABSTRACT = MAX_TEXT + MAX_SECTIONS * 110
/** The longest keywords, with what stands between them. */
const MAX_KEYWORDS_TEXT = MAX_KEYWORDS * 110
/** The most keywords of a version. A form takes fewer, and one that was made of a file has what that had. */
const MOST_KEYWORDS = 600
/** The most dates of an event. */
const MAX_DATES = 366
/** The highest number of a decision. */
const MAX_NUMBER = 1_000_000
const MAX_FILE_NAME = 255
const MAX_LANGUAGE = 35
/** The longest name of who has changed an abstract, as the access log has it. */
export const MAX_ACTOR = 300
/** How many criteria a review may have scored, also retired ones. */
const MAX_SCORES = 100

const maybeInstant = v.nullish(instant, null)
const choice = v.nullish(name(), null)

const author = closedObject({
  given: v.nullable(name(100)),
  family: v.nullable(name(100)),
  email: v.nullable(email),
  orcid: v.nullable(orcid),
  affiliations: listUpTo(integer(0, MAX_AFFILIATIONS - 1), MAX_AFFILIATIONS),
  presenting: yesOrNo,
})

const section = closedObject({ heading: text(100), text: text(MAX_TEXT, 1) })

/** A version of an abstract as it was sent. Topic and kind are named, as their ids are of one database. */
const revision = closedObject({
  created_at: instant,
  changed_by: v.nullish(label(MAX_ACTOR), null),
  title: contentSchema.entries.title,
  sections: v.pipe(
    listUpTo(section, MAX_SECTIONS, 1),
    v.check(
      list => list.reduce((sum, { text }) => sum + text.length, 0) <= MAX_TEXT,
      says('length', { min: 1, max: MAX_TEXT }),
    ),
  ),
  keywords: listUpTo(name(100), MOST_KEYWORDS),
  topic: choice,
  kind: choice,
  /** It is empty where nobody has said it. */
  language: text(MAX_LANGUAGE),
  contact: closedObject({ name: personName, phone: v.nullish(text(50), null) }),
  authors: listUpTo(author, MAX_AUTHORS, 1),
  affiliations: listUpTo(name(), MAX_AFFILIATIONS),
  /** By the keys of what the call asks beside the text. */
  answers: v.optional(answers, () => ({})),
  formulas: v.nullish(v.custom<Readonly<Record<string, unknown>>>(areFormulas, says('formulas')), null),
})

/** Returns whether a value has nothing but formulas that are shown, and no more than are kept. */
function areFormulas(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // The depth of each is limited before it is printed.
  const areWhole = Object.entries(value).every(
    ([source, tree]) => source.length <= MOST_TYPED && isText(source) && isMathTree(tree),
  )
  return areWhole && Buffer.byteLength(JSON.stringify(value)) <= MOST_KEPT
}

const review = closedObject({
  /** The reference of the reviewer. */
  reviewer: label(MAX_REFERENCE),
  returned: v.nullish(oneOf(returnReasons), null),
  scores: v.optional(listUpTo(closedObject({ criterion: name(100), score }), MAX_SCORES), () => []),
  recommendation: v.nullish(oneOf(recommendations), null),
  to_authors: v.nullish(text(MAX_COMMENT), null),
  to_chairs: v.nullish(text(MAX_COMMENT), null),
  /** What its authors were told, once it was changed after that. */
  told: v.nullish(text(MAX_COMMENT), null),
  done_at: maybeInstant,
})

const date = v.pipe(
  v.string(says('string')),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, says('calendarDate', { example: '2026-12-01' })),
)

/** A decision that chairs have agreed on, and nobody else knows of yet. */
const proposal = closedObject({
  decision: oneOf(['accepted', 'rejected']),
  kind: choice,
  note: v.nullish(text(MAX_NOTE), null),
  proposed_by: label(MAX_ACTOR),
})

export const abstractSchema = closedObject({
  code: label(MAX_CODE),
  title: name(MAX_TITLE),
  abstract: text(MAX_ABSTRACT),
  keywords: v.nullish(text(MAX_KEYWORDS_TEXT), null),
  authors: authorsSchema,
  contact: contactSchema,
  file_name: v.nullish(text(MAX_FILE_NAME, 1), null),
  status: v.nullish(oneOf(abstractStatuses), 'submitted'),
  decision_note: v.nullish(text(MAX_NOTE), null),
  decided_at: maybeInstant,
  submitted_at: maybeInstant,
  /** What a call asks for. */
  language: v.nullish(label(MAX_LANGUAGE), null),
  topic: choice,
  kind: choice,
  withdrawn_at: maybeInstant,
  /** What goes along with a decision, of those that were made here. */
  decision_number: v.nullish(integer(0, MAX_NUMBER), 0),
  decided_kind: choice,
  confirmed_at: maybeInstant,
  confirm_by: maybeInstant,
  comments_told_at: maybeInstant,
  /** The dates on which nobody can present it. */
  unavailable: v.nullish(listUpTo(date, MAX_DATES), null),
  /** The code that its presenter registers with. */
  registration_code: v.nullish(codeFields.code, null),
  proposal: v.nullish(proposal, null),
  /** Each version that was sent, the first one first. The last says what the abstract says. */
  revisions: v.optional(listUpTo(revision, MOST_REVISIONS), () => []),
  reviews: v.optional(listUpTo(review, 10 * MAX_REVIEWS), () => []),
})
export type OrganizationRevision = v.InferOutput<typeof revision>
export type OrganizationReview = v.InferOutput<typeof review>
