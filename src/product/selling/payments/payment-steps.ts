import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { type Clock, HOUR } from '#base/time.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { withQuery } from '#machinery/web/link.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import { awaitPayment } from '#product/selling/orders/order-changes.ts'
import { MOST_SILENT, reservedAfterSession } from '#product/selling/orders/reservation-time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { dueOf, type Order, type OrderDetails } from '#product/selling/orders/schemas.ts'
import { takesDelayed } from './delayed.ts'
import { apply, canBePaid, delayAfter, end, FEE_DELAYS, failOrder, OPEN } from './payment-facts.ts'
import {
  type Call,
  hasProcessor,
  isStored,
  KEY_LASTS,
  type Method,
  type Processor,
  ProcessorFault,
  type Processors,
  readCall,
  type Session,
} from './processor.ts'
import { startPayment } from './start-payment.ts'
import * as store from './store.ts'

/** What steps work with. */
export interface StepOptions {
  db: Database
  clock: Clock
  processors: Processors
  /** The address of the service as people reach it, and the secret of its links. */
  server: { baseUrl: string; secret: string }
}

/** Advances payments, each by a step that can be repeated: it stores what it will do, does it, and stores the result. */
export class PaymentSteps {
  readonly #options: StepOptions

  constructor(options: StepOptions) {
    this.#options = options
  }

  /**
   * Advances a payment. It never throws for a fault of a processor: the payment is looked at again.
   *
   * @throws what the database throws
   */
  async take(row: store.PaymentRow): Promise<void> {
    const processor = hasProcessor(row.method) ? this.#options.processors.get(row.method) : undefined
    if (!hasProcessor(row.method)) return this.#endUnasked(row)
    try {
      if (processor === undefined) throw new ProcessorFault('denied')
      if (row.session_id === null) await this.#begin(row, processor)
      else await this.#look(row, row.session_id, processor)
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      await this.#fault(row, error)
    }
  }

