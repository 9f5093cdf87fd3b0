import type { Leader } from '#machinery/db/engine.ts'
import { stopBackground } from './background.ts'
import { type RecurringName, Schedule, type ScheduleOptions } from './schedule.ts'
import { startWork, type Work, type WorkOptions } from './work.ts'

/** How often `settled` looks whether this server leads, in milliseconds. */
const TICK = 10

/**
 * The work that a server does by itself, and that only one server of a database does. It begins when this server leads, and ends
 * when it leads no more.
 */
export class Leading implements Leader {
  readonly #options: WorkOptions & ScheduleOptions
  #work: Work = {}
  #schedule: Schedule | undefined
  #isStopped = false

  constructor(options: WorkOptions & ScheduleOptions) {
    this.#options = options
  }

  /** The work under way. It is empty while another server leads. */
  get work(): Readonly<Work> {
    return this.#work
  }

  begin(): void {
    if (this.#isStopped) return
    this.#work = startWork(this.#options)
    this.#schedule = new Schedule(this.#work, this.#options)
    this.#schedule.start()
  }

  /** Ends the work: nothing new begins, and what is under way ends. */
  async end(): Promise<void> {
    const { background, deliveries, reconciler } = this.#work
    const looked = this.#schedule?.stop()
    this.#schedule = undefined
    await (background && stopBackground(background))
    const { payments, mail } = this.#options
    if (reconciler !== undefined) await payments.end()
    await deliveries?.stop()
    await mail.stop()
    await looked
    this.#work = {}
  }

  /** Ends the jobs and counts first, which answer clients that wait for their end. */
  async stopBackground(): Promise<void> {
    this.#isStopped = true
    const { background } = this.#work
    await (background && stopBackground(background))
  }

  /** For tests: does this work, as far as it is due by the clock, and waits for it. Another server may lead first. */
  async settled(name: RecurringName): Promise<void> {
    while (this.#schedule === undefined) await new Promise(resolve => setTimeout(resolve, TICK))
    await this.#schedule.settled([name])
  }
}
