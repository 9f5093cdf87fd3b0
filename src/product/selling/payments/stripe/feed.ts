import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { findHold } from '#machinery/db/instance.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { WorkLoop } from '#machinery/db/work-loop.ts'
import * as connections from '../connections.ts'
import type { ProviderEventResult, ProviderEventSink } from '../event-sink.ts'
import { type Processor, ProcessorFault } from '../processor.ts'
import type { StripeAccounts } from './access.ts'
import { registerEndpoint, removeEndpoints, webhookUrl } from './endpoint.ts'
import { readEvents } from './events.ts'
import { refundOrphanPayments } from './orphan-refunds.ts'
import { readPayouts } from './payouts.ts'
import type { StripeEvent } from './stripe-events.ts'
import { sweep } from './sweep.ts'

export interface FeedOptions {
  db: Database
  clock: Clock
  log: Logger
  accounts: StripeAccounts
  processor: Processor
  sink: ProviderEventSink
  /** The address where people reach this server, and perhaps Stripe too. */
  baseUrl: string
}

/** How often the events of each account are read, and how soon again after a fault, in milliseconds. */
const EVERY = MINUTE
const AFTER_FAULT = 15 * SECOND
/** How often the endpoint at Stripe is checked. Stripe disables one that fails for days. */
const ENDPOINT_EVERY = DAY
/** How often refunds and disputes are compared with ours, and how soon after a start, in milliseconds. */
const SWEEP_EVERY = DAY
const SWEEP_AFTER = HOUR
/** For how long an event waits for a payment that is not recorded yet, in seconds. */
const PATIENCE = HOUR / SECOND
/** How many accounts are read at a time. */
const WIDTH = 4
/** The most webhook events that wait for each account. Any others are read from Stripe's list a minute later. */
const MOST_NOTIFIED = 1_000
const TICK = 10

/**
 * What the feed remembers of an account between two readings. After a start it reads some events again, which changes nothing.
 */
interface Memory {
  /**
   * When its events are read next, when its endpoint is checked, when it is compared with ours and when its payouts are read, by our
   * clock.
   */
  dueAt: number
  endpointAt: number
  sweepAt: number
  payoutsAt: number
  /** The events that were handled, with when they happened. */
  handled: Map<string, number>
  /** The events that came by webhooks. */
  notified: StripeEvent[]
}

/**
 * Learns what happens at Stripe: from its list of events each minute, and from webhooks within a second. A server that Stripe
 * cannot reach misses nothing. While the database may be a copy of another, nothing is asked.
 */
export class StripeFeed {
  readonly #options: FeedOptions
  readonly #workLoop: WorkLoop
  readonly #memories = new Map<string, Memory>()
  readonly #underWay = new Map<string, Promise<void>>()
  #isStopping = false
  #isLeading = true

  constructor(options: FeedOptions) {
    this.#options = options
    const failed = (error: unknown) => options.log.warn({ err: error }, 'Stripe waits for the database')
    this.#workLoop = new WorkLoop({ db: { onCommit: () => undefined }, work: () => this.#run(), failed })
  }

  /** Begins to hear what webhooks bring. */
  start(): void {
    this.#workLoop.start()
  }

  /** Begins to read the lists of events, or leaves that to another server of the database. */
  setLeading(isLeading: boolean): void {
    this.#isLeading = isLeading
    this.#workLoop.wake()
  }

  /** Attends to the accounts that are due. */
  look(): void {
    this.#workLoop.wake()
  }

  /** Resolves once no account is due. */
  settled(): Promise<void> {
    return this.#workLoop.settled()
  }

  /** Begins nothing more, and lets what is under way end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.idle()
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0 || this.#workLoop.isBusy) {
      await Promise.all(this.#underWay.values())
      if (this.#workLoop.isBusy) await setTimeout(TICK)
    }
  }

  /** Has an account read now, because it was connected or a person waits. */
  wake(accountId: string): void {
    const memory = this.#memoryOf(accountId)
    memory.dueAt = Number.NEGATIVE_INFINITY
    memory.endpointAt = Number.NEGATIVE_INFINITY
    memory.payoutsAt = Number.NEGATIVE_INFINITY
    this.#workLoop.wake()
  }

  /** Takes an event that a webhook brought. */
  notify(accountId: string, event: StripeEvent): void {
    const { notified } = this.#memoryOf(accountId)
    if (notified.length < MOST_NOTIFIED) notified.push(event)
    this.#workLoop.wake()
  }

