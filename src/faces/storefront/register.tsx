import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { fillFrom, findEntered, readOffers, readSale, type Sale, seenOf } from '../orders/basket.ts'
import { orderUrl } from '../orders/mails.tsx'
import { prepare } from '../orders/place.ts'
import { findByForm } from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { placeOrder } from '../payments/rules.ts'
import { Problem } from '../problem.ts'
import * as questions from '../questions/rules.ts'
import type { Question } from '../questions/schemas.ts'
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
import type { Voice } from '../web/voice.ts'
import { answerOnce } from './answer.ts'
import { FormGuard, SHOWN } from './form-guard.ts'
import {
  type Filled,
  hasChoice,
  orderFields,
  readCode,
  readQuantities,
  toOrder,
  typeIdsOf,
} from './order-form.ts'
import { problemOf } from './order-visits.ts'
import { PageCache } from './page-cache.ts'
import { OffersDocument } from './pages/offers-page.tsx'
import { RegisterDocument } from './pages/register-page.tsx'
import { ReviewDocument } from './pages/review.tsx'
import { readWay } from './pages/ways.tsx'
import type { Find, Seen } from './pages.tsx'
import { GO_ON, pathOf } from './paths.ts'
import type { Visited } from './visited.ts'
import { inSpeech, type Speech, speechOf, voiceOf } from './voice.ts'
import { readWays } from './ways-now.ts'

/** A form as it was sent, for a basket that there is. */
interface Sent extends Filled {
  seen: Seen
  body: URLSearchParams
  form: SentForm
  /** What it names is sold out meanwhile. */
  soldOut: Problem | undefined
}

/** What an event sells, and what it asks whoever orders. */
interface AskedSale {
  sale: Sale
  all: readonly Question[]
}

/** What a buyer looks at once more, as it was. */
const SHOWN_AGAIN = ['form_expired', 'seen_changed', 'method_not_offered', 'payment_needed']

type Values = Readonly<Record<string, unknown>>

/** Takes registrations: a form, its review, and the order. */
export class Register {
  readonly #services: Visited
  readonly #find: Find
  readonly #guard: FormGuard
  readonly #forms: PageCache<AskedSale>

  /** @param find the event that the address names, for who asks. @throws Problem route_not_found */
  constructor(services: Visited, find: Find) {
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
    this.#forms = new PageCache(services.clock, services.db.onCommit.bind(services.db))
  }

  /** The form, for the tickets that the address names; without any, what a code offers, or the page of the event. */
  async show(context: Context): Promise<void> {
    const seen = await this.#find(context)
    const query = new URLSearchParams(context.querystring)
    try {
      if (readQuantities(query).length === 0 && !hasChoice(query))
        return await this.#offer(context, seen, readCode(query))
      const filled = await this.#fill(seen, query, await this.#findSale(seen))
      const state = newForm(orderFields(filled, speechOf(context).language), scaleOf(seen))
      this.#answerForm(context, seen, filled, state, this.#guard.seal(seen.eventId))
    } catch (error) {
      this.#answerRefused(context, seen, error)
    }
  }

  /** Shows what was filled in, to be looked at once more; with faults, the form again. */
  async review(context: Context): Promise<void> {
    const sent = await this.#read(context)
    if (sent?.soldOut !== undefined)
      return this.#answerAgain(context, sent, { problem: sent.soldOut }, statusOf(sent.soldOut))
    const values = sent && this.#parse(context, sent)
    if (values !== undefined) await this.#answerReview(context, sent as Sent, values)
  }

  /** Shows the form again, as it was filled in. */
  async change(context: Context): Promise<void> {
    const sent = await this.#read(context)
    if (sent !== undefined) this.#answerAgain(context, sent, {}, 200)
  }

  /** Takes the order, and leads to its page. */
  async order(context: Context): Promise<void> {
    const { db, orderLimit, payments } = this.#services
    const sent = await this.#read(context)
    const values = sent && this.#parse(context, sent)
    if (sent === undefined || values === undefined) return
    const { seen, body, form } = sent
    const { accountId, eventId } = seen
    if (await this.#leadToMade(context, seen, form)) return
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      const order = toOrder(sent, values, { ...form, code: readCode(body) }, speechOf(context).language)
      const signed = await prepare(db, accountId, eventId, order)
      const { processors } = payments
      const paid = { method: readWay(body), processors, signed }
      const placed = await db.write(accountId, tx => placeOrder(tx, accountId, eventId, order, paid))
      payments.wake()
      this.#leadTo(context, placed)
    } catch (error) {
      const problem = problemOf(error)
      const isShownAgain = SHOWN_AGAIN.includes(problem.code)
      if (!isShownAgain) return this.#answerAgain(context, sent, { problem }, statusOf(problem))
      // As it is now, also where another process has just changed it.
      const now = { ...sent, ...(await this.#fillSent(seen, body, await this.#readSale(seen))) }
      await this.#answerReview(context, now, values, problem)
    }
  }

  /** An order that is to be paid goes on from its page: a form may lead nowhere else. */
  #leadTo(context: Context, order: Order): void {
    const url = orderUrl({ baseUrl: '', secret: this.#services.secret }, order)
    leadTo(context, order.waits_for === 'payment' ? `${url}?${GO_ON}` : url)
  }

  /** A form that was carried out leads to its order, whatever has become of what it took. */
  async #leadToMade(context: Context, seen: Seen, { formId }: SentForm): Promise<boolean> {
    const { accountId, eventId } = seen
    const made = await this.#services.db.read(tx => findByForm(tx, accountId, eventId, formId ?? ''))
    if (made !== undefined) this.#leadTo(context, made)
    return made !== undefined
  }

  async #offer(
    context: Context,
    { accountId, eventId, page }: Seen,
    code: string | undefined,
  ): Promise<void> {
    const { db, clock } = this.#services
    const speech = speechOf(context)
    if (code === undefined) {
      return leadTo(context, inSpeech(speech, pathOf(page)))
    }
    const types = await db.read(tx => readOffers(tx, accountId, eventId, code, clock()))
    const voice = voiceOf(speech, page.event.timezone)
    answerOnce(context, 200, <OffersDocument page={{ ...page, types }} {...{ code, speech, voice }} />)
  }

  /** @param given the query of the form's address, or what the form has sent */
  async #fill(
    seen: Seen,
    given: URLSearchParams,
    { sale, all }: AskedSale,
    keepsSoldOut = false,
  ): Promise<Filled> {
    const { db, clock } = this.#services
    const { accountId, eventId } = seen
    const code = readCode(given)
    const now = clock()
    const findCode = async () =>
      code === undefined ? undefined : db.read(tx => findEntered(tx, accountId, eventId, code, now))
    const basket = await fillFrom(sale, { lines: readQuantities(given), keepsSoldOut }, findCode, now)
    return { basket, asked: questions.askedOf(all, typeIdsOf(basket)) }
  }