  /** Ends a payment without a processor if its order no longer waits. Nobody can be asked about it. */
  #endUnasked(row: store.PaymentRow): Promise<void> {
    return this.#write(row, async (tx, payment, order) => {
      if (payment.ended_at === null && order.waits_for !== 'payment')
        return end(tx, payment, order, 'cancelled')
      // If a line was cancelled since, the payment asks for less.
      const due = dueOf(order)
      const isLess = payment.ended_at === null && payment.received === null && due > 0
      const amount = isLess ? due : payment.amount
      await store.update(tx, payment, { amount, next_look_at: null }, await tx.now())
    })
  }

  /** Has the processor make the session, once. */
  async #begin(row: store.PaymentRow, processor: Processor): Promise<void> {
    const { account_id: accountId } = row
    const kept = await this.#keepCall(row, processor)
    if (kept === undefined) return
    const { call, isSentAgain } = kept
    const isOld = call.isSpent === true || this.#options.clock() - call.at > KEY_LASTS
    let session: Session | undefined
    try {
      if (!isOld) session = await processor.start(accountId, call)
    } catch (error) {
      // The processor may refuse the repeated call because it comes too late, although it carried out the first one.
      const isRefused = error instanceof ProcessorFault && error.kind === 'refused'
      if (!isRefused || !isSentAgain) throw error
    }
    session ??= await processor.find(accountId, row.id, call.at - HOUR)
    if (session === undefined) return this.#forgetCall(row, call)
    await this.#keepSession(row, session)
  }

  /**
   * Stores the call that makes the session. If another server has stored one meanwhile, that one is sent, so that a payment has one
   * session.
   *
   * @returns undefined if there is nothing to begin any more
   */
  async #keepCall(
    row: store.PaymentRow,
    processor: Processor,
  ): Promise<{ call: Call; isSentAgain: boolean } | undefined> {
    const known = readCall(row.call)
    if (known !== undefined) return { call: known, isSentAgain: true }
    const { db, clock, server } = this.#options
    const { order, mayTakeDays } = await db.read(row.account_id, async tx => {
      const read = await orders.getDetails(tx, row.order_id)
      return { order: read, mayTakeDays: await takesDelayed(tx, read.event, clock()) }
    })
    const { title } = order.event
    if (!canBePaid(row, order)) {
      await this.#write(row, giveUp)
      return undefined
    }
    const { id, event_id, reference, buyer, language } = order
    const parameters = await processor.prepare(row.account_id, {
      ...{ paymentId: row.id, orderId: id, eventId: event_id, reference, title },
      ...{ email: buyer.email, language, currency: row.currency, amount: row.amount },
      returnUrl: withQuery(orderUrl(server, order), { back: row.back ?? undefined }),
      takesDelayed: mayTakeDays,
    })
    const made: Call = { key: newUuid(), at: clock(), parameters }
    let kept: Call | undefined
    await this.#write(row, async (tx, payment, now) => {
      kept = undefined
      // The payment or its order may have ended since that was read. A call that is not stored is not sent.
      if (payment.ended_at !== null || !canBePaid(payment, now)) return giveUp(tx, payment, now)
      kept = readCall(payment.call) ?? made
      if (kept === made) await store.update(tx, payment, { call: JSON.stringify(made) }, await tx.now())
    })
    return kept === undefined ? undefined : { call: kept, isSentAgain: kept !== made }
  }

  /** Forgets a call that was never carried out. It is sent again under another key. */
  #forgetCall(row: store.PaymentRow, call: Call): Promise<void> {
    return this.#write(row, async (tx, payment) => {
      if (!isStored(payment.call, call)) return
      // It may have ended since, and then nothing is sent any more.
      const dueAt = payment.ended_at === null ? tx.clock() : null
      await store.update(tx, payment, { call: null, next_look_at: dueAt }, await tx.now())
    })
  }

  #keepSession(row: store.PaymentRow, session: Session): Promise<void> {
    return this.#write(row, async (tx, payment, order) => {
      const { id: session_id, url, expiresAt: expires_at } = session
      const changes = { session_id, url, expires_at, looks: 0, next_look_at: tx.clock() }
      const isOpen = session.state === 'open' && payment.ended_at === null && canBePaid(payment, order)
      if (isOpen) changes.next_look_at = Math.min(tx.clock() + OPEN, holdOf(session, order))
      await store.update(tx, payment, changes, await tx.now())
      if (isOpen) await awaitPayment(tx, order, holdOf(session, order))
    })
  }

  async #look(row: store.PaymentRow, sessionId: string, processor: Processor): Promise<void> {
    const session = await processor.read(row.account_id, sessionId)
    const isOver = await this.#apply(row, session)
    // The session may have been paid at the last moment, so the result of its end is stored too.
    if (isOver) await this.#apply(row, await processor.expire(row.account_id, sessionId))
  }

  /** Stores what the processor says of a session. @returns whether nobody shall pay it any more */
  async #apply(row: store.PaymentRow, session: Session): Promise<boolean> {
    let isOver = false
    await this.#write(row, async (tx, payment, order) => {
      isOver = await apply(tx, payment, order, session)
    })
    return isOver
  }

  /** Stores what a fault means for the payment, and when the payment is looked at again. */
  async #fault(row: store.PaymentRow, { kind, code }: ProcessorFault): Promise<void> {
    await this.#write(row, async (tx, payment, order) => {
      const isBarren = payment.session_id === null || order.waits_for !== 'payment'
      if (kind === 'refused' && isBarren && payment.ended_at === null)
        return end(tx, payment, order, 'failed', code ?? 'refused')
      const attempts = payment.looks + 1
      const isSpent = kind === 'failed' && payment.session_id === null && payment.call !== null
      const call = isSpent
        ? JSON.stringify({ ...(JSON.parse(payment.call as string) as Call), isSpent })
        : payment.call
      // An ended payment waits for its fee at most.
      const delay = payment.ended_at === null ? delayAfter(attempts) : FEE_DELAYS[payment.looks]
      const dueAt = delay === undefined ? null : tx.clock() + delay
      await store.update(tx, payment, { looks: attempts, call, next_look_at: dueAt }, await tx.now())
      const silentUntil = order.expires_at === null ? Infinity : Date.parse(order.expires_at) + MOST_SILENT
      if (order.waits_for === 'payment' && tx.clock() >= silentUntil) await failOrder(tx, order)
    })
  }

  /** Runs a write with the payment and its order as they are then. */
  async #write(
    { account_id: accountId, id }: store.PaymentRow,
    work: (tx: WriteTx, payment: store.PaymentRow, order: OrderDetails) => Promise<void>,
  ): Promise<void> {
    await this.#options.db.write(accountId, async tx => {
      const payment = await store.find(tx, id)
      if (payment === undefined) return
      await work(tx, payment, await orders.getDetails(tx, payment.order_id))
      if (payment.next_method !== null) await this.#startNext(tx, payment, payment.next_method)
    })
  }

  /** Begins the next method of a payment that has ended without money. It is in the same commit, so that no crash loses it. */
  async #startNext(tx: WriteTx, left: store.PaymentRow, method: Method): Promise<void> {
    const { id, order_id: orderId, back } = left
    const current = await store.find(tx, id)
    const order = await orders.getDetails(tx, orderId)
    const isOver = current?.status === 'cancelled' || current?.status === 'failed'
    if (!isOver || order.waits_for !== 'payment') return
    try {
      await tx.attempt(() => startPayment(tx, order, { method, back }, this.#options.processors))
    } catch (error) {
      // The method is not offered any more, so the buyer has to choose again.
      if (!(error instanceof Problem)) throw error
    }
  }
}

/** Ends a payment without a session. One that has ended already is looked at no more: nobody can be asked about it. */
async function giveUp(tx: WriteTx, payment: store.PaymentRow, order: Order): Promise<void> {
  if (payment.ended_at === null) return end(tx, payment, order, 'cancelled')
  await store.update(tx, payment, { next_look_at: null }, await tx.now())
}

/** Returns until when the places are held for a session. */
function holdOf({ expiresAt }: Session, { expires_at }: Order): number {
  const until = expires_at === null ? 0 : Date.parse(expires_at)
  return expiresAt === null ? until : Math.max(until, reservedAfterSession(expiresAt))
}
