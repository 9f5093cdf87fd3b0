import { CronJob } from 'cron'
import type { Logger } from 'pino'

/** Work that a server does again and again beside its requests. */
export interface RecurringWork {
  /** The name that the log uses. */
  name: string
  /**
   * A cron line, whose first field may be seconds, in the time zone of the machine. It says only when to look. The work asks the
   * clock of the server what is due.
   */
  cron: string
  /** Does what is due. While one look is under way, the next are left out. */
  look: () => Promise<void> | void
  /** Milliseconds after the start at which the work looks for the first time, in addition to the cron line. */
  firstAfter?: number | undefined
}

/** The milliseconds after which a loop begins. The time zones that cron loads take 20, and the first requests come before. */
const BEGIN_AFTER = 100

/** Looks for recurring work by its cron lines, in unreferenced timers of their own. */
export class CronLoop {
  readonly #works: readonly RecurringWork[]
  readonly #log: Logger
  readonly #first: NodeJS.Timeout[] = []
  #jobs: readonly CronJob[] = []

  constructor(works: readonly RecurringWork[], log: Logger) {
    this.#works = works
    this.#log = log
  }

  start(): void {
    this.#first.push(setTimeout(() => this.#begin(), BEGIN_AFTER).unref())
  }

  /** Stops looking. @returns a promise that waits for the looks under way */
  async stop(): Promise<void> {
    for (const first of this.#first) clearTimeout(first)
    await Promise.all(this.#jobs.map(job => job.stop()))
  }

  #begin(): void {
    const shared = new Map<string, Reckoning>()
    this.#jobs = this.#works.map(({ name, cron, look, firstAfter }) => {
      const errorHandler = (error: unknown) =>
        this.#log.error({ err: error, work: name }, 'recurring work failed')
      const job = CronJob.from({
        ...{ name, cronTime: cron, onTick: () => look(), errorHandler },
        ...{ start: false, waitForCompletion: true, unrefTimeout: true },
      })
      const reckoning = shared.get(cron) ?? { at: 0, next: 0 }
      shared.set(cron, reckoning)
      reckon(job, reckoning)
      job.start()
      if (firstAfter !== undefined)
        this.#first.push(setTimeout(() => void job.fireOnTick(), firstAfter).unref())
      return job
    })
  }
}

/** The next instant of a line, and when it was computed, in milliseconds of the machine. */
interface Reckoning {
  at: number
  next: number
}

/**
 * Computes the next instant once for all work with the same line, because that is most of the cost of a tick. On a busy machine
 * the instant is over before its timer is set. cron would report that on the console and not in the log, so the delay is at least
 * a millisecond.
 */
function reckon({ cronTime }: CronJob, shared: Reckoning): void {
  cronTime.getTimeout = () => {
    const now = Date.now()
    // A clock that was set back also needs a new computation.
    if (now >= shared.next || now < shared.at)
      Object.assign(shared, { at: now, next: cronTime.sendAt().toMillis() })
    // A timer may fire a millisecond early by the clock. The tick would then fall into the second before, and come again at its
    // own.
    return Math.max(1, shared.next - now + 1)
  }
}
