import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { findHold } from '../../db/instance.ts'
import { type Database, DatabaseUnavailable } from '../../db/port.ts'
import { Turns } from '../../db/turns.ts'
import { type Clock, DAY, HOUR, MINUTE, SECOND } from '../../time.ts'
import * as connections from '../connections.ts'
import type { Heard, Sink } from '../feed.ts'
import { type Processor, ProcessorFault } from '../processor.ts'
import type { StripeAccounts } from './access.ts'
import { registerEndpoint, removeEndpoints, webhookUrl } from './endpoint.ts'
import { readEvents } from './events.ts'
import type { Happening } from './happenings.ts'
import { refundOrphans } from './orphan-refunds.ts'

export interface FeedOptions {
  db: Database
  clock: Clock
  log: Logger
  accounts: StripeAccounts
  processor: Processor
  sink: Sink
  /** Where people reach this server, and Stripe perhaps. */
  baseUrl: string
}

/** How often each account's events are read, and how soon again where that came to nothing, in milliseconds. */
const EVERY = MINUTE
const AFTER_FAULT = 15 * SECOND
/** How often the endpoint at Stripe is looked for: Stripe disables one that fails for days. */
const ENDPOINT_EVERY = DAY
/** For how long an event waits for a payment that is not written down yet, in seconds. */
const PATIENCE = HOUR / SECOND
/** Accounts at a time. */
const WIDTH = 4
/** What webhooks told, and nobody has looked at yet: the rest is read a minute later. */
const MOST_TOLD = 1_000
const TICK = 10

/** What is remembered of an account between two readings. After a start some is read again, which changes nothing. */
interface Memory {
  /** When it is read next, and its endpoint looked for, by our clock. */
  dueAt: number
  endpointAt: number
  /** Events that were looked at, with when they happened. */
  seen: Map<string, number>
  /** By webhooks. */
  told: Happening[]
}

/**
 * Learns what happens at Stripe: by its list of events, each minute, and by webhooks the same second. A server that nobody can reach
 * misses nothing. While the database may be a copy of another nothing is asked.
 */
export class StripeFeed {
  readonly #options: FeedOptions
  readonly #turns: Turns
  readonly #memories = new Map<string, Memory>()
  readonly #underWay = new Map<string, Promise<void>>()
  #isStopping = false

  constructor(options: FeedOptions) {
    this.#options = options
    const failed = (error: unknown) => options.log.warn({ err: error }, 'Stripe waits for the database')
    this.#turns = new Turns({ db: { onCommit: () => undefined }, turn: () => this.#turn(), failed })
  }

  start(): void {
    this.#turns.start()
  }

  /** Lets what is under way end. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#turns.stop()
    await this.idle()
  }

  /** Until nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0 || this.#turns.isBusy) {
      await Promise.all(this.#underWay.values())
      if (this.#turns.isBusy) await setTimeout(TICK)
    }
  }

  /** Has an account looked at now: it was connected, or a person waits. */
  wake(accountId: string): void {
    const memory = this.#memoryOf(accountId)
    memory.dueAt = Number.NEGATIVE_INFINITY
    memory.endpointAt = Number.NEGATIVE_INFINITY
    this.#turns.wake()
  }

  /** Takes what a webhook told. */
  tell(accountId: string, happening: Happening): void {
    const { told } = this.#memoryOf(accountId)
    if (told.length < MOST_TOLD) told.push(happening)
    this.#turns.wake()
  }

