import { Problem } from '#base/problem.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { answerStrangeFile } from '#machinery/http/strange-file.ts'
import { readerFor } from '#machinery/http/streamed.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import {
  conflictedForm,
  EditConflict,
  editForm,
  type FormState,
  mergeEdit,
  parseForm,
  readForm,
  refusedForm,
} from '#machinery/web/forms/form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as files from '#product/programme/files/rules.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { type Reviewable, read } from '#product/programme/reviews/reading.ts'
import { revisionOf } from '#product/programme/reviews/review-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import { returnReasons } from '#product/programme/reviews/states.ts'
import { answerOnce, answerScripted } from '../answer.ts'
import { problemOf } from '../order-visits.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { BackDocument, ReviewDocument, SKIPPED } from './review-documents.tsx'
import { fieldsOf, profileFieldsOf, profileOf, REVISION, valuesOf } from './review-fields.ts'
import { keepReview } from './review-keeping.ts'
import { AllDocument, ProfileDocument, QueueDocument } from './review-lists.tsx'
import { addressOf, type ItemView, nextOf, type ReviewView, ReviewVisits } from './review-visits.ts'

/** What a page says that its reader has just done, in its address. */
const SAVED = 'saved'
const DONE = 'done'
const BACK = 'back'
/** So many abstracts stand on the page with all of them. */
const ON_ONE_PAGE = 50

