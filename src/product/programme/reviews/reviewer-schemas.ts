import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { toIsoOrNull } from '#base/time.ts'
import { MAX_TOPICS } from '#product/programme/calls/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { ReviewerRow } from './reviewer-store.ts'

/** The most reviewers of an event. */
export const MAX_REVIEWERS = 500
export const MAX_CONFLICTS = 30

/** What is known of a reviewer by those who ask for a review. */
export const reviewerFields = {
  name: fields.personName,
  email: fields.email,
  affiliation: v.nullable(fields.name()),
}

/** What reviewers say of themselves. */
export const profileFields = {
  affiliation: v.nullable(fields.name()),
  /** The ids of the topics that they know. */
  topics: v.pipe(v.array(fields.uuid), v.maxLength(MAX_TOPICS, says('choices', { max: MAX_TOPICS }))),
  /** People, e-mails and affiliations whose abstracts they will not review. */
  conflicts: v.pipe(
    v.array(fields.name(200)),
    v.maxLength(MAX_CONFLICTS, says('choices', { max: MAX_CONFLICTS })),
  ),
}

export type NewReviewer = {
  [Name in keyof typeof reviewerFields]: v.InferOutput<(typeof reviewerFields)[Name]>
} & { language: Language }

export type Profile = { [Name in keyof typeof profileFields]: v.InferOutput<(typeof profileFields)[Name]> }

/** A person who reviews abstracts of an event. */
export interface Reviewer extends NewReviewer, Profile {
  id: string
  account_id: string
  event_id: string
  secret_version: number
  /** When a chair took them out. Their reviews stay. */
  left_at: string | null
}

export function presentReviewer(row: ReviewerRow): Reviewer {
  const { id, account_id, event_id, name, email, affiliation, language, secret_version } = row
  return {
    ...{ id, account_id, event_id, name, email, affiliation, language, secret_version },
    topics: JSON.parse(row.topics) as string[],
    conflicts: JSON.parse(row.conflicts) as string[],
    left_at: toIsoOrNull(row.left_at),
  }
}