  /** Read once after each commit, for all who ask meanwhile: the write that takes an order reads it again. */
  async #findSale(seen: Seen): Promise<AskedSale> {
    const read = async () => ({ shown: await this.#readSale(seen), until: Number.POSITIVE_INFINITY })
    return (await this.#forms.get(`${seen.accountId} ${seen.eventId}`, read)).shown
  }

  #readSale({ accountId, eventId }: Seen): Promise<AskedSale> {
    return this.#services.db.read(async tx => ({
      sale: await readSale(tx, accountId, eventId),
      all: await questions.list(tx, accountId, eventId),
    }))
  }

  /** What was typed for something that was sold out meanwhile is kept. */
  async #fillSent(
    seen: Seen,
    body: URLSearchParams,
    asked: AskedSale,
  ): Promise<Filled & { soldOut?: Problem }> {
    try {
      return await this.#fill(seen, body, asked)
    } catch (error) {
      const soldOut = problemOf(error)
      if (soldOut.code !== 'sold_out') throw soldOut
      return { ...(await this.#fill(seen, body, asked, true)), soldOut }
    }
  }

  /** @returns undefined where it is answered already */
  async #read(context: Context): Promise<Sent | undefined> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    const seen = await this.#find(context, body)
    try {
      const { soldOut, ...filled } = await this.#fillSent(seen, body, await this.#findSale(seen))
      const form = readForm(orderFields(filled, speechOf(context).language), body)
      return { ...filled, seen, body, form, soldOut }
    } catch (error) {
      // What it took may have been the last.
      if (!(await this.#leadToMade(context, seen, readForm({}, body))))
        this.#answerRefused(context, seen, error)
      return undefined
    }
  }

  /** @returns undefined where its faults are answered */
  #parse(context: Context, sent: Sent): Values | undefined {
    const parsed = parseForm(orderFields(sent, speechOf(context).language), scaleOf(sent.seen), sent.form)
    if ('values' in parsed && sent.form.formId !== undefined) return parsed.values
    const refused = 'faults' in parsed ? { faults: parsed.faults } : { problem: new Problem('form_expired') }
    this.#answerAgain(context, sent, refused, 422)
    return undefined
  }

  /** The form as it was sent. */
  #answerAgain(
    context: Context,
    sent: Sent,
    refused: Parameters<typeof refusedForm>[3],
    status: number,
  ): void {
    const { seen, form, body } = sent
    const fields = orderFields(sent, speechOf(context).language)
    const state = refusedForm(fields, scaleOf(seen), form, refused)
    this.#answerForm(context, seen, sent, state, body.get(SHOWN) ?? '', status)
  }

  #answerForm(
    context: Context,
    { page }: Seen,
    filled: Filled,
    state: FormState,
    shown: string,
    status = 200,
  ): void {
    const props = { page, filled, state, shown, ...speakOf(context, page) }
    answerOnce(context, status, <RegisterDocument {...props} />)
  }

  async #answerReview(context: Context, sent: Sent, values: Values, problem?: Problem): Promise<void> {
    const { seen, basket, body } = sent
    const { page } = seen
    const shown = problem?.code === 'form_expired' ? this.#guard.seal(seen.eventId) : (body.get(SHOWN) ?? '')
    const ways = await readWays(this.#services, seen, basket)
    const props = { page, filled: sent, body, values, shown, agreed: seenOf(basket), problem, ways }
    const status = problem === undefined ? 200 : statusOf(problem)
    answerOnce(context, status, <ReviewDocument {...props} {...speakOf(context, page)} />)
  }

  /** What cannot be had at all: the choice is made on the event's page. @throws what is no Problem of this kind */
  #answerRefused(context: Context, { page }: Seen, error: unknown): void {
    const problem = problemOf(error)
    // A guess, which counts as every address that leads nowhere.
    if (problem.code === 'unknown_code') this.#services.addresses.apply(context)
    const props = { page, filled: undefined, state: undefined, shown: '', problem }
    answerOnce(context, statusOf(problem), <RegisterDocument {...props} {...speakOf(context, page)} />)
  }
}

function speakOf(context: Context, { event }: Seen['page']): { speech: Speech; voice: Voice } {
  const speech = speechOf(context)
  return { speech, voice: voiceOf(speech, event.timezone) }
}

function scaleOf({ page: { event } }: Seen) {
  return { timezone: event.timezone, currency: event.currency }
}
