import { randomUUID } from 'node:crypto'
import type { VNode } from 'preact'
import { Problem } from '#base/problem.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { emailField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { phaseOf } from '#product/programme/calls/deadline.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import { changeRows, readChange } from '#product/programme/submissions/rows.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import type { Draft, Submission } from '#product/programme/submissions/schemas.ts'
import { readSent } from '#product/programme/submissions/send.ts'
import {
  checkPerson,
  emptyDraft,
  findOthers,
  readDraft,
  refuseDraft,
  type SentDraft,
  showDraft,
} from '#product/programme/submissions/sent-form.ts'
import { REVISION } from '#product/programme/submissions/submission-form.tsx'
import { answerOnce, answerScripted } from '../answer.ts'
import { FormGuard } from '../form-guard.ts'
import { problemOf } from '../order-visits.ts'
import { LostDocument, LostSentDocument } from '../pages/lost-page.tsx'
import { paths } from '../paths.ts'
import { placedFrom } from '../placed-from.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { type Find, type PublicEvent, scaleOf } from '../view-page.tsx'
import { Visitors } from '../visitors.ts'
import { inSpeech, speechOf, voiceOf } from '../voice.ts'
import { CallDocument } from './call-page.tsx'
import { asksForPreview, PreviewBanner } from './call-preview.tsx'
import { NewDocument } from './new-page.tsx'
import { currentDraft } from './saved-draft.ts'
import { SubmissionVisits } from './submission-view.ts'

/** One address may begin this many abstracts a minute. */
const BEGUN = 30

const wanted = { email: emailField({ label: ({ calls }) => calls.yourEmail }, 'email') }

/** An event of the address, with its call. */
type Called = PublicEvent & { call: Call }

interface Answer {
  status?: number
  body?: URLSearchParams
  preview?: VNode | undefined
}

