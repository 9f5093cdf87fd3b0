import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findHold } from '../db/instance.ts'
import { DatabaseUnavailable, type WriteTx } from '../db/port.ts'
import { Turns } from '../db/turns.ts'
import * as due from '../orders/due.ts'
import * as orders from '../orders/rules.ts'
import { SECOND } from '../time.ts'
import { delayAfter, end, failOrder } from './payment-facts.ts'
import { PaymentSteps, type StepOptions } from './payment-steps.ts'
import { hasProcessor, type Processors } from './processor.ts'
import { RefundSteps } from './refund-steps.ts'
import * as refundStore from './refund-store.ts'
import * as store from './store.ts'

/** Steps at a time: each waits for the processor most of its time. */
const WIDTH = 8
/** How often it looks for what became due by what others did, in milliseconds. */
const SWEEP = 5 * SECOND
/** Orders that one sweep ends. */
const BATCH = 100
const TICK = 10

export interface ReconcilerOptions extends StepOptions {
  log: Logger
}

/** What pages do with payments: they ask what there is, and say that something has changed. */
export interface Paying {
  processors: Processors
  /** Something is to be done for a payment. */
  wake(): void
  /** A payment may have changed at its processor. */
  look(accountId: string, paymentId: string): void
  /** Somebody looks at its page, as often as they like: it is looked at now and then. */
  glance(accountId: string, paymentId: string): void
}

/**
 * Settles payments and refunds: it alone asks the processors, and writes what they say. Return pages and webhooks only wake it. Each
 * step can be taken again, so a crash costs no more than time. While the database may be a copy of another nothing is asked, as two
 * servers would both pay back.
 */
