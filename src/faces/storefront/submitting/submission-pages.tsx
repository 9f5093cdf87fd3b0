import { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import type { FormState } from '#machinery/web/forms/form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { withdraw } from '#product/programme/decisions/withdrawing.ts'
import type { Content } from '#product/programme/submissions/content.ts'
import { makeFormulas, readFormulas } from '#product/programme/submissions/formulas.ts'
import { changeRows, readChange } from '#product/programme/submissions/rows.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { Draft } from '#product/programme/submissions/schemas.ts'
import * as sending from '#product/programme/submissions/send.ts'
import {
  checkDraft,
  type FormOf,
  readDraft,
  refuseDraft,
  showDraft,
} from '#product/programme/submissions/sent-form.ts'
import { REVISION } from '#product/programme/submissions/submission-form.tsx'
import { answerScripted } from '../answer.ts'
import { FormGuard } from '../form-guard.ts'
import { problemOf } from '../order-visits.ts'
import { paths } from '../paths.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { currentDraft, findTheirs } from './saved-draft.ts'
import { EditDocument, SendDocument, SubmissionDocument, WithdrawDocument } from './submission-documents.tsx'
import { type SubmissionView, SubmissionVisits, speakTo } from './submission-view.ts'

/** A form is refused, or shown with what somebody else has saved meanwhile. */
type Refused = Partial<Pick<FormState, 'faults' | 'theirs' | 'problem'>>

/** Serves the pages of an abstract to whoever has its link. */
export class SubmissionPages {
  readonly #services: StorefrontServices
  readonly #visits: SubmissionVisits
  readonly #guard: FormGuard

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new SubmissionVisits(services)
    this.#guard = new FormGuard(services)
  }

  async show(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    const query = new URLSearchParams(context.querystring)
    this.#visits.answer(context, 200, view, props => (
      <SubmissionDocument {...props} just={justOf(query, view)} fileProblem={undefined} />
    ))
  }

  async showEdit(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    // The page says why it can be changed no longer.
    if (!view.isOpen) return redirectTo(context, view.path)
    const draft = currentDraft(view)
    this.#answerEdit(context, view, draft, showDraft(draft, this.#formOf(context, view)))
  }

  /** Shows the page from which a file was sent that is refused. What was typed there stands as it was saved. */
  async answerFile(context: Context, problem: Problem, isEdit: boolean): Promise<void> {
    const view = await this.#visits.find(context)
    const status = statusOf(problem)
    const draft = currentDraft(view)
    if (isEdit && view.isOpen)
      return this.#answerEdit(context, view, draft, showDraft(draft, this.#formOf(context, view)), status, {
        fileProblem: problem,
      })
    this.#visits.answer(context, status, view, props => (
      <SubmissionDocument {...props} just={undefined} fileProblem={problem} />
    ))
  }

  /** Keeps what was typed. What was sent before and is whole becomes its next version. @param onward where on from there */
  async edit(context: Context, onward: 'edit' | 'send'): Promise<void> {
    const { body, begunAt } = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    const sent = readDraft(body, this.#formOf(context, view))
    const arrival = { begunAt, shownAt: this.#guard.shownAt(view.event.id, body) }
    const again = (refused: Refused, status: number, of = view) =>
      this.#answerEdit(context, of, sent.draft, refuseDraft(sent, refused), status, { body })
    const accountId = view.submitter.account_id
    try {
      await this.#services.db.read(accountId, tx => submissions.getOpen(tx, view.submission.id, arrival))
    } catch (error) {
      const problem = problemOf(error)
      return again({ problem }, statusOf(problem))
    }
    const theirs = findTheirs(view, sent, body.get(REVISION))
    if (theirs !== undefined) return again({ theirs }, 409)
    const change = readChange(body)
    const draft = change === undefined ? sent.draft : changeRows(sent.draft, change)
    const checked = checkDraft(draft, sent, view.sent?.content)
    const isNext =
      change === undefined && onward === 'edit' && view.sent !== undefined && 'content' in checked
    const sending = { ...arrival, revision: view.submission.draft_revision }
    try {
      if (isNext) await this.#send(context, view, checked.content, sending)
      else
        await this.#services.db.write(accountId, tx =>
          submissions.save(tx, view.submission.id, draft, sending),
        )
    } catch (error) {
      const problem = problemOf(error)
      return again({ problem }, statusOf(problem), await this.#visits.find(context))
    }
    if (change !== undefined)
      return redirectTo(context, `${view.path}/edit#${change.of}-${Math.max(0, change.at)}`)
    if (isNext) return redirectTo(context, `${view.path}?${CHANGED}`)
    if (onward === 'edit') return redirectTo(context, `${view.path}/edit`)
    if ('content' in checked) return redirectTo(context, `${view.path}/send`)
    again({ faults: new Map(checked.faults) }, 422, await this.#visits.find(context))
  }

  /** Shows what would be sent. What is not whole is shown in its form, with what it lacks. */
  async showSend(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    if (!view.isOpen || (view.sent !== undefined && view.submission.draft === null))
      return redirectTo(context, view.path)
    await this.#answerSend(context, view)
  }

  async send(context: Context): Promise<void> {
    const { body, begunAt } = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    // It was sent by a click before this one.
    if (view.sent !== undefined && view.submission.draft === null) return redirectTo(context, view.path)
    // Somebody has changed it since the page was shown.
    if (body.get('seen') !== String(view.submission.draft_revision))
      return this.#answerSend(context, view, new Problem('seen_changed'), 409)
    const checked = checkDraft(currentDraft(view), this.#formOf(context, view), view.sent?.content)
    if ('faults' in checked) return this.#answerSend(context, view, undefined, 422)
    const shownAt = Date.parse(view.submission.updated_at)
    const revision = view.submission.draft_revision
    try {
      await this.#send(context, view, checked.content, { begunAt, shownAt, revision })
    } catch (error) {
      const problem = problemOf(error)
      return this.#answerSend(context, await this.#visits.find(context), problem, statusOf(problem))
    }
    redirectTo(context, `${view.path}?${SENT}`)
  }

  async showWithdraw(context: Context, problem?: Problem, status = 200): Promise<void> {
    const view = await this.#visits.find(context)
    if (view.sent?.abstract.withdrawn_at != null) return redirectTo(context, view.path)
    this.#visits.answer(context, status, view, props => <WithdrawDocument {...props} problem={problem} />)
  }

  async withdraw(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    await recordedWrite(
      this.#services.db,
      this.#visits.actorOf(context, view),
      tx => withdraw(tx, view.submission.id),
      { action: 'abstract.withdraw', targetType: 'submission', targetId: view.submission.id },
    )
    redirectTo(context, view.sent === undefined ? this.#afterForgetting(view) : view.path)
  }

  /** A deleted draft has no page any more. */
  #afterForgetting({ organizer, event }: SubmissionView): string {
    return organizer.slug === null ? '/' : paths.call(organizer.slug, event.slug)
  }

  /** Sends an abstract. Its formulas are made before the transaction, which waits for nothing. */
  async #send(
    context: Context,
    view: SubmissionView,
    content: Content,
    of: submissions.Sending,
  ): Promise<void> {
    const formulas = await makeFormulas(content.sections)
    await recordedWrite(
      this.#services.db,
      this.#visits.actorOf(context, view),
      tx => sending.send(tx, view.submission.id, content, formulas, of),
      { action: 'abstract.submit', targetType: 'submission', targetId: view.submission.id },
    )
  }

  #formOf(context: Context, view: SubmissionView): FormOf {
    const { language } = speakTo(context, view).speech
    return { call: view.call, isNew: false, file: view.file, language }
  }

  /** @param more the form that is shown again, and why a file was refused */
  #answerEdit(
    context: Context,
    view: SubmissionView,
    draft: Draft,
    state: FormState,
    status = 200,
    { body = new URLSearchParams(), fileProblem }: { body?: URLSearchParams; fileProblem?: Problem } = {},
  ): void {
    const shown = this.#guard.sealOf(view.event.id, body)
    const edit = { state, counts: draft, shown, revision: view.submission.draft_revision, fileProblem }
    this.#visits.answer(context, status, view, props => <EditDocument {...props} {...edit} />, answerScripted)
  }

  async #answerSend(context: Context, view: SubmissionView, problem?: Problem, status = 200): Promise<void> {
    const draft = currentDraft(view)
    const of = this.#formOf(context, view)
    const checked = checkDraft(draft, of, view.sent?.content)
    if ('content' in checked) {
      const { content } = checked
      const formulas = readFormulas(await makeFormulas(content.sections))
      const shown = { content, formulas, problem }
      this.#visits.answer(context, status, view, props => <SendDocument {...props} {...shown} />)
      return
    }
    const state = { ...showDraft(draft, of), faults: new Map(checked.faults), problem }
    this.#answerEdit(context, view, draft, state, 422)
  }
}

/** The page of an abstract says that it, or its next version, has arrived. */
const SENT = 'sent'
const CHANGED = 'changed'
const AFTER = ['days', 'presenter'] as const

function justOf(query: URLSearchParams, { sent, submission }: SubmissionView) {
  if (sent === undefined) return undefined
  if (query.has(SENT)) return SENT
  if (query.has(CHANGED)) return submission.draft === null ? CHANGED : undefined
  return AFTER.find(name => query.has(name))
}
