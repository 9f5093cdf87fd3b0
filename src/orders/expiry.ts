import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import { type Clock, SECOND } from '../time.ts'
import * as orders from './rules.ts'

/** How often it looks, in milliseconds. */
const INTERVAL = 5 * SECOND
/** Orders that one look takes. */
const BATCH = 100

export interface ExpiryOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Ends orders whose time is over, and gives their places back, within some seconds. */
export class Expiry {
  readonly #options: ExpiryOptions
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined
  #stopping = false

  constructor(options: ExpiryOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.sweep(), INTERVAL).unref()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    await this.#turn
  }

  /** One after the other, so that a sweep takes nobody's turn. Never throws. */
  sweep(): Promise<void> {
    this.#turn ??= this.#endDue()
      .catch(error => this.#options.log.warn({ err: error }, 'orders that are over wait for the database'))
      .finally(() => {
        this.#turn = undefined
      })
    return this.#turn
  }

  async #endDue(): Promise<void> {
    const { db, clock } = this.#options
    for (;;) {
      const due = await db.read(tx => orders.listDue(tx, clock(), BATCH))
      for (const { id, account_id } of due) {
        if (this.#stopping) return
        await db.write(account_id, tx => orders.expire(tx, account_id, id))
      }
      if (due.length < BATCH) return
    }
  }
}
