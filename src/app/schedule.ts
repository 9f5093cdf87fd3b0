import type { Logger } from 'pino'
import { MINUTE } from '#base/time.ts'
import type { CertificateWatch } from '#machinery/http/certificate.ts'
import type { ClockWatch } from '#machinery/ops/clock-watch.ts'
import { CronLoop, type RecurringWork } from '#machinery/ops/cron-loop.ts'
import type { ScheduledBackups } from '#machinery/ops/scheduled-backups.ts'
import type { Work } from './work.ts'

/** The delay of the first cleaning after the start. A box at the door may be switched off before the hour is full. */
const FIRST_CLEANING_AFTER = MINUTE
/** A server that is off at night looks a while after each start. */
const FIRST_FORGETTING_AFTER = 10 * MINUTE

/** The parts that have recurring work, if the server has them. A box at the door lacks most. */
export interface RecurringParts extends Work {
  clockWatch?: ClockWatch
  certificateWatch?: CertificateWatch
  /** Looks at the addresses of the machine. */
  watchAddresses?: (() => void) | undefined
  backups?: ScheduledBackups
}

const names = [
  ...(['clock', 'webhooks', 'mails', 'payments', 'stripe', 'jobs', 'orders', 'certificate'] as const),
  ...(['reminders', 'calls', 'confirmations', 'figures', 'pictures'] as const),
  ...(['addresses', 'cleaning', 'forgetting', 'backups'] as const),
]
export type RecurringName = (typeof names)[number]

interface Row extends RecurringWork {
  name: RecurringName
  /** Works until nothing is due. Without it, a look does all the work itself. */
  settled?: () => Promise<void>
}

const EACH_SECOND = '* * * * * *'
const EACH_NIGHT = '0 47 3 * * *'

/**
 * Returns all recurring work of a server: its name, when the schedule looks for it, and what it does. A commit also wakes
 * webhooks, mails and jobs, and a payer wakes payments. The looks here find what became due by time alone.
 */
function listWork(parts: RecurringParts, cleaningAfter: number | undefined): Row[] {
  const { clockWatch, certificateWatch, watchAddresses, backups } = parts
  const { deliveries, mails, reconciler, feed } = parts
  const { jobs, orders, reminders, calls, confirmations } = parts.background ?? {}
  const { figures, pictures, cleaning, forgetting } = parts.background ?? {}
  const rows: (Row | undefined)[] = [
    clockWatch && { name: 'clock', cron: EACH_SECOND, look: () => clockWatch.look() },
    deliveries && { name: 'webhooks', cron: EACH_SECOND, ...byTurns(deliveries) },
    mails && { name: 'mails', cron: EACH_SECOND, ...byTurns(mails) },
    reconciler && { name: 'payments', cron: EACH_SECOND, ...byTurns(reconciler) },
    feed && { name: 'stripe', cron: EACH_SECOND, ...byLooks(feed) },
    jobs && { name: 'jobs', cron: EACH_SECOND, ...byTurns(jobs) },
    orders && { name: 'orders', cron: '*/5 * * * * *', look: () => orders.look() },
    certificateWatch && { name: 'certificate', cron: '*/10 * * * * *', look: () => certificateWatch.look() },
    reminders && { name: 'reminders', cron: '20 * * * * *', look: () => reminders.look() },
    calls && { name: 'calls', cron: '30 * * * * *', look: () => calls.look() },
    confirmations && { name: 'confirmations', cron: '35 * * * * *', look: () => confirmations.look() },
    figures && { name: 'figures', cron: '40 * * * * *', ...byLooks(figures) },
    pictures && { name: 'pictures', cron: EACH_SECOND, look: () => pictures.look() },
    watchAddresses && { name: 'addresses', cron: '50 * * * * *', look: watchAddresses },
    cleaning && {
      ...{ name: 'cleaning', cron: '0 17 * * * *', look: () => cleaning.look() },
      firstAfter: cleaningAfter ?? FIRST_CLEANING_AFTER,
    },
    forgetting && {
      ...{ name: 'forgetting', cron: EACH_NIGHT, look: () => forgetting.look() },
      firstAfter: FIRST_FORGETTING_AFTER,
    },
    backups && { name: 'backups', cron: backups.every, look: () => backups.run() },
  ]
  return rows.filter(row => row !== undefined)
}

/** Returns the row of a loop that works in turns: a look wakes it and does not wait. */
function byTurns(loop: { wake(): void; settled(): Promise<void> }): Pick<Row, 'look' | 'settled'> {
  return { look: () => loop.wake(), settled: () => loop.settled() }
}

/** Returns the row of work that looks by itself and can tell when everything that a look has begun is finished. */
function byLooks(loop: {
  look(): Promise<void> | void
  settled(): Promise<void>
}): Pick<Row, 'look' | 'settled'> {
  return { look: () => loop.look(), settled: () => loop.settled() }
}

export interface ScheduleOptions {
  log: Logger
  /** Milliseconds after the start. */
  cleaningAfter?: number | undefined
  /** Chooses the work that the loop looks for. `settled` ignores it. Without it, the loop looks for all. */
  recurs?: ((name: RecurringName) => boolean) | undefined
}

export class Schedule {
  readonly #rows: readonly Row[]
  readonly #loop: CronLoop

  constructor(parts: RecurringParts, { log, cleaningAfter, recurs = () => true }: ScheduleOptions) {
    this.#rows = listWork(parts, cleaningAfter)
    this.#loop = new CronLoop(
      this.#rows.filter(({ name }) => recurs(name)),
      log,
    )
  }

  start(): void {
    this.#loop.start()
  }

  /** Returns whether this work is here. */
  has(name: RecurringName): boolean {
    return this.#rows.some(row => row.name === name)
  }

  /** Stops looking. @returns a promise that waits for the looks under way */
  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** For tests: does this work, one after another, as far as it is due by the clock, and waits for it. */
  async settled(wanted: readonly RecurringName[]): Promise<void> {
    for (const wantedName of wanted) {
      const row = this.#rows.find(({ name }) => name === wantedName)
      if (row === undefined) throw new Error(`This server has no recurring work ${wantedName}.`)
      if (row.settled !== undefined) await row.settled()
      // A look that is under way may have begun too early to see everything.
      else for (let times = 0; times < 2; times++) await row.look()
    }
  }
}
