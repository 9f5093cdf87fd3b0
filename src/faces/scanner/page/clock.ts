/** A browser has these two clocks, in milliseconds. People and networks set the date. The steady clock only goes on. */
export interface Clocks {
  date(): number
  steady(): number
}

interface Sample {
  /** The milliseconds to add to the date. */
  offset: number
  roundTrip: number
  /** In milliseconds of the steady clock. */
  at: number
}

/** Round trips older than this are no longer compared. */
const RECENT = 5 * 60_000
/** The two clocks drift apart a little by themselves, so a smaller difference is no jump. */
const JUMP = 1000
/** The page shows an offset that is larger than this. */
const WRONG = 60_000

/**
 * Returns whether two round trips cannot both be true. Each is wrong by half of its duration at the most, so the server's clock
 * was set in between, as on a box whose time somebody has put right.
 */
function isContrary(one: Sample, other: Sample): boolean {
  return Math.abs(one.offset - other.offset) > (one.roundTrip + other.roundTrip) / 2 + JUMP
}

/**
 * Holds the server's time as exactly as the page can know it: by the midpoint of the shortest recent round trip. If the date is
 * set while the page runs, the offset goes the other way at once. If the server's is set, the next answer counts alone.
 */
export class DoorClock {
  readonly #clocks: Clocks
  #samples: Sample[] = []
  #offset = 0
  /** The difference between the date and the steady clock. */
  #base: number

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#base = clocks.date() - clocks.steady()
  }

  /** @param offset the offset that was known when the page was last open */
  begin(offset: number): void {
    if (this.#samples.length === 0) this.#offset = offset
  }

  /** Returns what to add to the date, in whole milliseconds. */
  get offset(): number {
    return Math.round(this.#offset)
  }

  get isWrong(): boolean {
    return Math.abs(this.#offset) > WRONG
  }

  /** Returns whether the server has sent the time since the page opened, and since the date last jumped. */
  get isSure(): boolean {
    return this.#samples.length > 0
  }

  /** Returns the corrected instant, in milliseconds. */
  now(): number {
    return this.#clocks.date() + this.offset
  }

  /** @param serverNow the time that the server sent between two instants of the steady clock */
  learn(before: number, after: number, serverNow: number): void {
    this.look()
    if (!Number.isFinite(serverNow)) return
    const dateAtMidpoint = (before + after) / 2 + this.#base
    const sample = { offset: serverNow - dateAtMidpoint, roundTrip: after - before, at: after }
    const isRecent = ({ at }: Sample) => after - at <= RECENT
    this.#samples = [...this.#samples.filter(one => isRecent(one) && !isContrary(one, sample)), sample].slice(
      -50,
    )
    this.#offset = this.#samples.reduce((best, one) => (one.roundTrip <= best.roundTrip ? one : best)).offset
  }

  /**
   * Checks whether the date was set. The page calls it every second or so, and before each scan.
   *
   * @param mayHaveSlept whether the page was hidden since the last check; the steady clock of some systems stops meanwhile, so
   *   that a date that went ahead is right
   * @returns by how much the date has jumped, in milliseconds
   */
  look(mayHaveSlept = false): number {
    const base = this.#clocks.date() - this.#clocks.steady()
    const jump = base - this.#base
    if (Math.abs(jump) < JUMP) return 0
    this.#base = base
    const isSleep = mayHaveSlept && jump > 0
    if (!isSleep) this.#offset -= jump
    // Nobody knows whether the date was set or a lid was shut. Only the next round trip shows it, so the older ones go.
    this.#samples = []
    return jump
  }
}
