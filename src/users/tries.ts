import { createHash } from 'node:crypto'
import { type Clock, MINUTE, SECOND } from '../time.ts'

/** How long a try counts, in milliseconds. */
const SPAN = 15 * MINUTE
const MOST = 10
/**
 * Names that are kept: more than passwords can be compared in that time, some 10,000 on a small machine, as what is counted is
 * compared. So nobody drives out the tries at one e-mail by many at others.
 */
const KEPT = 40_000

/** Counts the tries of a quarter of an hour by name; one that is refused does not count, so that it prolongs nothing. */
export class Tries {
  readonly #clock: Clock
  readonly #times = new Map<string, number[]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Names that are kept now. */
  get size(): number {
    return this.#times.size
  }

  /** Counts a try, before it is known what comes of it. @returns the seconds until one is allowed, where it is not */
  take(name: string): number | undefined {
    const now = this.#clock()
    const key = keyOf(name)
    // A clock that was set back would keep those of its future for as long as it was set back.
    const times = (this.#times.get(key) ?? []).filter(time => time > now - SPAN && time <= now)
    const [oldest = now] = times
    const isAllowed = times.length < MOST
    if (isAllowed) times.push(now)
    // The name that was tried longest ago stands first, and leaves first.
    this.#times.delete(key)
    this.#times.set(key, times)
    if (this.#times.size > KEPT) this.#times.delete(this.#times.keys().next().value as string)
    return isAllowed ? undefined : Math.max(1, Math.ceil((oldest + SPAN - now) / SECOND))
  }

  /** Takes back one try, which was none to guess. */
  giveBack(name: string): void {
    this.#times.get(keyOf(name))?.pop()
  }

  clear(name: string): void {
    this.#times.delete(keyOf(name))
  }
}

/** Short, however long the name is. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
