import { Problem } from '#base/problem.ts'
import { findHold } from '#machinery/db/instance.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { addressGroup, isLoopback } from '#machinery/http/client-address.ts'
import { statusOf } from '#machinery/http/errors.ts'
import type { Context } from '#machinery/http/face.ts'
import { goneSignal } from '#machinery/http/gone.ts'
import type { Asker } from '#machinery/ticket-documents/drawing/drawings.ts'
import { readFormBody } from '#machinery/web/form-body.ts'
import type { Purpose } from '#machinery/web/link-secret.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { readMailState } from '#product/selling/orders/mail-state.ts'
import { namesLockedAt } from '#product/selling/orders/names.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { dueOf, type OrderDetails } from '#product/selling/orders/schemas.ts'
import { backOf } from '#product/selling/payments/buyer-ending.ts'
import { findBank, findMethods, findStopped } from '#product/selling/payments/methods.ts'
import { listByOrder as listRefunds } from '#product/selling/payments/refunds.ts'
import { listByOrder as listPayments } from '#product/selling/payments/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { answerOnce } from './answer.ts'
import { readLinked } from './linked.ts'
import type { Money, OrderView } from './order-view.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { speechWithBack, voiceOf } from './voice.ts'

/** Finds the order of a visitor with its link, and answers the visitor. */
export class OrderVisits {
  readonly #services: StorefrontServices

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  /** Reads a form that such a page has sent. */
  async receive(context: Context, purpose?: Purpose): Promise<{ body: URLSearchParams; view: OrderView }> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context, bytes => holding.keep('body', bytes))
    return { body, view: await this.find(context, purpose) }
  }

  /** @throws Problem route_not_found, which takes as long and counts the same for every guess */
  async find(context: Context, purpose: Purpose = 'order'): Promise<OrderView> {
    const view = await readLinked(this.#services, context, purpose, {
      findAccount: orders.findAccount,
      read: async (tx, { id, version }) => {
        const found = await this.read(tx, id)
        return found.order.secret_version === version ? found : undefined
      },
    })
    if (view === undefined) throw this.unknown(context)
    return view
  }

  /** @throws Problem not_found */
  async read(tx: ReadTx, orderId: string): Promise<OrderView> {
    const { secret, clock, mail: mailing } = this.#services
    const order = await orders.getDetails(tx, orderId)
    const { event } = order
    const { name, slug, embed_origins: origins } = await accounts.getDetails(tx)
    const path = orderUrl({ baseUrl: '', secret }, order)
    const money = order.amount_total === 0 ? undefined : await this.#readMoney(tx, order)
    const made = money === undefined ? [] : await receipts.listByOrder(tx, orderId)
    const mail = await readMailState(tx, order, clock())
    const look = await looks.find(tx, event.id)
    const shown = {
      order,
      event,
      organizer: { name, slug, look, origins },
      receipts: made,
      path,
      mail,
      money,
    }
    const mailsWait =
      (await findHold(tx)) !== null || !mailing.isSetUp || mailing.state()?.trouble !== undefined
    return { ...shown, now: clock(), namesUntil: namesLockedAt(event), mailsWait }
  }

  async #readMoney(tx: ReadTx, order: OrderDetails): Promise<Money> {
    const { clock, payments } = this.#services
    const { id, amount_total: total, waits_for, event } = order
    const isOpen = waits_for === 'payment'
    const { processors } = payments
    const due = isOpen ? dueOf(order) : total
    const methods = isOpen
      ? await findMethods(tx, event, due, processors, clock())
      : { offered: [], paused: [] }
    return {
      payments: await listPayments(tx, id),
      refunds: await listRefunds(tx, id),
      back: await this.#readBack(tx, order),
      due,
      methods,
      stopped: isOpen ? await findStopped(tx, processors) : [],
      bank: isOpen ? await findBank(tx) : undefined,
    }
  }

  async #readBack(tx: ReadTx, order: OrderDetails) {
    const { status } = order
    if (status !== 'confirmed') return undefined
    return {
      cancel: await backOf(tx, order, 'cancel'),
      withdraw: await backOf(tx, order, 'withdraw'),
    }
  }

  /** A visitor with the link acts as the order. */
  actorOf(context: Context, { order }: OrderView): Actor {
    return {
      accountId: order.account_id,
      who: `order:${order.id}`,
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
    }
  }

  /** Returns the asker for whom the order's files are drawn. The drawing ends when the client has gone. */
  askerOf({ req, res }: Context, { order }: OrderView): Asker {
    return visitorAsker(this.#services.clientAddress(req), order.id, goneSignal(res))
  }

  /** Answers with a page that no cache keeps. */
  answer(
    context: Context,
    status: number,
    view: OrderView,
    make: (props: OrderView & ReturnType<typeof speakOf>) => Parameters<typeof answerOnce>[2],
  ): void {
    answerOnce(context, status, make({ ...view, ...speakOf(context, view) }))
    context.set('Cache-Control', 'no-store')
  }

  /** Counts a request for a page that does not exist. */
  unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** Returns the buyer's own language and voice, unless the address asks for another language. */
export function speakOf(context: Context, { order, event, organizer }: OrderView) {
  const requested = speechWithBack(context, organizer)
  const speech = requested.isChosen ? requested : { ...requested, language: order.language }
  return { speech, voice: voiceOf(speech, event.timezone) }
}

export function scaleOf({ event: { timezone, currency } }: Pick<OrderView, 'event'>) {
  return { timezone, currency }
}

/**
 * Returns who asks for a document to be drawn, so that nobody keeps others waiting.
 *
 * @param id of the order or ticket. A proxy on this machine may not say which client it asks for; it stands in for the address then
 */
export function visitorAsker(address: string, id: string, signal: AbortSignal): Asker {
  const shares = [isLoopback(address) ? id : addressGroup(address), id]
  return { lane: 'visitors', shares, signal }
}

/** @throws an error that is not a refusal */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem && statusOf(error) < 500) return error
  throw error
}
