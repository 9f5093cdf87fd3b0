import type { Database, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import { orderUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { Problem } from '../problem.ts'
import { type Clock, DAY, HOUR, MINUTE } from '../time.ts'
import { begin } from './beginning.ts'
import { apply, canBePaid, delayAfter, end, FEE_DELAYS, failOrder, OPEN } from './payment-facts.ts'
import {
  type Call,
  hasProcessor,
  type Method,
  type Processor,
  ProcessorFault,
  type Processors,
  type Session,
} from './processor.ts'
import * as store from './store.ts'

/** What steps work with. */
export interface StepOptions {
  db: Database
  clock: Clock
  processors: Processors
  /** The address of the service as people reach it, and the secret of the links in it. */
  server: { baseUrl: string; secret: string }
}

/** After its session has ended at the processor, for so long nobody else gets the places, in milliseconds. */
const AFTER_SESSION = 3 * MINUTE
/** For how long the places are held while the processor is silent, in milliseconds. */
const MOST_SILENT = DAY
/** For how long a key of a call is sent again: processors forget them after a day. */
const KEY_LASTS = 23 * HOUR
/** Takes payments on, each by a step that can be taken again: it says what will be done, does it, and says what came of it. */
export class PaymentSteps {
  readonly #options: StepOptions

  constructor(options: StepOptions) {
    this.#options = options
  }

  /** Never throws for what a processor does: the payment is looked at again. @throws what the database throws */
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

  /** Without a processor there is nothing to ask: a payment whose order waits no more is over. */
  #endUnasked(row: store.PaymentRow): Promise<void> {
    return this.#write(row, async (tx, payment, order) => {
      if (payment.ended_at === null && order.waits_for !== 'payment')
        return end(tx, payment.account_id, payment, 'cancelled')
      // A line was cancelled since: so much less is asked for.
      const due = await orders.dueOf(tx, payment.account_id, order.id)
      const isLess = payment.ended_at === null && payment.received === null && due > 0
      const amount = isLess ? due : payment.amount
      await store.update(tx, payment, { amount, next_look_at: null }, await tx.now())
    })
  }

  /** Has the processor make the session, once. */
  async #begin(row: store.PaymentRow, processor: Processor): Promise<void> {
    const { account_id: accountId } = row
    const call = await this.#keepCall(row, processor)
    if (call === undefined) return
    const isOld = call.isSpent === true || this.#options.clock() - call.at > KEY_LASTS
    const isSentAgain = row.call !== null
    let session: Session | undefined
    try {
      if (!isOld) session = await processor.start(accountId, call)
    } catch (error) {
      // Too late for what it says, perhaps: but the first try may have been carried out.
      const isRefused = error instanceof ProcessorFault && error.kind === 'refused'
      if (!isRefused || !isSentAgain) throw error
    }
    session ??= await processor.find(accountId, row.id, call.at - HOUR)
    if (session === undefined) return this.#forgetCall(row)
    await this.#keepSession(row, session)
  }

  /** @returns undefined where there is nothing to begin any more */
  async #keepCall(row: store.PaymentRow, processor: Processor): Promise<Call | undefined> {
    if (row.call !== null) return JSON.parse(row.call) as Call
    const { db, clock, server } = this.#options
    const { order, title, isPayable } = await db.read(async tx => {
      const order = await orders.get(tx, row.account_id, row.order_id)
      const { title } = await events.getDetails(tx, row.account_id, row.event_id)
      return { order, title, isPayable: await canBePaid(tx, row.account_id, row, order) }
    })
    if (!isPayable) {
      await this.#write(row, (tx, payment) => end(tx, payment.account_id, payment, 'cancelled'))
      return undefined
    }
    const { id, event_id, reference, buyer, language } = order
    const parameters = await processor.prepare(row.account_id, {
      ...{ paymentId: row.id, orderId: id, eventId: event_id, reference, title },
      ...{ email: buyer.email, language, currency: row.currency, amount: row.amount },
      returnUrl: orderUrl(server, order),
    })
    const call: Call = { key: newUuid(), at: clock(), parameters }
    let isKept = false
    await this.#write(row, async (tx, payment, now) => {
      // It may have ended, or its order, since that was read: what is not kept is not sent.
      isKept = payment.ended_at === null && (await canBePaid(tx, row.account_id, payment, now))
      if (isKept) await store.update(tx, payment, { call: JSON.stringify(call) }, await tx.now())
      else await end(tx, payment.account_id, payment, 'cancelled')
    })
    return isKept ? call : undefined
  }

  /** It was never carried out: it is sent anew, under another key. */
  #forgetCall(row: store.PaymentRow): Promise<void> {
    return this.#write(row, async (tx, payment) => {
      await store.update(tx, payment, { call: null, next_look_at: tx.clock() }, await tx.now())
    })
  }

  #keepSession(row: store.PaymentRow, session: Session): Promise<void> {
    return this.#write(row, async (tx, payment, order) => {
      const { id: session_id, url, expiresAt: expires_at } = session
      const changes = { session_id, url, expires_at, looks: 0, next_look_at: tx.clock() }
      const isOpen =
        session.state === 'open' &&
        payment.ended_at === null &&
        (await canBePaid(tx, row.account_id, payment, order))
      if (isOpen) changes.next_look_at = Math.min(tx.clock() + OPEN, holdOf(session, order))
      await store.update(tx, payment, changes, await tx.now())
      if (isOpen) await orders.awaitPayment(tx, row.account_id, order.id, holdOf(session, order))
    })
  }

  async #look(row: store.PaymentRow, sessionId: string, processor: Processor): Promise<void> {
    const session = await processor.read(row.account_id, sessionId)
    const isOver = await this.#apply(row, session)
    // The processor ends it first: it may say that it was paid at the last moment.
    if (isOver) await this.#apply(row, await processor.expire(row.account_id, sessionId))
  }

  /** Writes what the processor says of a session. @returns whether nobody is to pay it any more */
  async #apply(row: store.PaymentRow, session: Session): Promise<boolean> {
    let isOver = false
    await this.#write(row, async (tx, payment, order) => {
      isOver = await apply(tx, row.account_id, payment, order, session)
    })
    return isOver
  }

  /** What a fault means for the payment, and when it is looked at again. */
  async #fault(row: store.PaymentRow, { kind, code }: ProcessorFault): Promise<void> {
    await this.#write(row, async (tx, payment, order) => {
      const isBarren = payment.session_id === null || order.waits_for !== 'payment'
      if (kind === 'refused' && isBarren && payment.ended_at === null)
        return end(tx, payment.account_id, payment, 'failed', code ?? 'refused')
      const looks = payment.looks + 1
      const isSpent = kind === 'failed' && payment.session_id === null && payment.call !== null
      const call = isSpent
        ? JSON.stringify({ ...(JSON.parse(payment.call as string) as Call), isSpent })
        : payment.call
      // What has ended has a fee to be asked for at most.
      const delay = payment.ended_at === null ? delayAfter(looks) : FEE_DELAYS[payment.looks]
      const next_look_at = delay === undefined ? null : tx.clock() + delay
      await store.update(tx, payment, { looks, call, next_look_at }, await tx.now())
      const silentUntil = order.expires_at === null ? Infinity : Date.parse(order.expires_at) + MOST_SILENT
      if (order.waits_for === 'payment' && tx.clock() >= silentUntil)
        await failOrder(tx, order.account_id, order)
    })
  }

  /** With the payment and its order as they are by then. */
  async #write(
    { account_id: accountId, id }: store.PaymentRow,
    work: (tx: WriteTx, payment: store.PaymentRow, order: Order) => Promise<void>,
  ): Promise<void> {
    await this.#options.db.write(accountId, async tx => {
      const payment = await store.find(tx, accountId, id)
      if (payment === undefined) return
      await work(tx, payment, await orders.get(tx, accountId, payment.order_id))
      if (payment.next_method !== null) await this.#beginNext(tx, payment, payment.next_method)
    })
  }

  /** Begins the way for which a payment was left, once that has ended without money: in one commit, so that no crash loses it. */
  async #beginNext(tx: WriteTx, left: store.PaymentRow, method: Method): Promise<void> {
    const { account_id: accountId, id, order_id: orderId } = left
    const now = await store.find(tx, accountId, id)
    const order = await orders.get(tx, accountId, orderId)
    const isOver = now?.status === 'cancelled' || now?.status === 'failed'
    if (!isOver || order.waits_for !== 'payment') return
    try {
      await tx.attempt(() => begin(tx, accountId, order, method, this.#options.processors))
    } catch (error) {
      // Not offered any more: the buyer chooses anew.
      if (!(error instanceof Problem)) throw error
    }
  }
}

/** Until when the places are held for a session. */
function holdOf({ expiresAt }: Session, { expires_at }: Order): number {
  const until = expires_at === null ? 0 : Date.parse(expires_at)
  return expiresAt === null ? until : Math.max(until, expiresAt + AFTER_SESSION)
}