/** Returns the revision of what a form has begun before, as far as it was shown; 0 for nothing. */
function seenOf(body: URLSearchParams): number {
  const text = body.get(REVISION) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** Shows the call of an event, and begins abstracts. */
export class CallPages {
  readonly #services: StorefrontServices
  readonly #find: Find
  readonly #guard: FormGuard
  readonly #visits: SubmissionVisits
  readonly #visitors: Visitors
  readonly #begun: AddressLimit

  /** @param find returns the event that the address names, for this visitor. @throws Problem route_not_found */
  constructor(services: StorefrontServices, find: Find) {
    const { clock, clientAddress } = services
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
    this.#visits = new SubmissionVisits(services)
    this.#visitors = new Visitors(services)
    this.#begun = new AddressLimit({ clock, clientAddress, most: BEGUN, isExempt: isLoopback })
  }

  async show(context: Context): Promise<void> {
    const found = await this.#findCall(context)
    const preview = await this.#previewOf(context, found)
    const props = { ...found, now: this.#services.clock(), ...this.#speak(context, found), preview }
    answerScripted(context, 200, <CallDocument {...props} />)
  }

  /** Shows the form at once: nobody waits for a mail. Before the call and after it, its page says when. */
  async showNew(context: Context): Promise<void> {
    const found = await this.#findCall(context)
    const preview = await this.#previewOf(context, found)
    const isOpen = phaseOf(found.call, this.#services.clock()) === 'open'
    if (!isOpen && preview === undefined) return this.show(context)
    const { language } = speechOf(context)
    const of = { call: found.call, isNew: true, file: undefined, language }
    const draft = emptyDraft(language)
    const state = showDraft(draft, of, preview === undefined ? randomUUID() : undefined)
    this.#answerNew(context, found, draft, state, { preview })
  }

  /**
   * Returns what stands above a page of a call that visitors do not have yet, for a member who may manage it and asks to see it.
   *
   * @returns undefined for everybody else, who get what visitors get
   */
  async #previewOf(context: Context, found: Called): Promise<VNode | undefined> {
    const { eventId, call } = found
    const now = this.#services.clock()
    if (!asksForPreview(context.querystring, found, call, now)) return undefined
    if (!(await this.#visitors.may(context.req, found, 'abstracts'))) return undefined
    context.set('X-Robots-Tag', 'noindex')
    const { voice } = this.#speak(context, found)
    return <PreviewBanner {...{ eventId, call, voice }} phase={phaseOf(call, now)} />
  }

  /** Keeps the first draft, and leads to its own address. @param onward where on from there */
  async begin(context: Context, onward: 'edit' | 'send'): Promise<void> {
    const { body, begunAt } = await this.#visits.readBody(context)
    const found = await this.#findCall(context)
    const { language } = speechOf(context)
    const of = { call: found.call, isNew: true, file: undefined, language }
    const sent = readDraft(body, of)
    const formId = sent.form.formId
    const change = readChange(body)
    if (change !== undefined) {
      const changed = changeRows(sent.draft, change)
      return this.#answerNew(context, found, changed, showDraft(changed, of, formId), { body })
    }
    const refuse = (refused: Parameters<typeof refuseDraft>[1], status: number) =>
      this.#answerNew(context, found, sent.draft, refuseDraft(sent, refused), { status, body })
    const person = checkPerson(sent)
    if ('faults' in person) return refuse({ faults: person.faults }, 422)
    const { accountId, eventId } = found
    try {
      this.#begun.apply(context)
      this.#guard.refuseProgram(eventId, body)
      if (formId === undefined) throw new Problem('form_expired')
      const { draft } = sent
      const arrival = { begunAt, shownAt: this.#guard.shownAt(eventId, body) }
      const networks = placedFrom(this.#services, context.req)
      const input = { ...person, formId, seen: seenOf(body), language, draft, arrival, networks }
      const result = await this.#services.db.write(accountId, tx => submissions.begin(tx, eventId, input))
      if (result.is === 'to_confirm') throw new Problem('call_full', { details: { reason: 'confirm_first' } })
      const { submission, submitter } = result.begun
      const theirs = result.is === 'elsewhere' ? await this.#findTheirs(found, sent, submission) : undefined
      if (theirs !== undefined && theirs.size > 0) {
        body.set(REVISION, String(submission.draft_revision))
        return refuse({ theirs }, 409)
      }
      const path = submissionUrl({ baseUrl: '', secret: this.#services.secret }, submitter, submission)
      redirectTo(context, `${path}/${onward}`)
    } catch (error) {
      const problem = problemOf(error)
      refuse({ problem }, statusOf(problem))
    }
  }

  /** Returns what stands by now in what a form has begun before, where it has something else. */
  async #findTheirs(
    { accountId, call }: Called,
    form: SentDraft,
    submission: Submission,
  ): Promise<ReturnType<typeof findOthers>> {
    const sent =
      submission.draft === null
        ? await this.#services.db.read(accountId, tx => readSent(tx, submission))
        : undefined
    const others = findOthers(form, currentDraft({ submission, sent, call }))
    // The form of what is begun does not ask for it.
    others.delete('contact.email')
    return others
  }

  async showLost(context: Context): Promise<void> {
    const found = await this.#findCall(context)
    this.#answerLost(context, found, newForm(wanted, scaleOf(found)))
  }

  /** Answers every address alike, whether or not anything was begun with it. */
  async sendLost(context: Context): Promise<void> {
    const { db, orderLimit } = this.#services
    const { body } = await this.#visits.readBody(context)
    const found = await this.#findCall(context)
    const { accountId, eventId } = found
    const sent = readForm(wanted, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answerLost(context, found, refusedForm(wanted, scaleOf(found), sent, refused), status)
    const parsed = parseForm(wanted, scaleOf(found), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const { email } = parsed.values
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      const networks = placedFrom(this.#services, context.req)
      await db.write(accountId, tx => submissions.requestLink(tx, eventId, { email, networks }))
    } catch (error) {
      const problem = problemOf(error)
      return refuse({ problem }, statusOf(problem))
    }
    answerOnce(context, 200, <LostSentDocument {...this.#lost(context, found)} email={email} />)
  }

  /** @throws Problem route_not_found, also for an event without a call */
  async #findCall(context: Context): Promise<Called> {
    // Its address has the code of a private event, also where a form is sent to.
    const found = await this.#find(context)
    const { accountId, eventId } = found
    const call = found.page.event.takes_abstracts
      ? await this.#services.db.read(accountId, tx => calls.find(tx, eventId))
      : undefined
    if (call === undefined) throw this.#visits.unknown(context)
    return { ...found, call }
  }

  /** Times are those of the zone in which the deadline is read. */
  #speak(context: Context, { page, call }: Called) {
    const speech = speechOf(context)
    return { speech, voice: voiceOf(speech, call.zone ?? page.event.timezone) }
  }

  /** @param more the form that is shown again, or what says that it is only to be looked at */
  #answerNew(
    context: Context,
    found: Called,
    draft: Draft,
    state: FormState,
    { status = 200, body = new URLSearchParams(), preview }: Answer = {},
  ): void {
    const shown = this.#guard.sealOf(found.eventId, body)
    const revision = seenOf(body)
    const props = { ...found, draft, state, shown, revision, preview, ...this.#speak(context, found) }
    answerScripted(context, status, <NewDocument {...props} />)
    context.set('Cache-Control', 'no-store')
  }

  #answerLost(context: Context, found: Called, state: FormState, status = 200): void {
    const shown = this.#guard.seal(found.eventId)
    const { organizer, event } = found.page
    const action = paths.lostAbstracts(organizer.slug, event.slug)
    answerOnce(
      context,
      status,
      <LostDocument {...this.#lost(context, found)} {...{ state, shown, action }} />,
    )
  }

  /** What the pages of those say who have lost the link to their abstracts. */
  #lost(context: Context, found: Called) {
    const { page } = found
    const { speech, voice } = this.#speak(context, found)
    const { lost, toCall: leaveText } = voice.texts.calls
    const leave = inSpeech(speech, paths.call(page.organizer.slug, page.event.slug), page.code)
    return { page, speech, voice, lost, leave, leaveText }
  }
}
