import { type Clock, SECOND } from '#base/time.ts'
import type { HealthDetail } from './health.ts'

/** A smaller distance is within what the network takes, and following it would move the clock to and fro, in milliseconds. */
const STEP = SECOND
/** From here on, somebody should know that the machine's clock is wrong, in milliseconds. */
const APART = 2 * SECOND

/**
 * The clock of a server whose database is used by others too. It goes by the database's, so that all servers of a database have
 * one clock: a claim of one is over at the same instant for each. Between two looks it goes on by a clock that nobody sets: a
 * machine's clock that is put forward would end claims and orders before the next look.
 */
export class FollowedClock {
  /** The machine's clock, in milliseconds. */
  readonly own: Clock
  /** Goes on evenly, from any instant. */
  readonly #monotonic: Clock
  /** How far this clock is ahead of the monotonic one. */
  #ahead: number
  /** How far the database's clock is ahead of the machine's, in milliseconds. */
  #apart = 0

  constructor(own: Clock, monotonic: Clock = () => performance.now()) {
    this.own = own
    this.#monotonic = monotonic
    this.#ahead = own() - monotonic()
  }

  readonly now: Clock = () => Math.round(this.#monotonic() + this.#ahead)

  /**
   * Begins a look at the database's clock. What it returns is called with the instant that the database said, and returns how far that
   * is ahead of the machine's clock, in milliseconds. The machine's clock takes no part in what is followed: it may be set while the
   * question is under way.
   */
  readonly ask = (): ((instant: number) => number) => {
    const asked = this.#monotonic()
    return instant => {
      const answered = this.#monotonic()
      const ahead = instant - (asked + answered) / 2
      // The database may have looked at any instant in between.
      const unsure = (answered - asked) / 2
      if (Math.abs(ahead - this.#ahead) > STEP + unsure) this.#ahead = ahead
      this.#apart = answered + ahead - this.own()
      return this.#apart
    }
  }

  /** Tells whoever monitors the service that the machine's clock is wrong, or that of the database. */
  details(): HealthDetail[] {
    if (Math.abs(this.#apart) <= APART) return []
    const seconds = Math.round(Math.abs(this.#apart) / SECOND)
    const how = this.#apart > 0 ? 'behind' : 'ahead of'
    const message = `The clock of this machine is ${seconds} s ${how} that of the database, which the server follows. Set both by NTP.`
    return [{ code: 'clock_apart', message }]
  }
}
