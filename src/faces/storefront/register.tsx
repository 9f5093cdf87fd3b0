import { Problem } from '#base/problem.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import {
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
  type SentForm,
} from '#machinery/web/forms/form.ts'
import { agreementHash, fillFrom, findEntered, readOffers } from '#product/selling/orders/basket.ts'
import { prepare } from '#product/selling/orders/place.ts'
import { findByForm } from '#product/selling/orders/rules.ts'
import { payableWith } from '#product/selling/payments/methods.ts'
import { placeOrder } from '#product/selling/payments/rules.ts'
import { answerOnce } from './answer.ts'
import { FormGuard, SHOWN } from './form-guard.ts'
import { withGiven } from './given-price.ts'
import { leadToOrder } from './lead-to-order.ts'
import { readOfferedMethods } from './offered-methods.ts'
import {
  type Filled,
  findQuestions,
  hasChoice,
  orderFields,
  readCode,
  readQuantities,
  readWanted,
  takeGiven,
  toOrder,
} from './order-form.ts'
import { problemOf } from './order-visits.ts'
import { PageCache } from './page-cache.ts'
import { readMethod } from './pages/method-choice.tsx'
import { OffersDocument } from './pages/offers-page.tsx'
import { RegisterDocument } from './pages/register-page.tsx'
import { ReviewDocument } from './pages/review.tsx'
import { pathOf } from './paths.ts'
import { placedFrom } from './placed-from.ts'
import { payableSale, readSaleForm, type SaleForm } from './sale-form.ts'
import { type Sent, SHOWN_AGAIN, type Values } from './sent-order.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { type Find, type PublicEvent, scaleOf } from './view-page.tsx'
import { inSpeech, speakOf, speechOf, speechWithBack } from './voice.ts'

/** Takes registrations: a form, its review, and the order. */
export class Register {
  readonly #services: StorefrontServices
  readonly #find: Find
  readonly #guard: FormGuard
  readonly #forms: PageCache<SaleForm>

  /** @param find returns the event that the address names, for this visitor. @throws Problem route_not_found */
  constructor(services: StorefrontServices, find: Find) {
    this.#services = services
    this.#find = find
    this.#guard = new FormGuard(services)
    this.#forms = new PageCache(services.clock, services.db.onCommit.bind(services.db))
  }

  /**
   * Shows the form for the tickets that the address names. Without any, it shows what a code offers, or the page of the event.
   */
  async show(context: Context): Promise<void> {
    const found = await this.#find(context)
    const query = new URLSearchParams(context.querystring)
    try {
      if (readQuantities(query).length === 0 && !hasChoice(query))
        return await this.#offer(context, found, readCode(query))
      const saleForm = await this.#findSale(found)
      const filled = await this.#fill(found, takeGiven(query, saleForm.sale.types), saleForm)
      const fields = orderFields(filled, speechOf(context).language)
      const state = withGiven(newForm(fields, scaleOf(found)), query)
      this.#answerForm(context, found, filled, state, this.#guard.seal(found.eventId))
    } catch (error) {
      this.#answerRefused(context, found, error)
    }
  }

  /** Shows the review of a filled-in form. A form with faults is shown again instead. */
  async review(context: Context): Promise<void> {
    const sent = await this.#read(context)
    if (sent?.soldOut !== undefined)
      return this.#answerAgain(context, sent, { problem: sent.soldOut }, statusOf(sent.soldOut))
    const values = sent && this.#parse(context, sent)
    if (values !== undefined) await this.#answerReview(context, sent as Sent, values)
  }

  /** Shows the form again with the values that were filled in. */
  async change(context: Context): Promise<void> {
    const sent = await this.#read(context)
    if (sent !== undefined) this.#answerAgain(context, sent, {}, 200)
  }

