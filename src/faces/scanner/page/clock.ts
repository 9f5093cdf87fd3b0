/** The clocks of a browser, in milliseconds: one that people and networks set, and one that only goes on. */
export interface Clocks {
  date(): number
  steady(): number
}

interface Sample {
  /** What to add to the date. */
  offset: number
  roundTrip: number
  /** By the steady clock. */
  at: number
}

/** Older round trips are not compared any more. */
const RECENT = 5 * 60_000
/** Clocks drift against each other a little by themselves. */
const JUMP = 1000
/** From here on it is told. */
const WRONG = 60_000

/**
 * The time of the server, as far as it can be known: the midpoint of the shortest recent round trip. When the date is set while
 * the page runs, the offset goes the other way at once.
 */
export class DoorClock {
  readonly #clocks: Clocks
  #samples: Sample[] = []
  #offset = 0
  /** The date against the steady clock. */
  #base: number

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#base = clocks.date() - clocks.steady()
  }

  /** @param offset what was known when the page was last open */
  begin(offset: number): void {
    if (this.#samples.length === 0) this.#offset = offset
  }

  /** What to add to the date, in whole milliseconds. */
  get offset(): number {
    return Math.round(this.#offset)
  }

  get isWrong(): boolean {
    return Math.abs(this.#offset) > WRONG
  }

  /** Whether the server has told the time since the page opened, and since the date last jumped. */
  get isSure(): boolean {
    return this.#samples.length > 0
  }

  /** The corrected instant, in milliseconds. */
  now(): number {
    return this.#clocks.date() + this.offset
  }

  /** @param serverNow what the server said between two instants of the steady clock */
  learn(before: number, after: number, serverNow: number): void {
    this.look()
    if (!Number.isFinite(serverNow)) return
    const dateAtMidpoint = (before + after) / 2 + this.#base
    this.#samples.push({ offset: serverNow - dateAtMidpoint, roundTrip: after - before, at: after })
    this.#samples = this.#samples.filter(({ at }) => after - at <= RECENT).slice(-50)
    this.#offset = this.#samples.reduce((best, one) => (one.roundTrip <= best.roundTrip ? one : best)).offset
  }

  /**
   * Looks whether the date was set. To be called every second or so, and before each scan.
   *
   * @param mayHaveSlept whether the page was out of sight since the last look: the steady clock of some systems stops then, and
   * a date that has gone ahead is right
   * @returns by how much the date has jumped, in milliseconds
   */
  look(mayHaveSlept = false): number {
    const base = this.#clocks.date() - this.#clocks.steady()
    const jump = base - this.#base
    if (Math.abs(jump) < JUMP) return 0
    this.#base = base
    const isSleep = mayHaveSlept && jump > 0
    if (!isSleep) this.#offset -= jump
    // Nobody knows whether the date was set or a lid was shut: the next round trip shows it, whatever older ones said.
    this.#samples = []
    return jump
  }
}
