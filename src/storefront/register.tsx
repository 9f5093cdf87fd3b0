import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { type Basket, fillBasket, seenOf } from '../orders/basket.ts'
import { orderUrl } from '../orders/mails.tsx'
import { place, prepare } from '../orders/place.ts'
import { findByForm } from '../orders/rules.ts'
import { Problem } from '../problem.ts'
import { leadTo } from '../web/answer-page.ts'
import { readFormBody } from '../web/form-body.ts'
import {
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type SentForm,
} from '../web/forms/form.ts'
import { answerOnce } from './answer.ts'
import { FormGuard, SHOWN } from './form-guard.ts'
import { orderFields, readQuantities, toOrder } from './order-form.ts'
import { RegisterDocument } from './pages/register-page.tsx'
import { ReviewDocument } from './pages/review.tsx'
import type { Seen } from './pages.tsx'
import { paths } from './paths.ts'
import type { Visited } from './visited.ts'
import { speechOf, voiceOf } from './voice.ts'

/** A form with its basket, as it was sent. */
interface Sent {
  seen: Seen
  basket: Basket
  body: URLSearchParams
  form: SentForm
  values: Record<string, unknown>
}

/** Takes registrations: a form, its review, and the order. */
export class Register {
  readonly #services: Visited
  readonly #find: (context: Context) => Promise<Seen>
  readonly #guard: FormGuard

  /** @param find the event that the address names, for who asks. @throws Problem route_not_found */
  constructor(services: Visited, find: (context: Context) => Promise<Seen>) {
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
  }

  /** The form, for the tickets that the address names; without any, their choice. */
  async show(context: Context): Promise<void> {
    const seen = await this.#find(context)
    const wanted = readQuantities(new URLSearchParams(context.querystring))
    if (wanted.length === 0)
      return leadTo(context, paths.event(seen.page.organizer.slug, seen.page.event.slug))
    try {
      const basket = await this.#fill(seen, wanted)
      const scale = { timezone: seen.page.event.timezone, currency: seen.page.event.currency }
      this.#answerForm(
        context,
        seen,
        basket,
        newForm(orderFields(basket), scale),
        this.#guard.seal(seen.eventId),
      )
    } catch (error) {
      this.#answerRefused(context, seen, error)
    }
  }

  /** Shows what was filled in, to be looked at once more; with faults, the form again. */
  async review(context: Context): Promise<void> {
    const sent = await this.#read(context)
    if (sent !== undefined) this.#answerReview(context, sent)
  }

  /** Shows the form again, as it was filled in. */
  async change(context: Context): Promise<void> {
    const { seen, basket, body, form } = await this.#readBasket(context)
    if (basket === undefined) return
    this.#answerForm(context, seen, basket, stateOf(seen, basket, form, {}), body.get(SHOWN) ?? '')
  }

  /** Takes the order, and leads to its page. */
  async order(context: Context): Promise<void> {
    const { db, orderLimit } = this.#services
    const sent = await this.#read(context)
    if (sent === undefined) return
    const { seen, basket, body, form, values } = sent
    const { accountId, eventId } = seen
    const made = await db.read(tx => findByForm(tx, accountId, eventId, form.formId ?? ''))
    if (made !== undefined) return this.#leadToOrder(context, made)
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      const order = toOrder(basket, values, form, speechOf(context).language)
      const signed = await prepare(db, accountId, eventId, order)
      const placed = await db.write(accountId, tx => place(tx, accountId, eventId, order, signed))
      this.#leadToOrder(context, placed)
    } catch (error) {
      const problem = problemOf(error)
      if (problem.code === 'form_expired' || problem.code === 'seen_changed')
        return this.#answerReview(
          context,
          { ...sent, basket: await this.#fill(seen, readQuantities(body)) },
          problem,
        )
      this.#answerForm(
        context,
        seen,
        basket,
        stateOf(seen, basket, form, { problem }),
        this.#guard.seal(seen.eventId),
        statusOf(problem),
      )
    }
  }

  #leadToOrder(context: Context, order: Parameters<typeof orderUrl>[1]): void {
    leadTo(context, orderUrl({ baseUrl: '', secret: this.#services.secret }, order))
  }

  #fill({ accountId, eventId }: Seen, lines: ReturnType<typeof readQuantities>): Promise<Basket> {
    const { db, clock } = this.#services
    return db.read(tx => fillBasket(tx, accountId, eventId, { lines }, clock()))
  }

  /** @returns without a basket where its refusal is answered already */
  async #readBasket(context: Context) {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    const seen = await this.#find(context)
    try {
      const basket = await this.#fill(seen, readQuantities(body))
      return { seen, basket, body, form: readForm(orderFields(basket), body) }
    } catch (error) {
      const form = readForm({}, body)
      const made = await this.#services.db.read(tx =>
        findByForm(tx, seen.accountId, seen.eventId, form.formId ?? ''),
      )
      // What it took may have been the last.
      if (made !== undefined) this.#leadToOrder(context, made)
      else this.#answerRefused(context, seen, error)
      return { seen, basket: undefined, body, form }
    }
  }

  async #read(context: Context): Promise<Sent | undefined> {
    const { seen, basket, body, form } = await this.#readBasket(context)
    if (basket === undefined) return undefined
    const fields = orderFields(basket)
    const parsed = parseForm(fields, scaleOf(seen), form)
    if ('values' in parsed && form.formId !== undefined)
      return { seen, basket, body, form, values: parsed.values }
    const refused = 'faults' in parsed ? { faults: parsed.faults } : { problem: new Problem('form_expired') }
    const state = stateOf(seen, basket, form, refused)
    this.#answerForm(context, seen, basket, state, body.get(SHOWN) ?? '', 422)
    return undefined
  }

  #answerForm(
    context: Context,
    { page }: Seen,
    basket: Basket,
    state: FormState,
    shown: string,
    status = 200,
  ): void {
    const speech = speechOf(context)
    const voice = voiceOf(speech, page.event.timezone)
    answerOnce(context, status, <RegisterDocument {...{ page, basket, state, shown, speech, voice }} />)
  }

  #answerReview(context: Context, { seen, basket, body, values }: Sent, problem?: Problem): void {
    const speech = speechOf(context)
    const { page } = seen
    const voice = voiceOf(speech, page.event.timezone)
    const shown = problem?.code === 'form_expired' ? this.#guard.seal(seen.eventId) : (body.get(SHOWN) ?? '')
    const agreed = seenOf(basket)
    answerOnce(
      context,
      problem === undefined ? 200 : statusOf(problem),
      <ReviewDocument {...{ page, basket, body, values, shown, agreed, problem, speech, voice }} />,
    )
  }

  /** What cannot be had at all: the choice is made on the event's page. @throws what is no Problem of this kind */
  #answerRefused(context: Context, { page }: Seen, error: unknown): void {
    const problem = problemOf(error)
    const speech = speechOf(context)
    const voice = voiceOf(speech, page.event.timezone)
    answerOnce(
      context,
      statusOf(problem),
      <RegisterDocument
        {...{ page, basket: undefined, state: undefined, shown: '', problem, speech, voice }}
      />,
    )
  }
}

function scaleOf({ page: { event } }: Seen) {
  return { timezone: event.timezone, currency: event.currency }
}

function stateOf(
  seen: Seen,
  basket: Basket,
  form: SentForm,
  refused: Parameters<typeof refusedForm>[3],
): FormState {
  return refusedForm(orderFields(basket), scaleOf(seen), form, refused)
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem && statusOf(error) < 500) return error
  throw error
}
