import type { Reader } from '../db/batches.ts'
import { MINUTE } from '../time.ts'
import { isLarge, readMonthlyReport } from './monthly-report.ts'
import type { MonthlyReport } from './schemas.ts'

/** Registrations, refunds and check-ins of a month that are summed up while a page waits. */
const MOST_AT_ONCE = 10_000
/** How old the sums of a larger month may be. */
const FRESH = MINUTE
/** Months of all accounts together. */
const MOST_KEPT = 200

interface Kept {
  /** What was summed up last, and when that began, in milliseconds; undefined until the first time is over. */
  done: { report: MonthlyReport; at: number } | undefined
  isRunning: boolean
}

/** The reports of months for pages, which wait for no long one: it is summed up in the background, one after another. */
export class MonthlyReports {
  readonly #db: Reader
  readonly #most: number
  readonly #onFailure: (error: unknown) => void
  readonly #kept = new Map<string, Kept>()
  #last: Promise<void> = Promise.resolve()

  constructor(db: Reader, onFailure: (error: unknown) => void, most = MOST_AT_ONCE) {
    this.#db = db
    this.#onFailure = onFailure
    this.#most = most
  }

  /**
   * The report of a month, and since when it says so; undefined while it is summed up for the first time.
   *
   * @throws Problem as `readMonthlyReport`
   */
  async look(accountId: string, month: string, now: number): Promise<Kept['done']> {
    if (!(await this.#db.read(tx => isLarge(tx, accountId, month, this.#most)))) {
      return { report: await readMonthlyReport(this.#db, accountId, month, now), at: now }
    }
    const key = `${accountId} ${month}`
    const kept = this.#kept.get(key) ?? { done: undefined, isRunning: false }
    // The one that was looked at last leaves last.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value as string)
    if (!kept.isRunning && (kept.done === undefined || Math.abs(now - kept.done.at) > FRESH)) {
      this.#begin(kept, accountId, month, now)
    }
    return kept.done
  }

  #begin(kept: Kept, accountId: string, month: string, now: number): void {
    kept.isRunning = true
    this.#last = this.#last.then(async () => {
      try {
        kept.done = { report: await readMonthlyReport(this.#db, accountId, month, now), at: now }
      } catch (error) {
        this.#onFailure(error)
      }
      kept.isRunning = false
    })
  }
}
