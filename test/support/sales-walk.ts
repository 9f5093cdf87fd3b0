import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { openLog } from '#base/log.ts'
import { Problem } from '#base/problem.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import { listLater } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import { updateWithLater } from '#product/catalog/registration-types/later-types.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { type Exchanging, exchangeTicket, forecastExchange } from '#product/selling/exchanges/rules.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { currentTickets } from '#product/selling/orders/exchanged.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { isToDecide, keepTickets, voidTickets } from '#product/selling/payments/dispute-decisions.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { readRefundable, restOf } from '#product/selling/payments/refundable.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { dataFolder } from './blank-database.ts'
import { Life } from './mortal.ts'
import { checkPaidOut } from './paid-out.ts'
import type { Shop } from './payments.ts'
import { newEvent, newType } from './people/organizer.ts'
import { openScriptedShop } from './scripted-shop.ts'
import { scriptedStage } from './scripted-stage.ts'
import type { Server, Stage } from './stage.ts'
import { openStripeStage } from './stripe/stripe-stage.ts'

const WHILES = [4 * SECOND, 6 * MINUTE, 33 * MINUTE, 2 * HOUR, 25 * HOUR, 9 * DAY] as const

const KINDS = [
  ...['order', 'order', 'pay', 'pay', 'payLater', 'failLater', 'close', 'choose', 'withdraw', 'cancelLine'],
  ...[
    'refund',
    'refundThere',
    'failRefund',
    'cancelEvent',
    'markPaid',
    'transfer',
    'approve',
    'pass',
    'pass',
  ],
  ...[
    'fault',
    'look',
    'settle',
    'settle',
    'settle',
    'crash',
    'crash',
    'twoTabs',
    'fees',
    'course',
    'exchange',
  ],
] as const

/** Stripe does these besides. */
const STRIPE_KINDS = [
  ...['decline', 'dispute', 'webhooks', 'webhooks', 'deliver', 'holdEvents', 'outage', 'fault'],
] as const

/** What happens around tickets that are exchanged. */
const EXCHANGE_KINDS = [
  ...['exchange', 'exchange', 'exchange', 'exchange', 'order', 'order', 'pay', 'pay', 'settle', 'settle'],
  ...['refund', 'refundThere', 'cancelLine', 'crash', 'pass'],
] as const

/** What happens to the dates of a series, whose prices change between an order and its payment. */
const SERIES_KINDS = [...KINDS, ...EXCHANGE_KINDS, 'reprice', 'reprice', 'reprice', 'reprice'] as const

/** Describes what somebody does. The numbers say to what, and how. */
export interface Step {
  kind: (typeof SERIES_KINDS)[number] | (typeof STRIPE_KINDS)[number]
  a: number
  b: number
}

const anyWalkOf = (kinds: readonly Step['kind'][]) =>
  fc.record({
    approves: fc.boolean(),
    /** Whether it begins with an order that is paid. */
    isPaid: fc.boolean(),
    steps: fc.array(
      fc.record({ kind: fc.constantFrom(...kinds), a: fc.nat({ max: 3 }), b: fc.nat({ max: 11 }) }),
      { minLength: 4, maxLength: 22 },
    ),
  })
export const anyWalk = anyWalkOf(KINDS)
export const anyStripeWalk = anyWalkOf([...KINDS, ...STRIPE_KINDS])
export const anyExchangeWalk = anyWalkOf(EXCHANGE_KINDS)
/** These are walks of a series. */
export const anySeriesWalk = anyWalkOf(SERIES_KINDS)
export const anyStripeSeriesWalk = anyWalkOf([...SERIES_KINDS, ...STRIPE_KINDS])
export const anyStripeExchangeWalk = anyWalkOf([
  ...EXCHANGE_KINDS,
  ...(['dispute', 'dispute', 'fault', 'webhooks', 'holdEvents', 'course'] as const),
])
export type Walk = { approves: boolean; isPaid: boolean; steps: Step[] }

/** A series begins so long after its walk does, in milliseconds. */
const AHEAD = 60 * DAY

const PAID = (['order', 'settle', 'pay', 'settle'] as const).map(kind => ({ kind, a: 0, b: 0 }))

/** Exchanges a ticket. A test may do it wrong, to see that the fault is found out. */
export type Exchange = (db: Database, accountId: string, exchanging: Exchanging) => Promise<unknown>

const exchangeInOneWrite: Exchange = (db, accountId, exchanging) =>
  db.write(accountId, tx => exchangeTicket(tx, exchanging))

