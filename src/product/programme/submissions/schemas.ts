import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Language } from '#texts/languages.ts'
import type { SubmissionRow, SubmitterRow } from './store.ts'

/** The longest draft, in characters of its JSON. */
export const MAX_DRAFT = 64 * 1024

/** What somebody has typed so far, by the names of the fields of a form. */
export interface Draft {
  typed: Readonly<Record<string, readonly string[]>>
  /** How many rows the form has. */
  authors: number
  affiliations: number
  /** The headings of the parts of the text that its form had. */
  headings?: readonly string[]
}

/** A person who submits, by their e-mail. */
export interface Submitter {
  id: string
  account_id: string
  event_id: string
  name: string
  email: string
  language: Language
  secret_version: number
  /** Whether it is known that the mailed link has reached them. */
  is_confirmed: boolean
  late_until: string | null
}

export interface Submission {
  id: string
  event_id: string
  submitter_id: string
  /** It is null if nothing was typed since it was sent. */
  draft: Draft | null
  /** Rises with each change of the draft. */
  draft_revision: number
  /** It is null if it was never sent. */
  abstract_id: string | null
  /** Whether it is known that the submitter has written it. */
  is_confirmed: boolean
  created_at: string
  updated_at: string
}

export function presentSubmitter(row: SubmitterRow): Submitter {
  const { id, account_id, event_id, name, email, language, secret_version } = row
  return {
    ...{ id, account_id, event_id, name, email, language, secret_version },
    is_confirmed: row.confirmed_at !== null,
    late_until: toIsoOrNull(row.late_until),
  }
}

export function presentSubmission(row: SubmissionRow): Submission {
  const { id, event_id, submitter_id, draft_revision, abstract_id } = row
  return {
    ...{ id, event_id, submitter_id, draft_revision, abstract_id },
    draft: row.draft === null ? null : (JSON.parse(row.draft) as Draft),
    is_confirmed: row.confirmed_at !== null,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  }
}
