import { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { ASKED, askedOf } from '#product/programme/submissions/answers.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { Submission } from '#product/programme/submissions/schemas.ts'
import { readDraft } from '#product/programme/submissions/sent-form.ts'
import { headingsOf, sectionField } from '#product/programme/submissions/submission-fields.ts'
import { REVISION } from '#product/programme/submissions/submission-form.tsx'
import { describeProblem } from '#texts/describe-problem.ts'
import { FormGuard } from '../form-guard.ts'
import { problemOf } from '../order-visits.ts'
import { answerSaved } from '../self-saving.tsx'
import type { StorefrontServices } from '../storefront-services.ts'
import { isSaved } from './saved-draft.ts'
import { type SubmissionView, SubmissionVisits, speakTo } from './submission-view.ts'

/** Nobody can go on with an abstract after these. */
const ENDS: readonly Problem['code'][] = [
  'call_over',
  'call_not_open',
  'abstract_withdrawn',
  'abstract_decided',
]

/** Saves what the form of an abstract sends by itself, where its page has a script. It makes no version of what was sent. */
export class AutosavePages {
  readonly #services: StorefrontServices
  readonly #visits: SubmissionVisits
  readonly #guard: FormGuard

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new SubmissionVisits(services)
    this.#guard = new FormGuard(services)
  }

  async save(context: Context): Promise<void> {
    const { body, begunAt } = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    const { speech, voice } = speakTo(context, view)
    const arrival = { begunAt, shownAt: this.#guard.shownAt(view.event.id, body) }
    try {
      const submission = await this.#keep(view, body, { arrival, language: speech.language })
      const said = voice.texts.calls.bySelf.saved(voice.format.time(submission.updated_at))
      answerSaved(context, 200, { revision: submission.draft_revision, said })
    } catch (error) {
      const problem = problemOf(error)
      answerSaved(context, statusOf(problem), {
        said: describeProblem(voice.texts, problem),
        isElsewhere: problem.code === 'seen_changed',
        isOver: ENDS.includes(problem.code),
      })
    }
  }

  async #keep(
    view: SubmissionView,
    body: URLSearchParams,
    {
      arrival,
      language,
    }: {
      arrival: Omit<submissions.Sending, 'revision'>
      language: Parameters<typeof readDraft>[1]['language']
    },
  ): Promise<Submission> {
    const { submission, submitter, call, file } = view
    const sent = readDraft(body, { call, isNew: false, file, language })
    // A form that lacks a part of the text, or a question, which the call asks for since, would empty it.
    const asked = body.get(ASKED)?.split(' ') ?? []
    if (
      headingsOf(call).some(heading => !body.has(sectionField(heading))) ||
      askedOf(call).some(({ id }) => !asked.includes(id))
    )
      throw new Problem('seen_changed')
    // The answer to the save before may have been lost on its way.
    if (isSaved(view, sent)) return submission
    const sending = { ...arrival, revision: Number(body.get(REVISION)) }
    return this.#services.db.write(submitter.account_id, tx =>
      submissions.save(tx, submission.id, sent.draft, sending),
    )
  }
}