  /** Takes the order, and redirects to its page. */
  async order(context: Context): Promise<void> {
    const { db, orderLimit, payments } = this.#services
    const sent = await this.#read(context)
    const values = sent && this.#parse(context, sent)
    if (sent === undefined || values === undefined) return
    const { found, body, form } = sent
    const { accountId, eventId } = found
    if (await this.#redirectToPlaced(context, found, form)) return
    try {
      orderLimit.apply(context)
      this.#guard.refuseProgram(eventId, body)
      const ordered = toOrder(sent, values, { ...form, code: readCode(body) }, speechOf(context).language)
      const order = { ...ordered, placedFrom: placedFrom(this.#services, context.req) }
      const signed = await prepare(db, accountId, eventId, order)
      const { processors } = payments
      const { back } = speechWithBack(context, found.page.organizer)
      const paid = { method: readMethod(body), back, processors, signed }
      const placed = await db.write(accountId, tx => placeOrder(tx, eventId, order, paid))
      payments.wake()
      leadToOrder(context, this.#services, found, placed)
    } catch (error) {
      const problem = problemOf(error)
      const isShownAgain = SHOWN_AGAIN.includes(problem.code)
      if (!isShownAgain) return this.#answerAgain(context, sent, { problem }, statusOf(problem))
      await this.#reviewAgain(context, sent, values, problem)
    }
  }

  /** Shows the review of the current sale. Another process may just have changed the sale, so this read skips the cache. */
  async #reviewAgain(context: Context, sent: Sent, values: Values, problem: Problem): Promise<void> {
    const { found, body } = sent
    try {
      const refilled = { ...sent, ...(await this.#fillSent(found, body, await this.#readSale(found))) }
      await this.#answerReview(context, refilled, values, problem)
    } catch (error) {
      // Nobody can order it any more.
      this.#answerRefused(context, found, error)
    }
  }

  /** Redirects a form that was already carried out to its order, whatever has become of the order's places. */
  async #redirectToPlaced(context: Context, found: PublicEvent, { formId }: SentForm): Promise<boolean> {
    const { accountId, eventId } = found
    const made = await this.#services.db.read(accountId, tx => findByForm(tx, eventId, formId ?? ''))
    if (made !== undefined) leadToOrder(context, this.#services, found, made)
    return made !== undefined
  }

  async #offer(
    context: Context,
    { accountId, eventId, page }: PublicEvent,
    code: string | undefined,
  ): Promise<void> {
    const { db, clock } = this.#services
    const { speech, voice } = speakOf(context, page)
    if (code === undefined) return redirectTo(context, inSpeech(speech, pathOf(page)))
    const types = await db.read(accountId, tx =>
      readOffers(tx, eventId, code, clock(), payableWith(this.#services.payments.processors)),
    )
    answerOnce(context, 200, <OffersDocument page={{ ...page, types }} {...{ code, speech, voice }} />)
  }

  /** @param given the query of the form's address, or the values that the form has sent */
  async #fill(
    found: PublicEvent,
    given: URLSearchParams,
    { sale, all, setUp }: SaleForm,
    keepsSoldOut = false,
  ): Promise<Filled> {
    const { db, clock } = this.#services
    const { accountId, eventId } = found
    const [code, now, lines] = [readCode(given), clock(), readWanted(given, sale.types)]
    const payable = payableSale(this.#services, { sale, setUp }, now)
    const findCode = async () =>
      code === undefined ? undefined : db.read(accountId, tx => findEntered(tx, eventId, code, now))
    const basket = await fillFrom(payable, { lines, keepsSoldOut }, findCode, now)
    return { basket, applicable: findQuestions(all, basket) }
  }

  /** Reads the sale once after each commit, for all who ask meanwhile. The write that takes an order reads it again. */
  async #findSale(found: PublicEvent): Promise<SaleForm> {
    const read = async () => ({ shown: await this.#readSale(found), until: Number.POSITIVE_INFINITY })
    return (await this.#forms.get(`${found.accountId} ${found.eventId}`, read)).shown
  }

  #readSale(found: PublicEvent): Promise<SaleForm> {
    return readSaleForm(this.#services, found)
  }

  /** Keeps what a buyer typed for something that was sold out meanwhile. */
  async #fillSent(
    found: PublicEvent,
    body: URLSearchParams,
    saleForm: SaleForm,
  ): Promise<Filled & { soldOut?: Problem }> {
    try {
      return await this.#fill(found, body, saleForm)
    } catch (error) {
      const soldOut = problemOf(error)
      if (soldOut.code !== 'sold_out') throw soldOut
      return { ...(await this.#fill(found, body, saleForm, true)), soldOut }
    }
  }

  /** @returns undefined if the request is already answered */
  async #read(context: Context): Promise<Sent | undefined> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    const found = await this.#find(context, body)
    try {
      const { soldOut, ...filled } = await this.#fillSent(found, body, await this.#findSale(found))
      const form = readForm(orderFields(filled, speechOf(context).language), body)
      return { ...filled, found, body, form, soldOut }
    } catch (error) {
      // The form may have taken the last places itself.
      if (!(await this.#redirectToPlaced(context, found, readForm({}, body))))
        this.#answerRefused(context, found, error)
      return undefined
    }
  }

  /** @returns undefined if the form's faults are already answered */
  #parse(context: Context, sent: Sent): Values | undefined {
    const parsed = parseForm(orderFields(sent, speechOf(context).language), scaleOf(sent.found), sent.form)
    if ('values' in parsed && sent.form.formId !== undefined) return parsed.values
    const refused = 'faults' in parsed ? { faults: parsed.faults } : { problem: new Problem('form_expired') }
    this.#answerAgain(context, sent, refused, 422)
    return undefined
  }

  /** Shows the form as it was sent. */
  #answerAgain(
    context: Context,
    sent: Sent,
    refused: Parameters<typeof refusedForm>[3],
    status: number,
  ): void {
    const { found, form, body } = sent
    const fields = orderFields(sent, speechOf(context).language)
    const state = refusedForm(fields, scaleOf(found), form, refused)
    this.#answerForm(context, found, sent, state, body.get(SHOWN) ?? '', status)
  }

  #answerForm(
    context: Context,
    { page }: PublicEvent,
    filled: Filled,
    state: FormState,
    shown: string,
    status = 200,
  ): void {
    const props = { page, filled, state, shown, ...speakOf(context, page) }
    answerOnce(context, status, <RegisterDocument {...props} />)
  }

  async #answerReview(context: Context, sent: Sent, values: Values, problem?: Problem): Promise<void> {
    const { found, basket, body } = sent
    const { page } = found
    const shown = problem?.code === 'form_expired' ? this.#guard.seal(found.eventId) : (body.get(SHOWN) ?? '')
    const methods = await readOfferedMethods(this.#services, found, basket)
    const now = this.#services.clock()
    const props = {
      page,
      filled: sent,
      body,
      values,
      shown,
      agreed: agreementHash(basket),
      problem,
      methods,
      now,
    }
    const status = problem === undefined ? 200 : statusOf(problem)
    answerOnce(context, status, <ReviewDocument {...props} {...speakOf(context, page)} />)
  }

  /**
   * Refuses what cannot be ordered at all. The buyer chooses again on the event's page.
   *
   * @throws an error that is not a refusal
   */
  #answerRefused(context: Context, { page }: PublicEvent, error: unknown): void {
    const problem = problemOf(error)
    // An unknown code is a guess. It counts like every address that leads nowhere.
    if (problem.code === 'unknown_code') this.#services.addresses.apply(context)
    const props = { page, filled: undefined, state: undefined, shown: '', problem }
    answerOnce(context, statusOf(problem), <RegisterDocument {...props} {...speakOf(context, page)} />)
  }
}
