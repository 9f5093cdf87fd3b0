import { uptime } from 'node:os'
import type { Logger } from 'pino'
import { type Clock, DAY, HOUR, MINUTE, SECOND, toIso } from '#base/time.ts'
import { BEAT, beat } from '#machinery/db/heartbeat.ts'
import { FAR_BEHIND, readInstance } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { HealthDetail } from './health.ts'

/** The gain or loss of the clock between two looks that counts as a jump, in milliseconds. Slewed clocks change by far less. */
const JUMP = MINUTE
/** How long a jump is reported, in milliseconds. */
const REPORTED_FOR = HOUR

/** Goes on while the machine sleeps, so that waking up is not a jump. */
const sinceBoot: Clock = () => uptime() * SECOND

export interface ClockWatchOptions {
  db: Database
  clock: Clock
  log: Logger
  /** For tests: returns milliseconds of a clock that nobody sets. */
  monotonic?: Clock | undefined
}

/** A fault of the clock. Instants are in milliseconds. */
export type ClockWarning =
  | { code: 'clock_behind'; clock: number; newest: number }
  | { code: 'clock_jumped'; from: number; to: number }

interface Jump {
  from: number
  to: number
  /** How far the clock was ahead of the monotonic one before it began to jump. */
  offsetBefore: number
  /** The end of the report, on the monotonic clock. */
  reportedUntil: number
}

/**
 * Watches the clock of a server, which dates what is written, and writes it down for the commands beside it. A clock that jumps,
 * or that is far behind the newest write, is a fault. A clock that was behind at its start and then learns the time is not.
 */
export class ClockWatch {
  readonly #options: ClockWatchOptions
  readonly #monotonic: Clock
  /** How far the clock is ahead of the monotonic one. */
  #offset = 0
  #latestWrite = 0
  #isBehind = false
  #jump: Jump | undefined
  #lastBeat = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(options: ClockWatchOptions) {
    this.#options = options
    this.#monotonic = options.monotonic ?? sinceBoot
  }

  /** Starts the watch. The first heartbeat is written when this resolves. */
  async start(): Promise<void> {
    const { clock, log } = this.#options
    this.#offset = clock() - this.#monotonic()
    await this.look()
    if (this.#latestWrite > clock() && !this.#isBehind) {
      log.warn('the clock of this machine is behind the last write of the database: check it')
    }
  }

  /** Waits for the look under way. */
  async stop(): Promise<void> {
    await this.#looking
  }

  /** Returns the current faults of the clock. */
  warnings(): ClockWarning[] {
    const now = this.#options.clock()
    const warnings: ClockWarning[] = []
    if (this.#latestWrite - now > FAR_BEHIND) {
      warnings.push({ code: 'clock_behind', clock: now, newest: this.#latestWrite })
    }
    if (this.#jump !== undefined && this.#monotonic() < this.#jump.reportedUntil) {
      const { from, to } = this.#jump
      warnings.push({ code: 'clock_jumped', from, to })
    }
    return warnings
  }

  /** Returns the faults as sentences, with times and nothing of the data. */
  details(): HealthDetail[] {
    return this.warnings().map(warning => ({ code: warning.code, message: tell(warning) }))
  }

  /** Looks at the clock, and writes only a heartbeat that is due. It never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(error => this.#options.log.warn({ err: error }, 'the heartbeat could not be written'))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { db, clock } = this.#options
    const steady = this.#monotonic()
    const now = clock()
    const jumped = this.#findJump(now, steady)
    this.#latestWrite = (await db.read(INSTANCE, readInstance)).latest_write_at
    this.#noteBehind(clock())
    if (!jumped && steady - this.#lastBeat < BEAT) return
    // A heartbeat that cannot be written is not tried again each second.
    this.#lastBeat = steady
    await db.write(INSTANCE, beat)
  }

  #findJump(now: number, steady: number): boolean {
    const before = this.#offset
    this.#offset = now - steady
    const gained = this.#offset - before
    if (Math.abs(gained) <= JUMP) return false
    const from = now - gained
    const times = { from: toIso(from), to: toIso(now) }
    const { log } = this.#options
    const offsetBefore = this.#jump?.offsetBefore ?? before
    if (gained > 0 && this.#latestWrite - from > JUMP) {
      this.#jump = undefined
      log.info(times, 'the clock has learned the time')
    } else if (Math.abs(this.#offset - offsetBefore) <= JUMP) {
      this.#jump = undefined
      log.info(times, 'the clock was set back to what it was')
    } else {
      this.#jump = { from, to: now, offsetBefore, reportedUntil: steady + REPORTED_FOR }
      log.warn(times, 'the clock has jumped')
    }
    return true
  }

  #noteBehind(now: number): void {
    const isBehind = this.#latestWrite - now > FAR_BEHIND
    if (isBehind === this.#isBehind) return
    this.#isBehind = isBehind
    const times = { clock: toIso(now), newest_write: toIso(this.#latestWrite) }
    const { log } = this.#options
    if (isBehind) log.warn(times, 'the clock is more than a day behind the newest write')
    else log.info(times, 'the clock is no longer behind the newest write')
  }
}

function tell(warning: ClockWarning): string {
  if (warning.code === 'clock_jumped') {
    const { from, to } = warning
    return `The clock jumped from ${toIso(from)} to ${toIso(to)}. Set it right, if it is not.`
  }
  const { clock, newest } = warning
  const days = Math.floor((newest - clock) / DAY)
  return `The clock says ${toIso(clock)}, ${days} ${days === 1 ? 'day' : 'days'} behind the newest write, of ${toIso(newest)}. Set it right; if it is, run "turnout repair clock".`
}
