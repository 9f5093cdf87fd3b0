import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SECOND } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import { DatabaseUnavailable, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { WorkLoop } from '#machinery/db/work-loop.ts'
import { listUnpaid } from '#product/selling/orders/reservation-time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { delayAfter, end, failOrder } from './payment-facts.ts'
import { PaymentSteps, type StepOptions } from './payment-steps.ts'
import { hasProcessor, type Processors } from './processor.ts'
import { RefundSteps } from './refund-steps.ts'
import * as refundStore from './refund-store.ts'
import * as store from './store.ts'

/** How many steps run at a time. Each spends most of its time waiting for the processor. */
const WIDTH = 8
/** How often the reconciler looks for what other writes made due, in milliseconds. */
const SWEEP = 5 * SECOND
/** How many orders one sweep ends. */
const BATCH = 100
const TICK = 10

export interface ReconcilerOptions extends StepOptions {
  log: Logger
}

/** What pages do with payments: they ask which processors there are, and say that something may have changed. */
export interface Paying {
  processors: Processors
  /** Says that something is to be done for a payment. */
  wake(): void
  /** Says that a payment may have changed at its processor. */
  look(accountId: string, paymentId: string): void
  /**
   * Says that somebody looks at the payment's page. They may do so as often as they like, so it is looked at only now and then.
   */
  glance(accountId: string, paymentId: string): void
}

/**
 * Settles payments and refunds. Only the reconciler asks the processors and stores what they say, and return pages and webhooks
 * only wake it. Each step can be repeated, so a crash costs no more than time. While the database may be a copy of another,
 * nothing is asked, as two servers would both refund.
 */
export class Reconciler implements Paying {
  readonly #options: ReconcilerOptions
  readonly #workLoop: WorkLoop
  readonly #payments: PaymentSteps
  readonly #refunds: RefundSteps
  readonly #underWay = new Map<string, Promise<void>>()
  /** What was under way at any time of each reading that goes on. */
  readonly #readings = new Set<Set<string>>()
  /** The accounts of payments that were said to have changed, by payment id. */
  readonly #woken = new Map<string, string>()
  /** When a payment was last glanced at, by payment id. */
  readonly #glanced = new Map<string, number>()
  #swept = Number.NEGATIVE_INFINITY
  #isStopping = false
  #isWorking = false

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#payments = new PaymentSteps(options)
    this.#refunds = new RefundSteps(options)
    const failed = (error: unknown) => options.log.warn({ err: error }, 'payments wait for the database')
    // The loop does not run after every commit, as few commits concern payments. Those that do wake it.
    this.#workLoop = new WorkLoop({ db: { onCommit: () => undefined }, work: () => this.#run(), failed })
  }

  get processors(): Processors {
    return this.#options.processors
  }

  start(): void {
    this.#isStopping = false
    this.#isWorking = true
    this.#workLoop.start()
  }

  /** Only wakes a reconciler that was started. Where another server leads, that one does the work. */
  wake(): void {
    if (this.#isWorking) this.#workLoop.wake()
  }

  /**
   * Has a payment looked at now, as somebody says that it has changed. It trusts nobody, and asks the processor. It is written down
   * too, for a server that stops now and for another one that leads.
   */
  look(accountId: string, paymentId: string): void {
    const { db, log } = this.#options
    if (this.#woken.size < MOST_WOKEN) this.#woken.set(paymentId, accountId)
    db.write(accountId, tx => store.bringForward(tx, paymentId, tx.clock())).catch(error =>
      log.warn({ err: error }, 'that a payment may have changed was not written down'),
    )
    this.wake()
  }

  glance(accountId: string, paymentId: string): void {
    const now = this.#options.clock()
    const last = this.#glanced.get(paymentId)
    if (last !== undefined && now >= last && now - last < GLANCE) return
    if (this.#glanced.size >= MOST_WOKEN) this.#glanced.clear()
    this.#glanced.set(paymentId, now)
    this.look(accountId, paymentId)
  }

  /** Advances everything that is due now, and waits for it. It is for callers without a running server. */
  async settle(): Promise<void> {
    this.#swept = Number.NEGATIVE_INFINITY
    do {
      await this.#run()
      await Promise.all(this.#underWay.values())
    } while (await this.#hasDue())
  }

  async #hasDue(): Promise<boolean> {
    const { db, clock } = this.#options
    return db.read(INSTANCE, async tx => {
      if ((await findHold(tx)) !== null) return false
      if (this.#woken.size > 0) return true
      const some = [await store.listDue(tx, clock(), 1), await refundStore.listDue(tx, clock(), 1)]
      return some.some(({ length }) => length > 0)
    })
  }

  /** Does the same beside a running server, whose own turns advance it. */
  async settled(): Promise<void> {
    this.#swept = Number.NEGATIVE_INFINITY
    await this.#workLoop.settled()
  }

  /** Begins nothing more, and lets the steps under way end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#isWorking = false
    while (this.#underWay.size > 0 || this.#workLoop.isBusy) await setTimeout(TICK)
  }

  async #run(): Promise<void> {
    if (this.#isStopping) return
    const { db, clock } = this.#options
    if ((await db.read(INSTANCE, findHold)) !== null) return
    if (clock() - this.#swept >= SWEEP || clock() < this.#swept) {
      this.#swept = clock()
      await this.#sweep()
    }
    const free = WIDTH - this.#underWay.size
    if (free <= 0) return
    const due = await this.#listDue()
    // A refund does not wait for all incoming payments.
    const ofRefunds = due.refunds.slice(0, Math.max(1, free - due.payments.length))
    for (const row of ofRefunds)
      this.#begin(
        row.id,
        () => this.#refunds.take(row),
        () => this.#putOff(row),
      )
    for (const row of due.payments) {
      if (this.#underWay.size >= WIDTH) break
      this.#begin(
        row.id,
        () => this.#payments.take(row),
        () => this.#putOff(row),
      )
    }
  }

  /** Lists what is due. A row whose step was under way at any time of the reading may be older than the end of its step. */
  async #listDue() {
    const { db, clock } = this.#options
    const busy = new Set(this.#underWay.keys())
    this.#readings.add(busy)
    const isIdle = ({ id }: { id: string }) => !busy.has(id)
    const reading = db.read(INSTANCE, async tx => {
      const most = WIDTH * 2
      // A buyer who has just ordered waits for the session.
      const fresh = await store.listToStart(tx, clock(), most)
      const woken: store.PaymentRow[] = []
      // A payment whose step is under way stays woken and is looked at again afterwards: that step may have read older facts.
      const idle = [...this.#woken].filter(([id]) => isIdle({ id }))
      for (const [id, accountId] of idle.slice(0, most)) {
        const row = await store.find(tx.of(accountId), id)
        if (row === undefined) this.#woken.delete(id)
        else woken.push(row)
      }
      const others = await store.listDue(tx, clock(), most)
      const refunds = await refundStore.listDue(tx, clock(), most)
      return { payments: [...fresh, ...woken, ...others], refunds }
    })
    const { payments, refunds } = await reading.finally(() => this.#readings.delete(busy))
    return { payments: payments.filter(isIdle), refunds: refunds.filter(isIdle) }
  }

  #begin(id: string, step: () => Promise<void>, putOff: () => Promise<void>): void {
    if (this.#underWay.has(id)) return
    this.#woken.delete(id)
    for (const busy of this.#readings) busy.add(id)
    const taken = step()
      .catch(async error => {
        this.#options.log.error({ err: error, id }, 'a payment could not be taken on')
        // A step that fails must not keep others waiting.
        await putOff().catch(() => undefined)
      })
      .finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, taken)
    this.#workLoop.begin(taken)
  }

  async #putOff(row: store.PaymentRow | refundStore.RefundRow): Promise<void> {
    const { db } = this.#options
    await db.write(row.account_id, async tx => {
      const changes = { looks: row.looks + 1, next_look_at: tx.clock() + delayAfter(row.looks + 1) }
      if ('reason' in row) await refundStore.update(tx, row, changes, await tx.now())
      else await store.update(tx, row, changes, await tx.now())
    })
  }

  /** Ends orders that were not paid in time, and makes the payments due whose orders no longer wait for them. */
  async #sweep(): Promise<void> {
    const { db, clock } = this.#options
    for (const row of await db.read(INSTANCE, tx => store.listAbandoned(tx, clock(), BATCH))) {
      await db.write(row.account_id, tx => store.makeOrderDue(tx, row.order_id, tx.clock()))
    }
    for (const row of await db.read(INSTANCE, tx => listUnpaid(tx, clock(), BATCH))) {
      try {
        await db.write(row.account_id, tx => this.#endUnpaid(tx, row))
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error
        // A damaged order that cannot be ended does not keep others from their end.
        this.#options.log.error({ err: error, id: row.id }, 'an order that was not paid could not be ended')
      }
    }
  }

  async #endUnpaid(tx: WriteTx, { id }: { id: string }) {
    const order = await orders.getDetails(tx, id)
    if (order.expires_at === null || tx.clock() < Date.parse(order.expires_at)) return
    const open = (await store.listByOrder(tx, id)).find(({ ended_at }) => ended_at === null)
    // The processor ends the session first.
    if (open !== undefined && hasProcessor(open.method) && open.call !== null) {
      if (open.looks === 0 || open.next_look_at === null) await store.makeOrderDue(tx, id, tx.clock())
      return
    }
    await failOrder(tx, order)
    if (open !== undefined) await end(tx, open, order, 'cancelled')
  }
}

/** The most payments that are remembered as changed. Further ones are looked at when they are due. */
const MOST_WOKEN = 1_000
/** How often a payment is looked at because somebody looks at its page, in milliseconds. */
const GLANCE = 5 * SECOND
