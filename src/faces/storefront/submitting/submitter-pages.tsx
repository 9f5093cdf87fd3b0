import { randomUUID } from 'node:crypto'
import type { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { readForm } from '#machinery/web/forms/form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { withdraw } from '#product/programme/decisions/withdrawing.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { emptyDraft } from '#product/programme/submissions/sent-form.ts'
import { problemOf } from '../order-visits.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { SubmissionVisits, type SubmitterView, speakTo } from './submission-view.ts'
import { NotMineDocument, SubmitterDocument, WHICH } from './submitter-documents.tsx'

/** The page of a person says that they are known. */
const CONFIRMED = 'confirmed'

/** Serves the pages of all that a person has begun and sent to whoever has the mailed link. */
export class SubmitterPages {
  readonly #services: StorefrontServices
  readonly #visits: SubmissionVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new SubmissionVisits(services)
  }

  async showAll(context: Context): Promise<void> {
    this.#answerAll(context, await this.#visits.findAll(context))
  }

  #answerAll(
    context: Context,
    view: SubmitterView,
    { problem, formId = randomUUID() }: { problem?: Problem; formId?: string | undefined } = {},
  ): void {
    const isConfirmed = new URLSearchParams(context.querystring).has(CONFIRMED)
    const status = problem === undefined ? 200 : statusOf(problem)
    this.#visits.answer(context, status, view, props => (
      <SubmitterDocument {...props} {...{ isConfirmed, formId, problem }} />
    ))
  }

  /** Begins another abstract, which is known to be this person's: the mailed link has reached them. */
  async begin(context: Context): Promise<void> {
    const { body, begunAt } = await this.#visits.readBody(context)
    const view = await this.#visits.findAll(context)
    const { submitter } = view
    const { formId = randomUUID() } = readForm({}, body)
    const { language } = speakTo(context, view).speech
    const empty = emptyDraft(language)
    const draft = { ...empty, typed: { ...empty.typed, 'contact.name': [submitter.name] } }
    const of = { name: submitter.name, email: submitter.email, submitterId: submitter.id, language, draft }
    const input = { ...of, formId, seen: 0, arrival: { begunAt }, networks: [] }
    // The page says why nothing can be begun.
    if (!view.isOpen) return this.#answerAll(context, view)
    try {
      const result = await this.#services.db.write(submitter.account_id, tx =>
        submissions.begin(tx, submitter.event_id, input),
      )
      // Whoever is known has not to confirm anything first.
      if (result.is === 'to_confirm') return this.#answerAll(context, view)
      const { secret } = this.#services
      redirectTo(
        context,
        `${submissionUrl({ baseUrl: '', secret }, submitter, result.begun.submission)}/edit`,
      )
    } catch (error) {
      this.#answerAll(context, view, { problem: problemOf(error), formId })
    }
  }

  async confirm(context: Context): Promise<void> {
    const view = await this.#visits.findAll(context)
    const { submitter } = view
    await recordedWrite(
      this.#services.db,
      this.#visits.actorOf(context, view),
      tx => submissions.confirm(tx, submitter.id),
      { action: 'submitter.confirm', targetType: 'submitter', targetId: submitter.id },
    )
    redirectTo(context, `${view.path}?${CONFIRMED}`)
  }

  async showNotMine(context: Context): Promise<void> {
    const view = await this.#visits.findAll(context)
    const one = this.#oneOf(context, view, new URLSearchParams(context.querystring).get(WHICH))
    this.#visits.answer(context, 200, view, props => <NotMineDocument {...props} one={one} />)
  }

  async disown(context: Context): Promise<void> {
    const { body } = await this.#visits.readBody(context)
    const view = await this.#visits.findAll(context)
    const { id } = this.#oneOf(context, view, body.get(WHICH)).submission
    await recordedWrite(
      this.#services.db,
      this.#visits.actorOf(context, view),
      tx => withdraw(tx, id, 'disowned'),
      { action: 'abstract.withdraw', targetType: 'submission', targetId: id },
    )
    redirectTo(context, view.path)
  }

  /** @throws Problem route_not_found for one of another person */
  #oneOf(context: Context, { all }: SubmitterView, id: string | null): SubmitterView['all'][number] {
    const one = all.find(({ submission }) => submission.id === id)
    if (one === undefined) throw this.#visits.unknown(context)
    return one
  }
}