  #memoryOf(accountId: string): Memory {
    const existing = this.#memories.get(accountId)
    if (existing !== undefined) return existing
    const never = Number.NEGATIVE_INFINITY
    const sweepAt = this.#options.clock() + SWEEP_AFTER
    const memory: Memory = {
      ...{ dueAt: never, endpointAt: never, sweepAt, payoutsAt: sweepAt },
      ...{ handled: new Map(), notified: [] },
    }
    this.#memories.set(accountId, memory)
    return memory
  }

  async #run(): Promise<void> {
    if (this.#isStopping || this.#underWay.size >= WIDTH) return
    const { db, clock } = this.#options
    const isOnHold = await db.read(INSTANCE, async tx => (await findHold(tx)) !== null)
    if (isOnHold) return
    for (const access of await db.read(INSTANCE, connections.listAccess)) {
      const memory = this.#memoryOf(access.accountId)
      // If the clock was set back, the account is due at once.
      const isDue = this.#isLeading && (clock() >= memory.dueAt || memory.dueAt > clock() + EVERY)
      if ((!isDue && memory.notified.length === 0) || this.#underWay.has(access.accountId)) continue
      if (this.#underWay.size >= WIDTH) return
      const work = this.#attend(access, memory, isDue).finally(() => this.#underWay.delete(access.accountId))
      this.#underWay.set(access.accountId, work)
      this.#workLoop.begin(work)
    }
  }

  /** Attends to an account. It never throws: what fails is tried again. */
  async #attend(access: StripeAccess, memory: Memory, isDue: boolean): Promise<void> {
    const { clock, log } = this.#options
    const { accountId } = access
    try {
      for (const event of memory.notified.splice(0)) await this.#handle(accountId, memory, event)
      if (!isDue) return
      memory.dueAt = clock() + EVERY
      await this.#read(access, memory)
      await refundOrphanPayments(this.#options, accountId)
      await this.#tendEndpoint(access, memory)
      await this.#sweep(accountId, memory)
      await this.#readPayouts(accountId, memory)
    } catch (error) {
      // Events that webhooks brought are in Stripe's list too.
      memory.dueAt = clock() + AFTER_FAULT
      const failure =
        error instanceof ProcessorFault ? { fault: error.kind, code: error.code } : { err: error }
      log.warn({ account_id: accountId, ...failure }, 'what happened at Stripe was not read')
    }
  }

  async #read(access: StripeAccess, memory: Memory): Promise<void> {
    const { db, log, accounts } = this.#options
    const { accountId, secretKey } = access
    for await (const { events, until, hasMissed } of readEvents(accounts, access)) {
      let readUntil = until
      for (const event of events) {
        if (this.#isStopping) return
        const result = await this.#handle(accountId, memory, event)
        if (result === 'later' && until - event.created < PATIENCE)
          readUntil = Math.min(readUntil, event.created)
      }
      if (hasMissed) log.warn({ account_id: accountId }, 'Stripe keeps no events any more that were not read')
      const missed = hasMissed ? ({ trouble: 'events_missed' } as const) : {}
      await db.write(accountId, tx => connections.note(tx, secretKey, { readUntil, ...missed }))
      for (const [id, created] of memory.handled)
        if (created < readUntil - SEEN_FOR) memory.handled.delete(id)
      if (readUntil < until) return
    }
  }

  /** Compares what Stripe has with ours, once a day. A fault puts it off for an hour. @throws ProcessorFault */
  async #sweep(accountId: string, memory: Memory): Promise<void> {
    const now = this.#options.clock()
    // If the clock was set back, it is due at once.
    if (now < memory.sweepAt && memory.sweepAt <= now + SWEEP_EVERY) return
    memory.sweepAt = now + SWEEP_AFTER
    await sweep(this.#options, accountId)
    memory.sweepAt = now + SWEEP_EVERY
  }

  /** Reads the payouts, once a day and after an event of one. A fault puts it off for an hour. @throws ProcessorFault */
  async #readPayouts(accountId: string, memory: Memory): Promise<void> {
    const now = this.#options.clock()
    if (now < memory.payoutsAt && memory.payoutsAt <= now + SWEEP_EVERY) return
    memory.payoutsAt = now + SWEEP_AFTER
    await readPayouts(this.#options, accountId)
    memory.payoutsAt = now + SWEEP_EVERY
  }

  /** Handles an event, once. @throws ProcessorFault if Stripe cannot be asked now */
  async #handle(accountId: string, memory: Memory, event: StripeEvent): Promise<ProviderEventResult> {
    const { id, created } = event
    if (memory.handled.has(id)) return 'done'
    // All recent payouts are read together, once the events are.
    if (event.about === 'payout') memory.payoutsAt = Number.NEGATIVE_INFINITY
    const result = await this.#passOn(accountId, event)
    if (result !== 'later') memory.handled.set(id, created)
    return result
  }

  async #passOn(
    accountId: string,
    { about, objectId, paymentId }: StripeEvent,
  ): Promise<ProviderEventResult> {
    const { sink, log } = this.#options
    try {
      if (about === 'payout') return 'done'
      if (about === 'session') return await sink.sessionChanged(accountId, objectId, paymentId)
      if (about === 'refund') return await sink.refundChanged(accountId, objectId)
      return await sink.disputeChanged(accountId, objectId)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      if (!(error instanceof ProcessorFault)) {
        // An event that fails must not keep others waiting.
        log.error(
          { err: error, account_id: accountId, about },
          'what happened at Stripe was not written down',
        )
        return 'later'
      }
      // The object is gone, or this key may not read it. Asking again would change nothing.
      if (error.kind !== 'refused') throw error
      log.warn({ account_id: accountId, about, code: error.code }, 'Stripe does not show what it tells of')
      return 'unknown'
    }
  }

  /** Keeps the webhook endpoint at Stripe in order. Selling goes on without it. */
  async #tendEndpoint(access: StripeAccess, memory: Memory): Promise<void> {
    const { db, clock, log, accounts, baseUrl } = this.#options
    const { accountId, secretKey, webhook } = access
    const url = webhookUrl(baseUrl, accountId)
    if (clock() < memory.endpointAt && url === webhook?.url) return
    memory.endpointAt = clock() + ENDPOINT_EVERY
    try {
      if (url !== undefined) return await registerEndpoint({ db, accounts }, access, url)
      if (webhook === undefined) return
      await removeEndpoints(accounts, accountId)
      await db.write(accountId, tx => connections.note(tx, secretKey, { webhook: null }))
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      memory.endpointAt = clock() + HOUR
      const { kind, code } = error
      log.warn({ account_id: accountId, fault: kind, code }, 'Stripe has no address to tell of what happens')
    }
  }
}

type StripeAccess = connections.StripeAccess

/** For how long handled events are remembered, in seconds. That is longer than they are read again. */
const SEEN_FOR = (30 * MINUTE) / SECOND
