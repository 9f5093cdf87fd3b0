import { recordedWrite } from '../access-log/recorded-write.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { seenOf } from '../orders/basket.ts'
import * as orders from '../orders/rules.ts'
import { takeOffer } from '../payments/rules.ts'
import { Problem } from '../problem.ts'
import * as questions from '../questions/rules.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { leadTo } from '../web/answer-page.ts'
import { type FormState, newForm, parseForm, readForm, refusedForm } from '../web/forms/form.ts'
import { type Filled, orderFields, toOrder, typeIdsOf } from './order-form.ts'
import { OrderVisits, problemOf, scaleOf, speakOf } from './order-visits.ts'
import { OfferDocument } from './pages/offer-page.tsx'
import { readWay, WAY } from './pages/ways.tsx'
import { GO_ON } from './paths.ts'
import type { SeenOrder } from './seen-order.ts'
import type { Visited } from './visited.ts'
import { readWays } from './ways-now.ts'

/** What is offered to somebody on a waitlist: the page, and their answer. */
export class Offers {
  readonly #services: Visited
  readonly #visits: OrderVisits

  constructor(services: Visited) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  async show(context: Context, seen: SeenOrder): Promise<void> {
    const filled = await this.#fill(seen)
    const fields = offerFields(filled, context, seen)
    await this.#answer(context, 200, seen, filled, newForm(fields, scaleOf(seen)))
  }

  /** Takes it, with the answers that an order of it would need, and leads to the page of the order. */
  async take(context: Context): Promise<void> {
    const { body, seen } = await this.#visits.receive(context)
    const { order, path } = seen
    // Pressed twice, or decided meanwhile: its page says how it stands.
    if (order.waits_for !== 'answer') return leadTo(context, path)
    const filled = await this.#fill(seen)
    const fields = offerFields(filled, context, seen)
    const sent = readForm(fields, body)
    const refuse = (refused: Parameters<typeof refusedForm>[3], status: number) =>
      this.#answer(
        context,
        status,
        seen,
        filled,
        refusedForm(fields, scaleOf(seen), sent, refused),
        body.get(WAY),
      )
    const parsed = parseForm(fields, scaleOf(seen), sent)
    if ('faults' in parsed) return refuse({ faults: parsed.faults }, 422)
    const buyer = { 'buyer.name': order.buyer.name, 'buyer.email': order.buyer.email }
    const taken = toOrder(
      filled,
      { ...parsed.values, ...buyer },
      { ...sent, code: undefined },
      order.language,
    )
    const { payments } = this.#services
    try {
      await recordedWrite(
        this.#services.db,
        this.#visits.actorOf(context, seen),
        tx =>
          takeOffer(tx, order.account_id, order.id, taken, {
            method: readWay(body),
            processors: payments.processors,
          }),
        { action: 'order.take', targetType: 'order', targetId: order.id },
      )
      payments.wake()
      const isPaid = order.amount_total > 0 && !seen.event.requires_approval
      leadTo(context, isPaid ? `${path}?${GO_ON}` : path)
    } catch (error) {
      const problem = problemOf(error)
      await refuse({ problem }, statusOf(problem))
    }
  }

  async turnDown(context: Context): Promise<void> {
    const { seen } = await this.#visits.receive(context)
    const { order, path } = seen
    try {
      if (order.waits_for === 'answer')
        await recordedWrite(
          this.#services.db,
          this.#visits.actorOf(context, seen),
          tx => orders.fail(tx, order.account_id, order.id, 'turned_down'),
          { action: 'order.turn_down', targetType: 'order', targetId: order.id },
        )
    } catch (error) {
      // It has ended meanwhile: its page says how.
      if (!(error instanceof Problem) || error.code !== 'order_ended') throw error
    }
    leadTo(context, path)
  }

  /** What is offered, as the form of an order has it. */
  #fill({ order, event }: SeenOrder): Promise<Filled> {
    return this.#services.db.read(async tx => {
      const types = await registrationTypes.listDetails(tx, order.account_id, event.id)
      const lines = order.registrations.flatMap(line => {
        const type = types.find(({ id }) => id === line.registration_type_id)
        const free = { price: 0, discount: 0, tax: 0, tax_basis_points: 0 }
        const prices = line.attendees.map(({ id }) => order.prices.get(id) ?? free)
        return type === undefined ? [] : [{ type, prices }]
      })
      const quantity = lines.reduce((sum, { prices }) => sum + prices.length, 0)
      const basket = { event, lines, code: undefined, quantity, total: order.amount_total }
      const all = await questions.list(tx, order.account_id, event.id)
      return { basket, asked: questions.askedOf(all, typeIdsOf(basket)) }
    })
  }

  async #answer(
    context: Context,
    status: number,
    seen: SeenOrder,
    filled: Filled,
    form: FormState,
    way: string | null = null,
  ): Promise<void> {
    const ways = await readWays(this.#services, { accountId: seen.order.account_id }, filled.basket)
    const state = { ...form, seen: seenOf(filled.basket) }
    this.#visits.answer(context, status, seen, props => (
      <OfferDocument {...props} {...{ filled, state, ways, way }} />
    ))
  }
}

/** Whose offer it is stands already. */
function offerFields(filled: Filled, context: Context, seen: SeenOrder) {
  const { language } = speakOf(context, seen).speech
  const { 'buyer.name': _, 'buyer.email': __, ...fields } = orderFields(filled, language)
  return fields
}