/** An event that is sold, alone or as a date of a series, with its types. */
interface Selling {
  eventId: string
  types: readonly string[]
}

/** Plays one event, or the dates of one series, with their buyers, its organizer and its processor, and remembers what came by hand. */
class Sale {
  readonly #shop: Shop
  readonly #stage: Stage
  /** They begin one after the other. */
  readonly #dates: readonly Selling[]
  readonly orders: string[] = []
  /** What has happened in all walks. */
  readonly #seen: Set<string>
  /** The amounts that came by hand, by order. */
  readonly #byHand = new Map<string, number>()
  /** The orders of which a payment was left for another method. */
  readonly #left = new Set<string>()
  readonly #exchangeBy: Exchange
  #life = new Life()
  #server!: Server
  #reconciler!: Reconciler
  #forms = 0

  constructor(
    shop: Shop,
    stage: Stage,
    dates: readonly Selling[],
    { seen, exchange }: { seen: Set<string>; exchange: Exchange },
  ) {
    this.#seen = seen
    this.#exchangeBy = exchange
    this.#shop = shop
    this.#stage = stage
    this.#dates = dates
    this.#arise()
  }

  #arise(): void {
    const { db, clock } = this.#shop
    this.#life = new Life()
    this.#server = this.#stage.serve(this.#life, (...of) => this.#reconciler.look(...of))
    this.#reconciler = new Reconciler({
      ...{ db: this.#life.database(db), clock, log: openLog('silent', { write: () => undefined }) },
      processors: this.#server.processors,
      server: { baseUrl: 'https://tickets.example.org', secret: 's' },
    })
  }

  /** Takes all on that is due; a process that dies at it has another come after it. */
  async settle({ isTime = false } = {}): Promise<void> {
    for (;;) {
      await Promise.race([this.#attend(isTime), this.#life.died])
      if (!this.#life.isDead) return this.#checkOpen()
      await this.#life.laidToRest()
      this.#server.close()
      this.#arise()
      this.#seen.add('died')
    }
  }

  /** Whoever has two pages open pays twice. */
  async #checkOpen(): Promise<void> {
    if (this.#left.size === 0) return
    const open = (await this.#stage.books()).sessions.filter(({ state }) => state === 'open')
    for (const id of this.#left) {
      const all = await this.#shop.paymentsOf(id)
      const own = open.filter(each => all.some(payment => payment.id === each.paymentId))
      const isByHand = all.some(({ method, ended_at }) => method !== this.#stage.method && ended_at === null)
      assert.ok(own.length <= (isByHand ? 0 : 1), 'a payment that was left is ended before another begins')
    }
  }

  async #attend(isTime: boolean): Promise<void> {
    await this.#server.hear(isTime)
    await this.#reconciler.settle()
    // The server learns at once what came of it.
    await this.#server.hear(false)
    await this.#reconciler.settle()
  }

  async pass(milliseconds: number): Promise<void> {
    this.#shop.clock.advance(milliseconds)
    await this.#stage.advance(milliseconds)
    await this.settle({ isTime: true })
  }

  close(): void {
    this.#server.close()
  }

  /** @throws what is no refusal */
  async take(step: Step): Promise<void> {
    try {
      await this.#take(step)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      if (step.kind === 'exchange') this.#seen.add(error.code)
    }
  }

  async #take({ kind, a, b }: Step): Promise<void> {
    const { db, accountId, clock, processors } = this.#shop
    const stage = this.#stage
    const methods = [stage.method, stage.method, 'transfer', 'door'] as const
    const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
    if (kind === 'order') return void (await this.#order(a, b))
    if (kind === 'pass') return this.pass(WHILES[b % WHILES.length] as number)
    if (kind === 'settle') return this.settle()
    if (kind === 'crash') return this.#life.dieIn(b + 1)
    if (await stage.happen(kind, a, b)) return
    if (kind === 'cancelEvent') {
      if (b < 4) await write(tx => events.setStatus(tx, this.#dateOf(b).eventId, 'cancelled'))
      return
    }
    if (kind === 'reprice') return this.#reprice(a, b)
    const id = this.orders[a % Math.max(1, this.orders.length)]
    if (id === undefined) return
    const all = await this.#shop.paymentsOf(id)
    const payment = all[b % Math.max(1, all.length)]
    const session = payment?.session_id ?? undefined
    if (kind === 'approve') await write(tx => payments.approve(tx, id))
    if (kind === 'withdraw') await write(tx => orders.fail(tx, id, 'withdrawn'))
    if (kind === 'choose') {
      const method = methods[b % methods.length] as 'test'
      const chosen = await write(tx => payments.choose(tx, id, method, processors))
      if (chosen.next_method !== null) this.#left.add(id)
    }
    if (kind === 'twoTabs')
      await Promise.allSettled(
        methods.map(method => write(tx => payments.choose(tx, id, method, processors))),
      )
    if (kind === 'cancelLine') {
      const { registrations } = await this.#shop.get(id)
      const line = registrations[b % registrations.length]
      await write(tx => cancelRegistration(tx, line?.id as string))
    }
    if (kind === 'refund') {
      const { status, currency, event } = await this.#shop.get(id)
      const wanted = {
        orderId: id,
        eventId: event.id,
        currency,
        amount: 100 + b,
        reason: 'organizer',
      } as const
      if (status === 'confirmed') await write(tx => refunds.request(tx, wanted))
    }
    if (kind === 'exchange') await this.#exchange(id, a, b)
    if (payment === undefined) return
    if (kind === 'look') this.#reconciler.look(accountId, payment.id)
    if (kind === 'markPaid') {
      const amount = payments.lackingOf(payment)
      await write(tx => payments.markPaid(tx, payment.id))
      this.#came(id, amount)
    }
    if (kind === 'transfer' && payment.method === 'transfer') {
      const amount = [payment.amount, payment.amount, 200, payment.amount + 7][b % 4] as number
      const money = { amount, currency: payment.currency, at: clock(), fee: 0, method: 'transfer' } as const
      await write(tx => settle(tx, payment.id, { ...money, entryId: `${payment.id} ${this.#forms++}` }))
      this.#came(id, amount)
    }
    if (session === undefined) return
    if (kind === 'pay') {
      await stage.pay(session, b === 11 ? payment.amount + 1 : undefined)
      if (b % 2 === 0) this.#reconciler.look(accountId, payment.id)
    }
    if (kind === 'payLater') await stage.payLater(session)
    if (kind === 'failLater') await stage.failLater(session)
    if (kind === 'decline') await stage.decline(session)
    if (kind === 'close') await stage.close(session)
    const { charge_id: charge } = payment
    if (charge === null) return
    const row = { id: payment.id, event_id: payment.event_id, order_id: id }
    if (kind === 'refundThere' && (await this.#shop.get(id)).status === 'confirmed')
      await stage.refundThere(charge, 50, row)
    if (kind === 'failRefund') await stage.failRefund(charge, row)
    if (kind === 'dispute') await stage.dispute(charge)
  }

  #dateOf(b: number): Selling {
    return this.#dates[b % this.#dates.length] as Selling
  }

  /** Sets the price of a type anew, on a date and the later ones. What was ordered before costs what it did. */
  async #reprice(a: number, b: number): Promise<void> {
    const { db, accountId } = this.#shop
    const { eventId, types } = this.#dateOf(b)
    const before = await Promise.all(this.orders.map(id => this.#readPrices(id)))
    const { others } = await db.write(accountId, async tx => {
      const later = await listLater(tx, await events.getDetails(tx, eventId), null)
      return updateWithLater(
        tx,
        { eventId, id: types[a] as string },
        { price: [0, 1, 999, 1501][b % 4] as number },
        later,
      )
    })
    assert.deepEqual(await Promise.all(this.orders.map(id => this.#readPrices(id))), before)
    if (others.length > 0 && this.orders.length > 0) this.#seen.add('repriced')
  }

  async #readPrices(orderId: string): Promise<unknown> {
    const { amount_total, prices } = await this.#shop.get(orderId)
    return { amount_total, prices: [...prices] }
  }

  /** Exchanges a ticket of an order for one of any type, and lets a difference go back by turns. */
  async #exchange(id: string, a: number, b: number): Promise<void> {
    const { db, accountId } = this.#shop
    const order = await this.#shop.get(id)
    const all = currentTickets(order)
    const chosen = all[b % Math.max(1, all.length)]
    // Of a series, now and then it is one of another date.
    const isElsewhere = this.#dates.length > 1 && b > 9
    const { types } = this.#dates.find(
      ({ eventId }) => (eventId === order.event.id) !== isElsewhere,
    ) as Selling
    const typeId = types[(a + b) % types.length] as string
    if (chosen === undefined) return
    const of = { registrationId: chosen.line.id, ticketId: chosen.ticket.id, typeId }
    const most = (await db.read(accountId, tx => forecastExchange(tx, of))).back
    const back = a % 2 === 0 ? most : 0
    const rests = await this.#readRests(id)
    try {
      await this.#exchangeBy(db, accountId, { ...of, holder: { name: `Holder ${b}`, email: null }, back })
    } catch (error) {
      assert.deepEqual(await this.#readRests(id), rests, 'an exchange that is refused changes no price')
      throw error
    }
    assert.ok(!isElsewhere, 'a ticket stays one of its date')
    rests.set(chosen.soldAs, (rests.get(chosen.soldAs) as number) - back)
    assert.deepEqual(await this.#readRests(id), rests, 'what goes back was paid for the ticket')
    if (back > 0) this.#seen.add(chosen.soldAs === chosen.ticket.id ? 'difference' : 'difference again')
    this.#seen.add('exchanged')
    if (chosen.soldAs !== chosen.ticket.id) this.#seen.add('exchanged again')
  }

  /** Reads what is left of the price of each ticket of an order, by the ticket that was sold. */
  async #readRests(orderId: string): Promise<Map<string, number>> {
    const { db, accountId } = this.#shop
    const { tickets } = await db.read(accountId, tx => readRefundable(tx, { orderId }))
    return new Map(tickets.map(ticket => [ticket.soldAs, restOf(ticket)]))
  }

  /** Checks that nobody has lost a ticket that was paid: no step of a walk voids one. */
  #checkPaidTickets(order: OrderDetails): void {
    if (order.status === 'pending' || order.status === 'failed') return
    for (const { ticket, line, soldAs, soldWith } of currentTickets(order)) {
      const sold = order.registrations.find(({ id }) => id === soldWith)
      const price = order.prices.get(soldAs)
      const isPaid = sold?.confirmed_at !== null && price !== undefined && price.price > price.discount
      if (isPaid) assert.ok(line.status === 'confirmed' && !ticket.voided, 'a paid ticket stands')
    }
  }

  #came(orderId: string, amount: number): void {
    this.#byHand.set(orderId, (this.#byHand.get(orderId) ?? 0) + amount)
  }

  async #order(a: number, b: number): Promise<void> {
    const { db, accountId, clock, processors } = this.#shop
    const { eventId, types } = this.#dateOf(b)
    const wanted = [
      [0, 1 + (b % 3)],
      ...(b % 2 === 0 ? [[1, 1 + (a % 2)]] : []),
      ...(b % 5 === 0 ? [[2, 1]] : []),
      ...(b % 4 === 1 ? [[3, 1 + (a % 2)]] : []),
      ...(b % 3 === 2 ? [[4, 1 + (a % 2)]] : []),
    ] as [number, number][]
    const lines = wanted.map(([type, quantity]) => ({
      typeId: types[type] as string,
      quantity,
      // Buyers give the least, or more.
      price: type === 3 && b > 4 ? 500 + 37 * b : undefined,
    }))
    const basket = await db.read(accountId, tx =>
      fillBasket(tx, eventId, { lines, code: undefined }, clock()),
    )
    const n = this.#forms++
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{
            formId: `form-${n}`,
            buyer: { name: 'Ada', email: `b${n}@example.org` },
            language: 'en',
            answers: {},
          },
          agreement: agreementHash(basket),
          lines: lines.map(({ quantity, ...line }) => ({
            ...line,
            tickets: Array.from({ length: quantity }, () => ({ name: 'Ada', email: null })),
          })),
        },
        {
          method: a < 2 ? this.#stage.method : (['transfer', 'door'] as const)[a - 2],
          ...{ processors, signed: [] },
        },
      ),
    )
    this.orders.push(placed.id)
  }

  /** Lets the processor be well, and everything come to its end. */
  async end(): Promise<void> {
    await this.#stage.end()
    for (const some of [MINUTE, 20 * MINUTE, 40 * MINUTE, 2 * HOUR, 25 * HOUR, 3 * DAY, 9 * DAY, 25 * DAY])
      await this.pass(some)
    // What is paid at the door waits until then.
    if (this.#dates.length > 1) await this.pass(AHEAD)
  }

  /** Checks what must hold once everything has come to its end. */
  async check(): Promise<void> {
    const { db, accountId } = this.#shop
    const { method } = this.#stage
    const books = await this.#stage.books()
    for (const id of this.orders) {
      const order = await this.#shop.get(id)
      const ids = (await this.#shop.paymentsOf(id)).map(payment => payment.id)
      if (this.#left.has(id) && ids.length > 1) this.#seen.add('left')
      const entries = await this.#shop.ledgerOf(id)
      const sessions = books.sessions.filter(each => ids.includes(each.paymentId as string))
      const paid = sessions.filter(({ state }) => state === 'paid')
      const came = sumOf(paid) + (this.#byHand.get(id) ?? 0)
      assert.equal(
        sumOf(entries.filter(({ kind }) => kind === 'payment')),
        came,
        'all that came is written down',
      )
      const given = await this.#shop.refundsOf(id)
      this.#seen.add(order.failed_for ?? order.status)
      for (const { reason } of given) this.#seen.add(reason)
      const byItself = sumOf(given.filter(({ reason }) => reason !== 'organizer' && reason !== 'processor'))
      this.#checkPaidTickets(order)
      for (const ticketId of given.flatMap(({ tickets }) => Object.keys(tickets ?? {})))
        assert.ok(order.prices.get(ticketId)?.price, 'money goes back for a ticket that was sold')
      const gone = new Set(order.exchangedFor.values())
      const standing = order.registrations.filter(
        ({ status, attendees }) => status === 'confirmed' || attendees.every(ticket => gone.has(ticket.id)),
      )
      const worth = standing.reduce((sum, { amount_total }) => sum + amount_total, 0)
      if (order.waits_for !== 'approval') assert.notEqual(order.status, 'pending', 'nothing waits for ever')
      // The money is in a confirmed order that stands, was refunded, or is owed: never two of these.
      assert.equal(came - byItself, order.status === 'confirmed' ? worth : 0, 'each unit is somewhere, once')
      const charges = paid.map(({ chargeId }) => chargeId)
      const returned = books.refunds.filter(
        each => charges.includes(each.chargeId) && each.state !== 'failed',
      )
      const ofProcessor = entries.filter(each => each.method === method && each.kind.startsWith('refund'))
      assert.equal(0 - sumOf(ofProcessor), sumOf(returned), 'the ledger says what the processor does')
      assert.ok(sumOf(returned) <= sumOf(paid))
      const disputed = entries.filter(({ kind }) => kind === 'dispute' || kind === 'dispute_reversal')
      const taken = books.disputes.filter(({ chargeId }) => charges.includes(chargeId))
      assert.equal(0 - sumOf(disputed), sumOf(taken), 'the ledger says what banks have taken')
      const fees = entries.filter(({ kind }) => kind === 'fee')
      for (const { chargeId, fee, isFeeForeign } of paid) {
        const noted = fees.find(({ entry_id }) => entry_id === chargeId)
        if (!isFeeForeign) assert.equal(noted && -noted.amount, fee, 'each fee is known')
      }
    }
    await db.read(accountId, async tx => {
      const types = await Promise.all(
        this.#dates.map(({ eventId }) => registrationTypes.listByEvent(tx, eventId)),
      )
      for (const type of types.flat()) {
        const valid = await tx.one<{ n: number }>(
          `SELECT count(*) AS n FROM attendees a JOIN registrations r ON r.id = a.registration_id
           WHERE r.registration_type_id = $1 AND a.voided = 0`,
          [type.id],
        )
        assert.equal(type.sold, valid?.n, 'a place is taken by a ticket, and by nothing else')
        assert.ok(type.sold <= (type.capacity as number))
      }
    })
    const sent = books.refunds.filter(({ refundId, state }) => refundId !== null && state !== 'failed')
    const ours = new Set(sent.map(({ refundId }) => refundId))
    assert.equal(ours.size, sent.length, 'what is to go back goes once')
    const begun = new Set<string | null>()
    for (const { id, paymentId, state } of books.sessions) {
      const stored = await this.#shop.db.read(accountId, tx => payments.get(tx, paymentId as string))
      if (stored.session_id === null) assert.notEqual(state, 'paid', `nobody knows of ${id}`)
      assert.notEqual(state, 'open', 'what is over cannot be paid')
      assert.ok(!begun.has(paymentId), 'a payment has one session')
      begun.add(paymentId)
    }
    const of = { eventIds: this.#dates.map(({ eventId }) => eventId), orders: this.orders }
    if (await checkPaidOut(this.#shop, this.#stage, of, () => this.settle({ isTime: true })))
      this.#seen.add('paid out')
    await this.#decide()
    const calls = await this.#stage.countCalls()
    assert.ok(calls < 60 + 40 * this.orders.length * 3, `${calls} calls`)
  }

  /** Decides about the tickets of every dispute that was lost: by turns they become void, or stay valid. */
  async #decide(): Promise<void> {
    const { db, accountId } = this.#shop
    for (const orderId of this.orders) {
      const lost = (await db.read(accountId, tx => disputes.listByOrder(tx, orderId))).filter(isToDecide)
      for (const { id, amount, currency } of lost) {
        this.#seen.add(this.#forms % 2 === 0 ? 'voided' : 'kept')
        if (this.#forms++ % 2 === 1) {
          await db.write(accountId, tx => keepTickets(tx, id))
          continue
        }
        const note = await db.write(accountId, async tx => {
          const order = await readRefundable(tx, { orderId })
          const ticketIds = order.tickets.filter(({ stands }) => stands).map(ticket => ticket.id)
          return voidTickets(tx, id, order, { ticketIds, isNotified: true })
        })
        if (note === undefined) continue
        assert.equal(note.currency, currency)
        assert.ok(note.total <= amount, 'a credit note is of no more than the bank has taken')
      }
      assert.deepEqual(
        (await db.read(accountId, tx => disputes.listToDecide(tx, 1))).filter(
          one => one.order_id === orderId,
        ),
        [],
      )
    }
  }
}

function sumOf(all: readonly { amount: number }[]): number {
  return all.reduce((sum, { amount }) => sum + amount, 0)
}

/** Opens a database in which one event after the other is walked through. */
export async function openSales(
  t: TestContext,
  { exchange, dates }: { exchange?: Exchange; dates?: number } = {},
) {
  const shop = await openScriptedShop(t, { folder: dataFolder(t) })
  return walkThrough(shop, scriptedStage(shop), { exchange, dates })
}

/** The same over the adapter of Stripe and its stand-in. */
export async function openStripeSales(
  t: TestContext,
  options?: Parameters<typeof openStripeStage>[1],
  dates?: number,
) {
  const { shop, stage } = await openStripeStage(t, options)
  return walkThrough(shop, stage, { dates })
}

/** @param how.dates makes each event the first date of a series of so many */
function walkThrough<Of extends Shop>(
  shop: Of,
  stage: Stage,
  {
    exchange = exchangeInOneWrite,
    dates = 1,
  }: { exchange?: Exchange | undefined; dates?: number | undefined },
) {
  const { db, accountId } = shop
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const seen = new Set<string>()
  let made = 0
  const repeat = (eventId: string, types: readonly string[]) =>
    write(async tx => {
      const first = Date.parse((await events.getDetails(tx, eventId)).starts_at as string)
      const starts = Array.from({ length: dates - 1 }, (_, at) => first + (at + 1) * DAY)
      const repeated = await repeatEvent(tx, eventId, { name: 'Dates', starts })
      const all: Selling[] = []
      for (const { id } of repeated.made) {
        await tx.run("UPDATE events SET status = 'published' WHERE id = $1", [id])
        const made = await registrationTypes.listByEvent(tx, id)
        assert.equal(made.length, types.length)
        all.push({ eventId: id, types: made.map(type => type.id) })
      }
      return all
    })
  const walk = async ({ approves, isPaid, steps }: Walk) => {
    await stage.begin()
    const eventId = await write(async tx => {
      const { id } = await events.create(tx, {
        ...newEvent(),
        slug: `event-${made++}`,
        starts_at: dates === 1 ? null : shop.clock() + AHEAD,
        ends_at: null,
      })
      await tx.run(
        "UPDATE events SET status = 'published', payment_ways = 'set_up_and_door', requires_approval = $2 WHERE id = $1",
        [id, approves ? 1 : 0],
      )
      return id
    })
    const types: string[] = []
    for (const [name, price, capacity] of [
      ['Whole', 1000, 4],
      ['Third', 333, 3],
      ['Free', 0, 3],
      ['Open', 500, 4],
      ['Dinner', 700, 4],
    ] as const) {
      const open = { open_price: name === 'Open', kind: name === 'Dinner' ? 'extra' : 'ticket' } as const
      const type = { ...newType(name), price, capacity, tax_basis_points: 770, ...open }
      const made = await write(tx => registrationTypes.create(tx, eventId, type))
      types.push(made.id)
    }
    const all = [{ eventId, types }, ...(dates === 1 ? [] : await repeat(eventId, types))]
    const sale = new Sale(shop, stage, all, { seen, exchange })
    try {
      for (const step of [...(isPaid ? PAID : []), ...steps]) await sale.take(step)
      await sale.end()
      await sale.check()
    } finally {
      sale.close()
    }
  }
  return { ...shop, walk, seen }
}
