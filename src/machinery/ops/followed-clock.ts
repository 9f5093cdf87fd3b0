import { type Clock, SECOND } from '#base/time.ts'
import type { HealthDetail } from './health.ts'

/** A smaller distance is within what the network takes, and following it would move the clock to and fro, in milliseconds. */
const STEP = SECOND
/** From here on, somebody should know that the machine's clock is wrong, in milliseconds. */
const APART = 2 * SECOND

/**
 * The clock of a server whose database is used by others too. It goes by the machine's, as far from it as the database's is, so
 * that all servers of a database have one clock: a claim of one is over at the same instant for each.
 */
export class FollowedClock {
  /** The machine's clock, in milliseconds. */
  readonly own: Clock
  #offset = 0
  /** How far the database's clock is ahead of the machine's, in milliseconds. */
  #apart = 0

  constructor(own: Clock) {
    this.own = own
  }

  readonly now: Clock = () => this.own() + this.#offset

  /** Follows the database's clock. The argument says how far it is ahead of the machine's, in milliseconds. */
  readonly onApart = (apart: number): void => {
    this.#apart = apart
    if (Math.abs(apart - this.#offset) > STEP) this.#offset = Math.round(apart)
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
