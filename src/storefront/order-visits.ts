import type { Actor } from '../access-log/rules.ts'
import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { addressGroup } from '../http/client-address.ts'
import { statusOf } from '../http/errors.ts'
import type { Context } from '../http/face.ts'
import { type Purpose, readLinkSecret } from '../orders/links.ts'
import { orderUrl } from '../orders/mails.tsx'
import { namesLockedAt } from '../orders/names.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { backOf } from '../payments/buyer-ending.ts'
import { listByOrder as listRefunds } from '../payments/refunds.ts'
import { listByOrder as listPayments } from '../payments/rules.ts'
import { findBank, waysFor } from '../payments/ways.ts'
import { Problem } from '../problem.ts'
import * as receipts from '../receipts/rules.ts'
import { readFormBody } from '../web/form-body.ts'
import { answerOnce } from './answer.ts'
import type { Money, SeenOrder } from './seen-order.ts'
import type { Visited } from './visited.ts'
import { speechOf, voiceOf } from './voice.ts'

/** Who comes with the link to an order, and what they are answered. */
export class OrderVisits {
  readonly #services: Visited

  constructor(services: Visited) {
    this.#services = services
  }

  /** What a form of such a page has sent. */
  async receive(context: Context): Promise<{ body: URLSearchParams; seen: SeenOrder }> {
    const { memory, clientAddress } = this.#services
    const holding = memory.open(context.res, undefined, addressGroup(clientAddress(context.req)))
    const body = await readFormBody(context.req, bytes => holding.keep('body', bytes))
    return { body, seen: await this.find(context) }
  }

  /** @throws Problem route_not_found, which costs and takes the same whatever was guessed */
  async find(context: Context, purpose: Purpose = 'order'): Promise<SeenOrder> {
    const { db, secret } = this.#services
    const target = readLinkSecret(secret, purpose, context.captures[0] ?? '')
    const seen =
      target &&
      (await db.read(async tx => {
        const accountId = await orders.findAccount(tx, target.id)
        return accountId === undefined ? undefined : this.read(tx, accountId, target.id)
      }))
    if (seen === undefined || seen.order.secret_version !== target?.version) throw this.unknown(context)
    return seen
  }

  /** @throws Problem not_found */
  async read(tx: ReadTx, accountId: string, orderId: string): Promise<SeenOrder> {
    const { secret, clock } = this.#services
    const order = await orders.getDetails(tx, accountId, orderId)
    const event = await events.getDetails(tx, accountId, order.event_id)
    const { name, slug } = await accounts.getDetails(tx, accountId)
    const path = orderUrl({ baseUrl: '', secret }, order)
    const money = order.amount_total === 0 ? undefined : await this.#readMoney(tx, order, event)
    const made = money === undefined ? [] : await receipts.listByOrder(tx, accountId, orderId)
    const shown = { order, event, organizer: { name, slug }, receipts: made, path, money }
    return { ...shown, now: clock(), namesUntil: namesLockedAt(event) }
  }

  async #readMoney(tx: ReadTx, order: Order, event: EventDetails): Promise<Money> {
    const { clock, payments } = this.#services
    const { account_id: accountId, id, amount_total: total, waits_for } = order
    const isOpen = waits_for === 'payment'
    const due = isOpen ? await orders.dueOf(tx, accountId, id) : total
    return {
      payments: await listPayments(tx, accountId, id),
      refunds: await listRefunds(tx, accountId, id),
      back: await this.#readBack(tx, order, event),
      due,
      ways: isOpen ? await waysFor(tx, accountId, event, due, payments.processors, clock()) : [],
      bank: isOpen ? await findBank(tx, accountId) : undefined,
    }
  }

  async #readBack(tx: ReadTx, { account_id: accountId, id, status }: Order, event: EventDetails) {
    if (status !== 'confirmed') return undefined
    return {
      cancel: await backOf(tx, accountId, id, event, 'cancel'),
      withdraw: await backOf(tx, accountId, id, event, 'withdraw'),
    }
  }

  /** Whoever has the link acts as the order. */
  actorOf(context: Context, { order }: SeenOrder): Actor {
    return {
      accountId: order.account_id,
      who: `order:${order.id}`,
      requestId: context.state.requestId,
      address: this.#services.clientAddress(context.req),
    }
  }

  /** No cache keeps it. */
  answer(
    context: Context,
    status: number,
    seen: SeenOrder,
    make: (props: SeenOrder & ReturnType<typeof speakOf>) => Parameters<typeof answerOnce>[2],
  ): void {
    answerOnce(context, status, make({ ...seen, ...speakOf(context, seen) }))
    context.set('Cache-Control', 'no-store')
  }

  /** Counts what is asked for and not there. */
  unknown(context: Context): Problem {
    this.#services.addresses.apply(context)
    return new Problem('route_not_found')
  }
}

/** In the buyer's own language, unless the address says another. */
export function speakOf(context: Context, { order, event }: SeenOrder) {
  const asked = speechOf(context)
  const speech = asked.isChosen ? asked : { language: order.language, isChosen: false }
  return { speech, voice: voiceOf(speech, event.timezone) }
}

export function scaleOf({ event: { timezone, currency } }: SeenOrder) {
  return { timezone, currency }
}

/** @throws what is no refusal */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem && statusOf(error) < 500) return error
  throw error
}
