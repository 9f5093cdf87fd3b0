import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { SOON } from '#product/selling/orders/mail-state.ts'
import { verify } from '#product/selling/orders/verification.ts'
import { OrderVisits, problemOf } from './order-visits.ts'
import { ConfirmDocument } from './pages/confirm-page.tsx'
import type { StorefrontServices } from './storefront-services.ts'

/**
 * Answers buyers who have followed the link in their mail. The link sends other people their tickets of an order that cost
 * nothing.
 */
export class Others {
  readonly #services: StorefrontServices
  readonly #visits: OrderVisits

  constructor(services: StorefrontServices) {
    this.#services = services
    this.#visits = new OrderVisits(services)
  }

  async show(context: Context): Promise<void> {
    const view = await this.#visits.find(context, 'verify')
    const action = context.path
    this.#visits.answer(context, 200, view, props => (
      <ConfirmDocument {...props} action={action} problem={undefined} />
    ))
  }

  /** Sends the tickets, and redirects to the page of the order. A second press sends nothing more. */
  async confirm(context: Context): Promise<void> {
    const { db, clock } = this.#services
    const { view } = await this.#visits.receive(context, 'verify')
    const { order, path } = view
    try {
      const { due } = await recordedWrite(
        db,
        this.#visits.actorOf(context, view),
        tx => verify(tx, order.id, 'buyer'),
        {
          action: 'order.verify',
          targetType: 'order',
          targetId: order.id,
          hasChanged: verified => verified.isNew,
        },
      )
      const isLater = due !== null && due - clock() > SOON
      redirectTo(context, `${path}?said=${isLater ? 'confirmedLater' : 'confirmed'}`)
    } catch (error) {
      const problem = problemOf(error)
      const action = context.path
      this.#visits.answer(context, statusOf(problem), view, props => (
        <ConfirmDocument {...props} action={action} problem={problem} />
      ))
    }
  }
}
