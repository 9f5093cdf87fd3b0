import { CronJob } from 'cron'
import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import { LONGEST_AHEAD, listToRemind, remindAt } from '../events/reminders.ts'
import type { Clock } from '../time.ts'
import { remind } from './rules.ts'

/** Events that one read looks at. */
const BATCH = 100

export interface ReminderWatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Has the people of each event reminded when it is time: within a minute, or once the server is there again. */
export class ReminderWatch {
  readonly #options: ReminderWatchOptions
  #sweep: CronJob | undefined
  #turn: Promise<void> | undefined
  #stopping = false

  constructor(options: ReminderWatchOptions) {
    this.#options = options
  }

  start(): void {
    this.#sweep = CronJob.from({ cronTime: '20 * * * * *', start: true, onTick: () => this.sweep() })
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#sweep?.stop()
    await this.#turn
  }

  /** One after the other, so that a sweep takes nobody's turn. Never throws. */
  sweep(): Promise<void> {
    this.#turn ??= this.#remindDue()
      .catch(error => this.#options.log.warn({ err: error }, 'reminders wait for the database'))
      .finally(() => {
        this.#turn = undefined
      })
    return this.#turn
  }

  async #remindDue(): Promise<void> {
    const { db, clock } = this.#options
    const now = clock()
    let last = { starts_at: now, id: '' }
    for (;;) {
      const some = await db.read(tx => listToRemind(tx, last, now + LONGEST_AHEAD, BATCH))
      for (const { id, account_id, starts_at, timezone } of some) {
        if (this.#stopping) return
        if (now >= remindAt(starts_at, timezone)) await db.write(account_id, tx => remind(tx, account_id, id))
      }
      const end = some.at(-1)
      if (end === undefined || some.length < BATCH) return
      last = end
    }
  }
}
