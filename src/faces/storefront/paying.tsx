import { addressGroup } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { choose, findBack, get as getPayment } from '#product/selling/payments/rules.ts'
import { actInTest, getTestSession, testActions } from '#product/selling/payments/test-processor.ts'
import { answerOnce } from './answer.ts'
import { OrderVisits, problemOf } from './order-visits.ts'
import { readMethod } from './pages/method-choice.tsx'
import { OrderDocument } from './pages/order-page.tsx'
import { TestPaymentDocument } from './pages/test-payment.tsx'
import { GO_ON, PAID } from './paths.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { BACK, speechOf, speechWithBack, voiceOf } from './voice.ts'

/** Handles the payment of an order: the choice of the method, and the page of the sandbox's processor. */
export class Paying {
  readonly #services: StorefrontServices
  readonly #visits: OrderVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  /** Starts a payment by a method, or continues the one that was started. */
  async choose(context: Context): Promise<void> {
    const { db, payments, orderLimit } = this.#services
    const { body, view } = await this.#visits.receive(context)
    const { order, path } = view
    const method = readMethod(body)
    if (method === undefined) return redirectTo(context, path)
    const { back } = speechWithBack(context, view.organizer)
    try {
      orderLimit.apply(context)
      await recordedWrite(
        db,
        this.#visits.actorOf(context, view),
        tx => choose(tx, order.id, method, payments.processors, back),
        { action: 'order.pay', targetType: 'order', targetId: order.id, details: () => ({ method }) },
      )
      payments.wake()
      redirectTo(context, withQuery(`${path}?${GO_ON}`, { [BACK]: back }))
    } catch (error) {
      const problem = problemOf(error)
      const view = await db.read(order.account_id, tx => this.#visits.read(tx, order.id))
      this.#visits.answer(context, statusOf(problem), view, props => (
        <OrderDocument {...props} notice={undefined} going={undefined} problem={problem} />
      ))
    }
  }

  async showTest(context: Context): Promise<void> {
    const { session, order, paidAt } = await this.#findTest(context)
    const requested = speechOf(context)
    const speech = requested.isChosen ? requested : { language: order.language, isChosen: false }
    const props = { session, order, action: context.path, back: paidAt }
    answerOnce(
      context,
      200,
      <TestPaymentDocument {...props} speech={speech} voice={voiceOf(speech, 'UTC')} />,
    )
    context.set('Cache-Control', 'no-store')
  }

  async actInTest(context: Context): Promise<void> {
    const { db, payments, memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    const { session, order, paidAt } = await this.#findTest(context)
    const action = testActions.find(each => each === body.get('action'))
    if (action !== undefined) {
      const { account_id: accountId } = order
      await db.write(accountId, tx => actInTest(tx, session.id, action))
      payments.look(accountId, session.paymentId)
    }
    redirectTo(context, action === 'decline' ? context.path : paidAt)
  }

  /** @throws Problem route_not_found */
  async #findTest(context: Context) {
    const { db, clock, payments, secret } = this.#services
    const [accountId = '', id = ''] = context.captures as string[]
    if (!payments.processors.has('test')) throw this.#visits.unknown(context)
    try {
      return await db.read(accountId, async tx => {
        const session = await getTestSession(tx, id, clock())
        const { order_id } = await getPayment(tx, session.paymentId)
        const order = await orders.get(tx, order_id)
        const back = await findBack(tx, session.paymentId)
        const path = `${orderUrl({ baseUrl: '', secret }, order)}?${PAID}`
        return { session, order, paidAt: withQuery(path, { [BACK]: back }) }
      })
    } catch (error) {
      problemOf(error)
      throw this.#visits.unknown(context)
    }
  }
}
