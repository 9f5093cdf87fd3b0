import { recordedWrite } from '../access-log/recorded-write.ts'
import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { orderUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import { choose, get as getPayment } from '../payments/rules.ts'
import { actInTest, getTestSession, testActions } from '../payments/test-processor.ts'
import { leadTo } from '../web/answer-page.ts'
import { readFormBody } from '../web/form-body.ts'
import { answerOnce } from './answer.ts'
import { OrderVisits, problemOf } from './order-visits.ts'
import { OrderDocument } from './pages/order-page.tsx'
import { TestPaymentDocument } from './pages/test-payment.tsx'
import { readWay } from './pages/ways.tsx'
import { GO_ON, PAID } from './paths.ts'
import type { Visited } from './visited.ts'
import { speechOf, voiceOf } from './voice.ts'

/** How an order is paid: the choice of the way, and the page of the processor of sandboxes. */
export class Paying {
  readonly #services: Visited
  readonly #visits: OrderVisits

  constructor(services: Visited) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  /** Begins to pay in a way, or goes on where that was begun. */
  async choose(context: Context): Promise<void> {
    const { db, payments, orderLimit } = this.#services
    const { body, seen } = await this.#visits.receive(context)
    const { order, path } = seen
    const way = readWay(body)
    if (way === undefined) return leadTo(context, path)
    try {
      orderLimit.apply(context)
      await recordedWrite(
        db,
        this.#visits.actorOf(context, seen),
        tx => choose(tx, order.account_id, order.id, way, payments.processors),
        { action: 'order.pay', targetType: 'order', targetId: order.id, details: () => ({ method: way }) },
      )
      payments.wake()
      leadTo(context, `${path}?${GO_ON}`)
    } catch (error) {
      const problem = problemOf(error)
      const now = await db.read(tx => this.#visits.read(tx, order.account_id, order.id))
      this.#visits.answer(context, statusOf(problem), now, props => (
        <OrderDocument {...props} said={undefined} going={undefined} problem={problem} />
      ))
    }
  }

  async showTest(context: Context): Promise<void> {
    const { session, order, path } = await this.#findTest(context)
    const asked = speechOf(context)
    const speech = asked.isChosen ? asked : { language: order.language, isChosen: false }
    const props = { session, order, action: context.path, back: `${path}?${PAID}` }
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
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    const { session, order, path } = await this.#findTest(context)
    const action = testActions.find(each => each === body.get('action'))
    if (action !== undefined) {
      const { account_id: accountId } = order
      await db.write(accountId, tx => actInTest(tx, accountId, session.id, action))
      payments.look(accountId, session.paymentId)
    }
    leadTo(context, action === 'decline' ? context.path : `${path}?${PAID}`)
  }

  /** @throws Problem route_not_found */
  async #findTest(context: Context) {
    const { db, clock, payments, secret } = this.#services
    const [accountId = '', id = ''] = context.captures
    if (!payments.processors.has('test')) throw this.#visits.unknown(context)
    try {
      return await db.read(async tx => {
        const session = await getTestSession(tx, accountId, id, clock())
        const { order_id } = await getPayment(tx, accountId, session.paymentId)
        const order = await orders.get(tx, accountId, order_id)
        return { session, order, path: orderUrl({ baseUrl: '', secret }, order) }
      })
    } catch (error) {
      problemOf(error)
      throw this.#visits.unknown(context)
    }
  }
}