  #memoryOf(accountId: string): Memory {
    const known = this.#memories.get(accountId)
    if (known !== undefined) return known
    const never = Number.NEGATIVE_INFINITY
    const memory: Memory = { dueAt: never, endpointAt: never, seen: new Map(), told: [] }
    this.#memories.set(accountId, memory)
    return memory
  }

  async #turn(): Promise<void> {
    if (this.#isStopping || this.#underWay.size >= WIDTH) return
    const { db, clock } = this.#options
    const held = await db.read(async tx => (await findHold(tx)) !== null)
    if (held) return
    for (const access of await db.read(connections.listAccess)) {
      const memory = this.#memoryOf(access.accountId)
      // A clock that was set back waits for nothing.
      const isDue = clock() >= memory.dueAt || memory.dueAt > clock() + EVERY
      if ((!isDue && memory.told.length === 0) || this.#underWay.has(access.accountId)) continue
      if (this.#underWay.size >= WIDTH) return
      const work = this.#attend(access, memory, isDue).finally(() => {
        this.#underWay.delete(access.accountId)
        if (memory.told.length > 0) this.#turns.wake()
      })
      this.#underWay.set(access.accountId, work)
    }
  }

  /** Never throws: it is tried again. */
  async #attend(access: StripeAccess, memory: Memory, isDue: boolean): Promise<void> {
    const { clock, log } = this.#options
    const { accountId } = access
    try {
      for (const happening of memory.told.splice(0)) await this.#hear(accountId, memory, happening)
      if (!isDue) return
      memory.dueAt = clock() + EVERY
      await this.#read(access, memory)
      await refundOrphans(this.#options, accountId)
      await this.#tendEndpoint(access, memory)
    } catch (error) {
      // What webhooks told is in the list too.
      memory.dueAt = clock() + AFTER_FAULT
      const told = error instanceof ProcessorFault ? { fault: error.kind, code: error.code } : { err: error }
      log.warn({ account_id: accountId, ...told }, 'what happened at Stripe was not read')
    }
  }

  async #read(access: StripeAccess, memory: Memory): Promise<void> {
    const { db, log, accounts } = this.#options
    const { accountId, secretKey } = access
    for await (const { happenings, until, hasMissed } of readEvents(accounts, access)) {
      let readUntil = until
      for (const happening of happenings) {
        if (this.#isStopping) return
        const heard = await this.#hear(accountId, memory, happening)
        if (heard === 'later' && until - happening.created < PATIENCE)
          readUntil = Math.min(readUntil, happening.created)
      }
      if (hasMissed) log.warn({ account_id: accountId }, 'Stripe keeps no events any more that were not read')
      const missed = hasMissed ? ({ trouble: 'events_missed' } as const) : {}
      await db.write(accountId, tx => connections.note(tx, accountId, secretKey, { readUntil, ...missed }))
      for (const [id, created] of memory.seen) if (created < readUntil - SEEN_FOR) memory.seen.delete(id)
      if (readUntil < until) return
    }
  }

  /** Looks at what has happened, once. @throws ProcessorFault where Stripe cannot be asked now */
  async #hear(accountId: string, memory: Memory, happening: Happening): Promise<Heard> {
    const { id, created } = happening
    if (memory.seen.has(id)) return 'done'
    const heard = await this.#pass(accountId, happening)
    if (heard !== 'later') memory.seen.set(id, created)
    return heard
  }

  async #pass(accountId: string, { about, objectId, paymentId }: Happening): Promise<Heard> {
    const { sink, log } = this.#options
    try {
      if (about === 'session') return await sink.lookAtSession(accountId, objectId, paymentId)
      if (about === 'refund') return await sink.refundChanged(accountId, objectId)
      return await sink.disputeChanged(accountId, objectId)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      if (!(error instanceof ProcessorFault)) {
        // It keeps none of the others waiting.
        log.error(
          { err: error, account_id: accountId, about },
          'what happened at Stripe was not written down',
        )
        return 'later'
      }
      // It is not there any more, or not for this key: asked again it is no other.
      if (error.kind !== 'refused') throw error
      log.warn({ account_id: accountId, about, code: error.code }, 'Stripe does not show what it tells of')
      return 'unknown'
    }
  }

  /** Selling goes on without it. */
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
      await db.write(accountId, tx => connections.note(tx, accountId, secretKey, { webhook: null }))
    } catch (error) {
      if (!(error instanceof ProcessorFault)) throw error
      memory.endpointAt = clock() + HOUR
      const { kind, code } = error
      log.warn({ account_id: accountId, fault: kind, code }, 'Stripe has no address to tell of what happens')
    }
  }
}

type StripeAccess = connections.StripeAccess

/** For how long events are remembered that were looked at, in seconds: longer than they are read again. */
const SEEN_FOR = (30 * MINUTE) / SECOND