export class Reconciler implements Paying {
  readonly #options: ReconcilerOptions
  readonly #turns: Turns
  readonly #payments: PaymentSteps
  readonly #refunds: RefundSteps
  readonly #underWay = new Map<string, Promise<void>>()
  /** Payments that somebody says have changed, by id. */
  readonly #woken = new Map<string, string>()
  /** When it was last glanced at, by id. */
  readonly #glanced = new Map<string, number>()
  #swept = Number.NEGATIVE_INFINITY
  #isStopping = false

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#payments = new PaymentSteps(options)
    this.#refunds = new RefundSteps(options)
    const failed = (error: unknown) => options.log.warn({ err: error }, 'payments wait for the database')
    // Not after every commit: few have to do with payments, and those that have wake it.
    this.#turns = new Turns({ db: { onCommit: () => undefined }, turn: () => this.#turn(), failed })
  }

  get processors(): Processors {
    return this.#options.processors
  }

  start(): void {
    this.#turns.start()
  }

  wake(): void {
    this.#turns.wake()
  }

  /** Has a payment looked at now, as somebody says that it has changed: nothing is believed. */
  look(accountId: string, paymentId: string): void {
    if (this.#woken.size < MOST_WOKEN) this.#woken.set(paymentId, accountId)
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

  /** Takes all on that is due now, and waits for it: for what has no server beside it. */
  async settle(): Promise<void> {
    this.#swept = Number.NEGATIVE_INFINITY
    do {
      await this.#turn()
      await Promise.all(this.#underWay.values())
    } while (await this.#hasDue())
  }

  async #hasDue(): Promise<boolean> {
    const { db, clock } = this.#options
    return db.read(async tx => {
      if ((await findHold(tx)) !== null) return false
      if (this.#woken.size > 0) return true
      const some = [await store.listDue(tx, clock(), 1), await refundStore.listDue(tx, clock(), 1)]
      return some.some(({ length }) => length > 0)
    })
  }

  /** Begins nothing more, and lets the steps under way end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#turns.stop()
    while (this.#underWay.size > 0 || this.#turns.isBusy) await setTimeout(TICK)
  }

  async #turn(): Promise<void> {
    if (this.#isStopping) return
    const { db, clock } = this.#options
    if ((await db.read(findHold)) !== null) return
    if (clock() - this.#swept >= SWEEP || clock() < this.#swept) {
      this.#swept = clock()
      await this.#sweep()
    }
    const free = WIDTH - this.#underWay.size
    if (free <= 0) return
    const isIdle = ({ id }: { id: string }) => !this.#underWay.has(id)
    const due = await db.read(async tx => {
      const most = WIDTH * 2
      // Whoever has just ordered waits for it.
      const fresh = await store.listToBegin(tx, clock(), most)
      const woken: store.PaymentRow[] = []
      // One whose step is under way is looked at once more after it: what it was told may be older.
      const idle = [...this.#woken].filter(([id]) => isIdle({ id }))
      for (const [id, accountId] of idle.slice(0, most)) {
        const row = await store.find(tx, accountId, id)
        if (row === undefined) this.#woken.delete(id)
        else woken.push(row)
      }
      const others = await store.listDue(tx, clock(), most)
      const refunds = await refundStore.listDue(tx, clock(), most)
      return { payments: [...fresh, ...woken, ...others].filter(isIdle), refunds: refunds.filter(isIdle) }
    })
    // Money that goes back does not wait for all that comes.
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

  #begin(id: string, step: () => Promise<void>, putOff: () => Promise<void>): void {
    if (this.#underWay.has(id)) return
    this.#woken.delete(id)
    const taken = step()
      .catch(async error => {
        this.#options.log.error({ err: error, id }, 'a payment could not be taken on')
        // It keeps none of the others waiting.
        await putOff().catch(() => undefined)
      })
      .finally(() => {
        this.#underWay.delete(id)
        this.wake()
      })
    this.#underWay.set(id, taken)
  }

  async #putOff(row: store.PaymentRow | refundStore.RefundRow): Promise<void> {
    const { db } = this.#options
    await db.write(row.account_id, async tx => {
      const changes = { looks: row.looks + 1, next_look_at: tx.clock() + delayAfter(row.looks + 1) }
      if ('reason' in row) await refundStore.update(tx, row, changes, await tx.now())
      else await store.update(tx, row, changes, await tx.now())
    })
  }

  /** Ends orders that were not paid in time; has payments looked at whose order waits no more. */
  async #sweep(): Promise<void> {
    const { db, clock } = this.#options
    for (const row of await db.read(tx => store.listForsaken(tx, clock(), BATCH))) {
      await db.write(row.account_id, tx => store.lookAtOrder(tx, row.account_id, row.order_id, tx.clock()))
    }
    for (const row of await db.read(tx => due.listUnpaid(tx, clock(), BATCH))) {
      try {
        await db.write(row.account_id, tx => this.#endUnpaid(tx, row))
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error
        // One that cannot be ended, as it is damaged, keeps no other from its end.
        this.#options.log.error({ err: error, id: row.id }, 'an order that was not paid could not be ended')
      }
    }
  }

  async #endUnpaid(tx: WriteTx, { id, account_id: accountId }: { id: string; account_id: string }) {
    const order = await orders.get(tx, accountId, id)
    if (order.expires_at === null || tx.clock() < Date.parse(order.expires_at)) return
    const open = (await store.listByOrder(tx, accountId, id)).find(({ ended_at }) => ended_at === null)
    // Its processor ends the session first.
    if (open !== undefined && hasProcessor(open.method) && open.call !== null) {
      if (open.looks === 0 || open.next_look_at === null)
        await store.lookAtOrder(tx, accountId, id, tx.clock())
      return
    }
    await failOrder(tx, order.account_id, order)
    if (open !== undefined) await end(tx, accountId, open, 'cancelled')
  }
}

/** Of payments that are said to have changed: the others are looked at in their time. */
const MOST_WOKEN = 1_000
/** How often a payment is looked at because somebody looks at its page, in milliseconds. */
const GLANCE = 5 * SECOND