/** Serves the pages of a reviewer. */
export class ReviewPages {
  readonly #services: StorefrontServices
  readonly #visits: ReviewVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new ReviewVisits(services)
  }

  async list(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    const query = new URLSearchParams(context.querystring)
    const just = ([DONE, BACK] as const).find(each => query.has(each))
    this.#visits.answer(context, 200, view, props => <QueueDocument {...props} just={just} />)
  }

  /** Shows the texts of all abstracts, to print, a part at a time. */
  async showAll(context: Context): Promise<void> {
    const from = Number(new URLSearchParams(context.querystring).get('from') ?? 0)
    const at = Number.isSafeInteger(from) && from > 0 ? from : 0
    const view = await this.#visits.find(context, async (tx, { reviewer, queue }) => {
      const items: Reviewable[] = []
      for (const { code } of queue.slice(at, at + ON_ONE_PAGE)) items.push(await read(tx, reviewer, code))
      return { items }
    })
    const next = at + ON_ONE_PAGE < view.queue.length ? at + ON_ONE_PAGE : undefined
    this.#visits.answer(context, 200, view, props => <AllDocument {...props} next={next} />)
  }

  async showProfile(context: Context): Promise<void> {
    const view = await this.#visits.find(context)
    const { reviewer, topics, event } = view
    const state = editForm(profileFieldsOf(topics), event, reviewer)
    const isSaved = new URLSearchParams(context.querystring).has(SAVED)
    this.#answerProfile(context, view, state, 200, isSaved)
  }

  async saveProfile(context: Context): Promise<void> {
    const body = await this.#visits.readBody(context)
    const view = await this.#visits.find(context)
    const { reviewer, topics, event, path } = view
    const fields = profileFieldsOf(topics)
    const sent = readForm(fields, body)
    const parsed = parseForm(fields, event, sent)
    if ('faults' in parsed)
      return this.#answerProfile(context, view, refusedForm(fields, event, sent, parsed), 422)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, view),
        async tx => {
          const current = await reviewers.get(tx, reviewer.id)
          const [mine, theirs] = [parsed.values, current].map(values => ({ values, scale: event }))
          const { values, changed } = mergeEdit(fields, sent, mine as never, theirs as never)
          await reviewers.setProfile(tx, reviewer.id, profileOf(values, current, topics))
          return changed
        },
        {
          ...{ action: 'reviewer.profile', targetType: 'reviewer', targetId: reviewer.id },
          hasChanged: changed => changed.length > 0,
        },
      )
    } catch (error) {
      if (!(error instanceof EditConflict)) throw error
      return this.#answerProfile(context, view, conflictedForm(fields, event, sent, error), 409)
    }
    redirectTo(context, `${path}/profile?${SAVED}`)
  }

  async show(context: Context): Promise<void> {
    const view = await this.#visits.findItem(context)
    const { round, item, event } = view
    const state = editForm(fieldsOf(round), event, valuesOf(round, item.review))
    const isSaved = new URLSearchParams(context.querystring).has(SAVED)
    this.#answerItem(context, view, state, 200, { isSaved })
  }

  /** Keeps a review. @param isDone whether its reviewer says that it is whole, and goes on to the next */
  async save(context: Context, isDone: boolean): Promise<void> {
    const body = await this.#visits.readBody(context)
    const view = await this.#visits.findItem(context)
    const { reviewer, round, event, path, itemPath } = view
    const fields = fieldsOf(round)
    const sent = readForm(fields, body)
    const parsed = parseForm(fields, event, sent)
    // A form that is shown again goes on from what it was shown with.
    const revision = body.get(REVISION) ?? undefined
    if ('faults' in parsed)
      return this.#answerItem(context, view, refusedForm(fields, event, sent, parsed), 422, { revision })
    try {
      const mine = { form: sent, values: parsed.values, revision }
      await this.#services.db.write(reviewer.account_id, tx => keepReview(tx, view, mine, isDone))
    } catch (error) {
      if (error instanceof EditConflict)
        return this.#answerItem(context, view, conflictedForm(fields, event, sent, error), 409)
      const problem = problemOf(error)
      const state = refusedForm(fields, event, sent, { problem })
      return this.#answerItem(context, view, state, statusOf(problem), { revision })
    }
    if (!isDone) return redirectTo(context, `${itemPath}?${SAVED}`)
    const next = nextOf(view)
    redirectTo(context, next === undefined ? `${path}?${DONE}` : `${addressOf(path, next)}?${DONE}`)
  }

  async showBack(context: Context, problem?: Problem): Promise<void> {
    const view = await this.#visits.findItem(context)
    const status = problem === undefined ? 200 : statusOf(problem)
    this.#visits.answer(context, status, view, props => <BackDocument {...props} problem={problem} />)
  }

  async giveBack(context: Context): Promise<void> {
    const body = await this.#visits.readBody(context)
    const view = await this.#visits.findItem(context)
    const { reviewer, item, path } = view
    const reason = returnReasons.find(each => each === body.get('reason'))
    if (reason === undefined) return this.showBack(context)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, view),
        tx => reviews.giveBack(tx, reviewer, item.code, reason),
        {
          ...{ action: 'review.give_back', targetType: 'reviewer', targetId: reviewer.id },
          details: () => ({ abstract: item.code, reason }),
        },
      )
    } catch (error) {
      return this.showBack(context, problemOf(error))
    }
    redirectTo(context, `${path}?${BACK}`)
  }

  /** Answers with the file beside an abstract, where the review is not blind. */
  async download(context: Context): Promise<void> {
    const { reviewer, item } = await this.#visits.findItem(context)
    const file = item.open?.file
    if (file === undefined) throw new Problem('route_not_found')
    const { db, memory, clientAddress, log } = this.#services
    memory.open(context.res, undefined, addressGroup(clientAddress(context.req))).keep('answer', PIECE)
    const pieces = files.read(readerFor(db, context.res), reviewer.account_id, file)
    const fileName = `${item.code}.pdf`
    answerStrangeFile(context, { type: 'application/pdf', fileName, size: file.size, pieces }, log)
  }

  #answerProfile(
    context: Context,
    view: ReviewView,
    state: FormState,
    status: number,
    isSaved = false,
  ): void {
    this.#visits.answer(context, status, view, props => (
      <ProfileDocument {...props} state={state} isSaved={isSaved} />
    ))
  }

  #answerItem(
    context: Context,
    view: ItemView,
    state: FormState,
    status: number,
    {
      isSaved = false,
      revision = revisionOf(view.item.review),
    }: { isSaved?: boolean; revision?: string | undefined } = {},
  ): void {
    const query = new URLSearchParams(context.querystring)
    const just = ([DONE, SKIPPED] as const).find(each => query.has(each))
    const send = view.isOpen ? answerScripted : answerOnce
    this.#visits.answer(
      context,
      status,
      view,
      props => <ReviewDocument {...props} {...{ state, isSaved, just, revision }} />,
      send,
    )
  }
}
