import type { Draft } from '#product/programme/submissions/schemas.ts'
import { draftOf, findOthers, type SentDraft } from '#product/programme/submissions/sent-form.ts'
import type { SubmissionView } from './submission-view.ts'

/** Returns what the form of a submission shows: what was typed, or else what was sent. */
export function currentDraft({
  submission,
  sent,
  call,
}: Pick<SubmissionView, 'submission' | 'sent' | 'call'>): Draft {
  if (submission.draft !== null) return submission.draft
  if (sent === undefined) throw new Error('A submission has neither a draft nor an abstract.')
  return draftOf(sent.content, call)
}

/**
 * Returns what was saved meanwhile into fields that the form has otherwise.
 *
 * @param revision the one that the form was shown with
 * @returns undefined if nothing was saved meanwhile, or the same
 */
export function findTheirs(
  view: SubmissionView,
  sent: Pick<SentDraft, 'fields' | 'form'>,
  revision: string | null,
): Map<string, readonly string[]> | undefined {
  if (revision === String(view.submission.draft_revision)) return undefined
  const theirs = findOthers(sent, currentDraft(view))
  return theirs.size > 0 ? theirs : undefined
}

/** Returns whether a form brings just what is saved. */
export function isSaved(view: SubmissionView, sent: SentDraft): boolean {
  const { authors, affiliations } = currentDraft(view)
  const { draft } = sent
  if (draft.authors !== authors || draft.affiliations !== affiliations) return false
  return findOthers(sent, currentDraft(view)).size === 0
}
