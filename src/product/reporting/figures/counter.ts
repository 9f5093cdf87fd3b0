import type { Logger } from 'pino'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { CountingStopped, countEvent } from './count.ts'
import { type EventState, findKept, isLarge, keep, listStates } from './rules.ts'

/** An event is counted at most once in this many milliseconds, at each look of the schedule, which may come a little early. */
const REST = MINUTE - SECOND
/**
 * Counting takes at most one twentieth of the time. An event that takes a second is counted every twenty seconds at most, because
 * a larger share would delay others.
 */
const SHARE = 20

export interface FigureCounterOptions {
  db: Pick<Database, 'read' | 'write' | 'onCommit'>
  clock: Clock
  log: Logger
  /** For tests: milliseconds of a clock that nobody sets. */
  monotonic?: Clock | undefined
}

/**
 * Counts the large events that have changed, each at most once a minute, in short reads. Pages show the last count. If nothing
 * was written, it does not even look at the events. It does not count an unchanged event again, even after a restart.
 */
export class FigureCounter {
  readonly #options: FigureCounterOptions
  readonly #monotonic: Clock
  readonly #stopping = new AbortController()
  /** The state of each event when it was found small or was counted. */
  readonly #seen = new Map<string, string>()
  /** When an event may be counted again, on the monotonic clock. */
  readonly #notBefore = new Map<string, number>()
  #isChanged = true
  #looking: Promise<void> | undefined

  constructor(options: FigureCounterOptions) {
    this.#options = options
    this.#monotonic = options.monotonic ?? (() => performance.now())
    options.db.onCommit(() => {
      this.#isChanged = true
    })
  }

  /** Ends the counting that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
  }

  /** Waits until all that may be counted now is counted, including what others have written. */
  async settled(): Promise<void> {
    await this.#looking
    this.#isChanged = true
    await this.look()
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
    for (const { id } of await db.read(INSTANCE, accounts.list)) {
      const events = await db.read(id, tx => listStates(tx))
      for (const event of events) {
        if (this.#seen.get(event.id) !== event.state) await this.#recount(id, event)
      }
    }
  }

  async #recount(accountId: string, event: EventState): Promise<void> {
    const { db, clock } = this.#options
    const { state } = event
    const isDone = await db.read(
      accountId,
      async tx => !(await isLarge(tx, event.id)) || (await findKept(tx, event.id))?.state === state,
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
      this.#notBefore.set(event.id, startedAt + Math.max(REST, SHARE * took))
      await db.write(accountId, tx => keep(tx, event.id, { state, counted, countedAt }))
    }
    this.#seen.set(event.id, state)
  }
}
