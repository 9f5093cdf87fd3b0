import type { Logger } from 'pino'
import * as accounts from '../accounts/rules.ts'
import type { Database } from '../db/port.ts'
import { type Clock, MINUTE } from '../time.ts'
import { CountingStopped, countEvent } from './count.ts'
import { type EventState, findKept, isLarge, keep, listStates } from './rules.ts'

/** How often what has changed is counted anew, in milliseconds. */
const INTERVAL = MINUTE
/** An event that takes a second is counted each twenty seconds at most: more would be missed by those who wait. */
const SHARE = 20

export interface FigureCounterOptions {
  db: Pick<Database, 'read' | 'write' | 'onCommit'>
  clock: Clock
  log: Logger
  /** For tests: how often it looks, and milliseconds of a clock that nobody sets. */
  interval?: number | undefined
  monotonic?: Clock | undefined
}

/**
 * Counts the large events that have changed, each at most once a minute, in short reads: a page shows what was counted last.
 * Where nothing was written nothing is even looked at, and an event that stays as it was is not counted again, not after a
 * restart either.
 */
export class FigureCounter {
  readonly #options: FigureCounterOptions
  readonly #interval: number
  readonly #monotonic: Clock
  readonly #stopping = new AbortController()
  /** Of each event as it was found small, or was counted. */
  readonly #seen = new Map<string, string>()
  /** When an event may be counted again, on the monotonic clock. */
  readonly #notBefore = new Map<string, number>()
  #isChanged = true
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: FigureCounterOptions) {
    this.#options = options
    this.#interval = options.interval ?? INTERVAL
    this.#monotonic = options.monotonic ?? (() => performance.now())
    options.db.onCommit(() => {
      this.#isChanged = true
    })
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), this.#interval).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#looking
  }

  /** Counts what is due. Never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(error => {
        this.#isChanged = true
        if (!(error instanceof CountingStopped))
          this.#options.log.error({ err: error }, 'the counting failed')
      })
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    if (!this.#isChanged) return
    this.#isChanged = false
    const { db } = this.#options
    for (const { id } of await db.read(accounts.list)) {
      const events = await db.read(tx => listStates(tx, id))
      for (const event of events) {
        if (this.#seen.get(event.id) !== event.state) await this.#recount(id, event)
      }
    }
  }

  async #recount(accountId: string, event: EventState): Promise<void> {
    const { db, clock } = this.#options
    const { state } = event
    const isDone = await db.read(
      async tx =>
        !(await isLarge(tx, accountId, event.id)) ||
        (await findKept(tx, accountId, event.id))?.state === state,
    )
    if (!isDone) {
      const startedAt = this.#monotonic()
      if (startedAt < (this.#notBefore.get(event.id) ?? startedAt)) {
        this.#isChanged = true
        return
      }
      const countedAt = clock()
      const counted = await countEvent(db, accountId, event, this.#stopping.signal)
      const took = this.#monotonic() - startedAt
      this.#notBefore.set(event.id, startedAt + Math.max(this.#interval, SHARE * took))
      await db.write(accountId, tx => keep(tx, accountId, event.id, { state, counted, countedAt }))
    }
    this.#seen.set(event.id, state)
  }
}
