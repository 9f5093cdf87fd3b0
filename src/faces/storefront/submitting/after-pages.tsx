import type { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { tellUnavailable } from '#product/programme/decisions/availability.ts'
import { confirm } from '#product/programme/decisions/confirming.ts'
import { changePresenter } from '#product/programme/decisions/presenter-change.ts'
import { problemOf } from '../order-visits.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { inSpeech } from '../voice.ts'
import { DAYS } from './after-cards.tsx'
import { PRESENTER, PresenterDocument, SEEN } from './presenter-page.tsx'
import { SubmissionDocument } from './submission-documents.tsx'
import { type SubmissionView, SubmissionVisits, speakTo } from './submission-view.ts'

/** Serves what authors do from the decision about their abstract on. */
export class AfterPages {
  readonly #services: StorefrontServices
  readonly #visits: SubmissionVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new SubmissionVisits(services)
  }

  async confirm(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    await this.#write(context, view, 'abstract.confirm', (tx, id) => confirm(tx, id), 'confirm')
  }

  async tellDays(context: Context): Promise<void> {
    const { body } = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    const days = body.getAll(DAYS)
    await this.#write(context, view, 'abstract.days', (tx, id) => tellUnavailable(tx, id, days), 'days')
  }

  async showPresenter(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    if (!mayChange(view)) return redirectTo(context, view.path)
    this.#answerPresenter(context, view)
  }

  async changePresenter(context: Context): Promise<void> {
    const { body } = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    const { submission } = view
    const at = numberOf(body.get(PRESENTER))
    const revision = numberOf(body.get(SEEN))
    await this.#write(
      context,
      view,
      'abstract.presenter',
      tx => changePresenter(tx, submission.id, { at, revision }),
      'presenter',
      problem => this.#answerPresenter(context, view, problem),
    )
  }

  #answerPresenter(context: Context, view: SubmissionView, problem?: Problem): void {
    const { sent } = view
    const status = problem === undefined ? 200 : statusOf(problem)
    if (sent === undefined) {
      this.#refuse(context, view, problem)
      return
    }
    this.#visits.answer(context, status, view, props => (
      <PresenterDocument {...props} sent={sent} problem={problem} />
    ))
  }

  /**
   * Does something about the abstract of a submission, and leads back to its page. What changes nothing is not recorded.
   *
   * @param just what that page says of it
   */
  async #write<Result>(
    context: Context,
    view: SubmissionView,
    action: string,
    work: (tx: WriteTx, abstractId: string) => Promise<Result | undefined>,
    just: string,
    refuse = (problem: Problem) => this.#refuse(context, view, problem),
  ): Promise<void> {
    const targetId = view.submission.abstract_id
    // What was never sent has nothing of all this.
    if (targetId === null) return redirectTo(context, view.path)
    try {
      await recordedWrite(this.#services.db, this.#visits.actorOf(context, view), tx => work(tx, targetId), {
        ...{ action, targetType: 'abstract', targetId },
        hasChanged: result => result !== undefined,
      })
    } catch (error) {
      return refuse(problemOf(error))
    }
    redirectTo(context, withQuery(inSpeech(speakTo(context, view).speech, view.path), { [just]: 'done' }))
  }

  #refuse(context: Context, view: SubmissionView, problem: Problem | undefined): void {
    this.#visits.answer(context, problem === undefined ? 200 : statusOf(problem), view, props => (
      <SubmissionDocument {...props} just={undefined} problem={problem} fileProblem={undefined} />
    ))
  }
}

/** Returns whether the page offers another presenter. */
function mayChange({ sent, after, isOpen }: SubmissionView): boolean {
  return after !== undefined && sent?.abstract.status !== 'rejected' && !isOpen
}

/** @returns -1 for what is no number */
function numberOf(text: string | null): number {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : -1
}
