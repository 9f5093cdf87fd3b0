import type { Database, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import { balanceOf, list as listEntries } from '../ledger/rules.ts'
import { orderUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../time.ts'
import {
  type Call,
  hasProcessor,
  type Processor,
  ProcessorFault,
  type Processors,
  type Session,
} from './processor.ts'
import { giveBack, noteFee, type Receipt, settle } from './settle.ts'
import * as store from './store.ts'
import { tellUnpaid } from './telling.ts'

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
/** How long until something is looked at again that nobody tells of before, in milliseconds. */
const OPEN = 5 * MINUTE
const PROCESSING = HOUR
/** For how long the places are held while money is on its way. */
const MOST_PROCESSING = 21 * DAY
/** How long until a step is taken again that has come to nothing, longer each time. */
const DELAYS = [2 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE]
/** How long until a fee is asked for again; where it is not known by then, it stays so. */
const FEE_DELAYS = [5 * MINUTE, HOUR, 12 * HOUR, ...Array.from({ length: 14 }, () => DAY)]

export function delayAfter(looks: number): number {
  return DELAYS[Math.min(looks, DELAYS.length - 1)] as number
}

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
      if (payment.ended_at !== null || order.waits_for === 'payment')
        await store.update(tx, payment, { next_look_at: null }, await tx.now())
      else await end(tx, payment.account_id, payment, 'cancelled')
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
    const { order, title } = await db.read(async tx => {
      const order = await orders.get(tx, row.account_id, row.order_id)
      const { title } = await events.getDetails(tx, row.account_id, row.event_id)
      return { order, title }
    })
    if (order.waits_for !== 'payment') {
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
    await this.#write(row, async (tx, payment) => {
      await store.update(tx, payment, { call: JSON.stringify(call) }, await tx.now())
    })
    return call
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
      const isOpen = session.state === 'open' && order.waits_for === 'payment'
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
      isOver = await apply(tx, payment, order, session)
    })
    return isOver
  }

  /** What a fault means for the payment, and when it is looked at again. */
  async #fault(row: store.PaymentRow, { kind, code }: ProcessorFault): Promise<void> {
    await this.#write(row, async (tx, payment, order) => {
      if (kind === 'refused' && payment.session_id === null && payment.ended_at === null)
        return end(tx, payment.account_id, payment, 'failed', code ?? 'refused')
      const looks = payment.looks + 1
      const isSpent = kind === 'failed' && payment.session_id === null && payment.call !== null
      const call = isSpent
        ? JSON.stringify({ ...(JSON.parse(payment.call as string) as Call), isSpent })
        : payment.call
      const next_look_at = tx.clock() + delayAfter(looks)
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
    })
  }
}

/** Until when the places are held for a session. */
function holdOf({ expiresAt }: Session, { expires_at }: Order): number {
  const until = expires_at === null ? 0 : Date.parse(expires_at)
  return expiresAt === null ? until : Math.max(until, expiresAt + AFTER_SESSION)
}

/** @returns whether the session has to be ended at the processor */
async function apply(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: Order,
  session: Session,
): Promise<boolean> {
  const now = tx.clock()
  const again = async (changes: store.PaymentChanges) => {
    await store.update(tx, payment, { looks: 0, ...changes }, await tx.now())
  }
  if (session.state === 'paid') {
    await settlePaid(tx, payment, order, session)
  } else if (payment.ended_at !== null) {
    await again({ next_look_at: null })
  } else if (session.state === 'processing') {
    if (payment.status === 'created' && order.waits_for === 'payment')
      await orders.awaitPayment(tx, payment.account_id, order.id, now + MOST_PROCESSING)
    await again({ status: 'pending', next_look_at: now + PROCESSING })
  } else if (session.state === 'open') {
    const until = order.expires_at === null ? 0 : Date.parse(order.expires_at)
    if (order.waits_for !== 'payment' || now >= until) return true
    await again({ url: session.url, next_look_at: Math.min(now + OPEN, until) })
  } else {
    await end(tx, payment.account_id, payment, session.state === 'failed' ? 'failed' : 'cancelled')
    const isOver = order.expires_at !== null && now >= Date.parse(order.expires_at)
    // What failed after days has held the places long enough.
    if (order.waits_for === 'payment' && (isOver || payment.status === 'pending'))
      await failOrder(tx, order.account_id, order)
  }
  return false
}

async function settlePaid(
  tx: WriteTx,
  payment: store.PaymentRow,
  order: Order,
  session: Session,
): Promise<void> {
  const money = receiptOf(payment, session, tx.clock())
  if (payment.status === 'confirmed') return lookForFee(tx, payment, session, money)
  if ((await settle(tx, payment.account_id, payment.id, money)) !== 'known') return
  // Known and not confirmed: it is another amount, which waits for somebody for as long as the order does.
  await store.update(tx, payment, { looks: 0, next_look_at: null }, await tx.now())
  const isOver = order.expires_at === null || tx.clock() >= Date.parse(order.expires_at)
  if (order.waits_for === 'payment' && isOver) await failOrder(tx, order.account_id, order)
  if (order.waits_for !== 'payment' || isOver) await end(tx, payment.account_id, payment, 'cancelled')
}

async function lookForFee(
  tx: WriteTx,
  payment: store.PaymentRow,
  { isFeeForeign = false }: Session,
  money: Receipt,
): Promise<void> {
  await noteFee(tx, payment.account_id, payment, money)
  const delay = FEE_DELAYS[payment.looks]
  const isOver = money.fee !== null || isFeeForeign || delay === undefined
  const changes = {
    looks: payment.looks + 1,
    next_look_at: isOver ? null : tx.clock() + (delay as number),
    trouble: isFeeForeign ? 'fee_currency' : null,
  }
  await store.update(tx, payment, changes, await tx.now())
}

function receiptOf({ method }: store.PaymentRow, session: Session, now: number): Receipt {
  const { id, chargeId, amount, currency, paidAt, fee } = session
  return { entryId: chargeId ?? id, amount, currency, at: paidAt ?? now, fee, method }
}

/** Ends a payment that was not paid: what came of a part of it goes back. */
export async function end(
  tx: WriteTx,
  accountId: string,
  payment: store.PaymentRow,
  status: 'failed' | 'cancelled',
  trouble: string | null = null,
): Promise<void> {
  if (payment.ended_at !== null) return
  const now = await tx.now()
  await store.update(tx, payment, { status, trouble, next_look_at: null, ended_at: now }, now)
  if (payment.received === null || payment.received === 0) return
  const order = await orders.getDetails(tx, accountId, payment.order_id)
  const { left } = balanceOf(await listEntries(tx, accountId, { orderId: order.id }))
  const back = Math.min(left, payment.received)
  if (back > 0) await giveBack(tx, accountId, order, back, 'late')
}

/** Gives the places of an order back that was not paid in time. */
export async function failOrder(tx: WriteTx, accountId: string, { id }: Pick<Order, 'id'>): Promise<void> {
  await tellUnpaid(tx, accountId, await orders.fail(tx, accountId, id, 'unpaid'))
}
