import type { Fields } from '#machinery/web/forms/form.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import { draftOf } from '#product/programme/submissions/sent-form.ts'
import type { SubmissionView } from './submission-view.ts'

/** Returns what the form of a submission shows: what was typed, or else what was sent. */
export function currentDraft({ submission, sent, call }: SubmissionView): Draft {
  if (submission.draft !== null) return submission.draft
  if (sent === undefined) throw new Error('A submission has neither a draft nor an abstract.')
  return draftOf(sent.content, call)
}

/** A form as it was sent, as far as it is compared. */
interface Sent {
  form: { typed: Draft['typed'] }
  fields: Fields
}

/** Returns what is saved in fields that the form has otherwise. */
function findOthers(view: SubmissionView, { form, fields }: Sent): Map<string, readonly string[]> {
  const { typed } = currentDraft(view)
  return new Map(
    Object.keys(fields)
      .map(name => [name, typed[name] ?? []] as const)
      .filter(([name, there]) => textOf(there) !== textOf(form.typed[name] ?? [])),
  )
}

const textOf = (typed: readonly string[]) => typed.join('\n')

/**
 * Returns what was saved meanwhile into fields that the form has otherwise.
 *
 * @param revision the one that the form was shown with
 * @returns undefined if nothing was saved meanwhile, or the same
 */
export function findTheirs(
  view: SubmissionView,
  sent: Sent,
  revision: string | null,
): Map<string, readonly string[]> | undefined {
  if (revision === String(view.submission.draft_revision)) return undefined
  const theirs = findOthers(view, sent)
  return theirs.size > 0 ? theirs : undefined
}

/** Returns whether a form brings just what is saved. */
export function isSaved(view: SubmissionView, sent: Sent & { draft: Draft }): boolean {
  const { authors, affiliations } = currentDraft(view)
  const { draft } = sent
  if (draft.authors !== authors || draft.affiliations !== affiliations) return false
  return findOthers(view, sent).size === 0
}
