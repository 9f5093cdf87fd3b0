import { MINUTE } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { isLarge, readMonthlyReport } from './monthly-report.ts'
import type { MonthlyReport } from './schemas.ts'

/** A page waits for the sums of a month with at most this many registrations, refunds and check-ins. */
const MOST_AT_ONCE = 10_000
/** The sums of a larger month may be this old. */
const FRESH = MINUTE
/** At most this many months are kept, of all accounts together. */
const MOST_KEPT = 200

interface Kept {
  /** The last sums, and when their reading began, in milliseconds. It is undefined until the first sums are ready. */
  done: { report: MonthlyReport; at: number } | undefined
  isRunning: boolean
}

/**
 * Keeps the reports of months for pages. No page waits for a long report, which is summed up in the background, one after
 * another.
 */
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
   * Returns the report of a month and the instant that it is of, or undefined while it is summed up for the first time.
   *
   * @throws Problem as `readMonthlyReport`
   */
  async look(accountId: string, month: string, now: number): Promise<Kept['done']> {
    if (!(await this.#db.read(accountId, tx => isLarge(tx, month, this.#most)))) {
      return { report: await readMonthlyReport(this.#db, accountId, month, now), at: now }
    }
    const key = `${accountId} ${month}`
    const kept = this.#kept.get(key) ?? { done: undefined, isRunning: false }
    // The month that was looked at last leaves last.
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
