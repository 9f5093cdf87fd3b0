import { Problem } from '#base/problem.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '#machinery/web/forms/form.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { isAddressNeeded } from '#product/selling/orders/invoice.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { acceptOffer } from '#product/selling/payments/rules.ts'
import { givenFields } from './given-price.ts'
import { readOfferedMethods } from './offered-methods.ts'
import { type Filled, findQuestions, orderFields, toOrder } from './order-form.ts'
import type { OrderView } from './order-view.ts'
import { OrderVisits, problemOf, scaleOf, speakOf } from './order-visits.ts'
import { METHOD, readMethod } from './pages/method-choice.tsx'
import { OfferDocument } from './pages/offer-page.tsx'
import { GO_ON } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { BACK, speechWithBack } from './voice.ts'

/** Handles offers to people on a waitlist: the page, and their answer. */
export class Offers {
  readonly #services: StorefrontServices
  readonly #visits: OrderVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  async show(context: Context, view: OrderView): Promise<void> {
    const filled = await this.#fill(view)
    const fields = offerFields(filled, context, view)
    await this.#answer(context, 200, view, filled, newForm(fields, scaleOf(view)))
  }

  /** Accepts the offer with the answers that an order of it needs, and redirects to the page of the order. */
  async take(context: Context): Promise<void> {
    const { body, view } = await this.#visits.receive(context)
    const { order, path } = view
    // The buyer pressed twice, or the offer was decided meanwhile. The order's page shows its state.
    if (order.waits_for !== 'answer') return redirectTo(context, path)
    const filled = await this.#fill(view)
    const fields = offerFields(filled, context, view)
    const sent = readForm(fields, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answer(
        context,
        status,
        view,
        filled,
        refusedForm(fields, scaleOf(view), sent, refused),
        body.get(METHOD),
      )
    const parsed = parseForm(fields, scaleOf(view), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const buyer = { 'buyer.name': order.buyer.name, 'buyer.email': order.buyer.email }
    const taken = toOrder(
      filled,
      { ...parsed.values, ...buyer },
      { ...sent, code: undefined },
      order.language,
    )
    const { payments } = this.#services
    const { back } = speechWithBack(context, view.organizer)
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, view),
        tx =>
          acceptOffer(tx, order.id, taken, {
            method: readMethod(body),
            back,
            processors: payments.processors,
          }),
        { action: 'order.take', targetType: 'order', targetId: order.id },
      )
      payments.wake()
      const isPaid = order.amount_total > 0 && !view.event.requires_approval
      redirectTo(context, withQuery(isPaid ? `${path}?${GO_ON}` : path, { [BACK]: back }))
    } catch (error) {
      const problem = problemOf(error)
      await refuse({ problem }, statusOf(problem))
    }
  }

  async turnDown(context: Context): Promise<void> {
    const { view } = await this.#visits.receive(context)
    const { order, path } = view
    try {
      if (order.waits_for === 'answer')
        await recordedWrite(
          this.#services.db,
          this.#visits.actorOf(context, view),
          tx => orders.fail(tx, order.id, 'turned_down'),
          { action: 'order.turn_down', targetType: 'order', targetId: order.id },
        )
    } catch (error) {
      // The order has ended meanwhile. Its page says how.
      if (!(error instanceof Problem) || error.code !== 'order_ended') throw error
    }
    redirectTo(context, path)
  }

  /** Returns the offered places in the shape of the order form. */
  #fill({ order, event }: OrderView): Promise<Filled> {
    return this.#services.db.read(order.account_id, async tx => {
      const types = await registrationTypes.listDetails(tx, event.id)
      const lines = order.registrations.flatMap(line => {
        const type = types.find(({ id }) => id === line.registration_type_id)
        const free = { price: 0, discount: 0, tax: 0, tax_basis_points: 0 }
        const prices = line.attendees.map(({ id }) => order.prices.get(id) ?? free)
        return type === undefined ? [] : [{ type, prices }]
      })
      const quantity = lines.reduce((sum, { prices }) => sum + prices.length, 0)
      const sold = await events.withTerms(tx, event)
      const basket = {
        ...{ event: sold, lines, code: undefined, quantity, total: order.amount_total },
        isAddressNeeded: await isAddressNeeded(tx, order),
      }
      const all = await questions.list(tx, event.id)
      return { basket, applicable: findQuestions(all, basket) }
    })
  }

  async #answer(
    context: Context,
    status: number,
    view: OrderView,
    filled: Filled,
    form: FormState,
    method: string | null = null,
  ): Promise<void> {
    const methods = await readOfferedMethods(
      this.#services,
      { accountId: view.order.account_id },
      filled.basket,
    )
    const state = { ...form, preview: agreementHash(filled.basket) }
    this.#visits.answer(context, status, view, props => (
      <OfferDocument {...props} {...{ filled, state, methods, method }} />
    ))
  }
}

/** The offer already states its buyer and its prices, so the form leaves out these fields. */
function offerFields(filled: Filled, context: Context, view: OrderView) {
  const { language } = speakOf(context, view).speech
  const { 'buyer.name': _, 'buyer.email': __, ...fields } = orderFields(filled, language)
  const given = givenFields(filled.basket)
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in given)))
}
