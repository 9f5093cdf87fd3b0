import type { Clock } from '#base/time.ts'

/**
 * The instant that all writes of one commit share. The row of the instance keeps it, and the transaction holds the lock of that row
 * from its first statement on, so no later instant is before it, on whichever machine.
 */
export class WriteInstant {
  readonly clock: Clock
  #latest: number | undefined
  #taken: number | undefined
  #kept = false

  /** Makes the instant. @param latest the instant of the latest write, in milliseconds */
  constructor(clock: Clock, latest: number) {
    this.clock = clock
    this.#latest = latest
  }

  /**
   * Returns the instant.
   *
   * @param read returns the instant of the latest write as the transaction sees it
   * @param keep sends the statement that keeps the instant, with its parameter
   */
  async take(read: () => Promise<number>, keep: (sql: string, instant: number) => void): Promise<number> {
    if (this.#taken === undefined) this.#latest ??= await read()
    this.#taken ??= Math.max(this.clock(), this.#latest ?? 0)
    if (!this.#kept) keep('UPDATE instance SET latest_write_at = $1 WHERE id = 1', this.#taken)
    this.#kept = true
    return this.#taken
  }

  /** Forgets the instant of the latest write, as the transaction has set it: a clock that was wrong is repaired. */
  forgetLatest(): void {
    this.#latest = undefined
  }

  /** Forgets that the instant is kept. A write was undone, and perhaps with it the row that kept the instant. */
  forget(): void {
    this.#kept = false
  }
}
