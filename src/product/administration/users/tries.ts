import { createHash } from 'node:crypto'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'

/** How long a try counts, in milliseconds, and how many tries may count at a time. */
const SPAN = 15 * MINUTE
const MOST = 10
/** The most tries of a /48, which may be one customer or several. It is what three addresses may have. */
const MOST_OF_NETWORK = 30
/**
 * The most names that are kept. It is more than the passwords that can be compared within the span, some 10,000 on a small
 * machine, because each counted try is also compared. So nobody can displace the tries at one e-mail by trying many others.
 */
const KEPT = 40_000

/** Counts tries by name over a quarter of an hour. A refused try does not count, so it does not prolong the wait. */
export class Tries {
  readonly #clock: Clock
  readonly #span: number
  readonly #most: number
  readonly #times = new Map<string, number[]>()

  /** @param options.span in milliseconds */
  constructor(clock: Clock, { span = SPAN, most = MOST }: { span?: number; most?: number } = {}) {
    this.#clock = clock
    this.#span = span
    this.#most = most
  }

  /** Returns how many names are kept now. */
  get size(): number {
    return this.#times.size
  }

  /** Counts a try before its outcome is known. @returns the seconds until the next one is allowed, if this one is not */
  take(name: string): number | undefined {
    const now = this.#clock()
    const key = keyOf(name)
    // After the clock was set back, tries from its future would otherwise count for too long.
    const times = (this.#times.get(key) ?? []).filter(time => time > now - this.#span && time <= now)
    const [oldest = now] = times
    const isAllowed = times.length < this.#most
    if (isAllowed) times.push(now)
    // The name that was tried longest ago comes first, and is dropped first.
    this.#times.delete(key)
    this.#times.set(key, times)
    if (this.#times.size > KEPT) this.#times.delete(this.#times.keys().next().value as string)
    return isAllowed ? undefined : Math.max(1, Math.ceil((oldest + this.#span - now) / SECOND))
  }

  /** Takes back a try that was no guess. A name without tries is dropped, so that free tries displace nobody. */
  giveBack(name: string): void {
    const key = keyOf(name)
    const times = this.#times.get(key)
    times?.pop()
    if (times?.length === 0) this.#times.delete(key)
  }

  clear(name: string): void {
    this.#times.delete(keyOf(name))
  }
}

/** The names by which one try counts, each with the counter it belongs to. */
export type Counted = readonly (readonly [tries: Tries, name: string])[]

/** Counts a try under all of its names, or under none. @returns the seconds to wait, if one of the names has too many */
export function takeAll(counted: Counted): number | undefined {
  for (const [at, [tries, name]] of counted.entries()) {
    const retryAfter = tries.take(name)
    if (retryAfter === undefined) continue
    giveBackAll(counted.slice(0, at))
    return retryAfter
  }
  return undefined
}

export function giveBackAll(counted: Counted): void {
  for (const [tries, name] of counted) tries.giveBack(name)
}

/** How addresses are grouped for counting. */
export interface Places {
  /** Returns the address itself, or for IPv6 its /64. */
  groupOf: (address: string) => string
  /** Returns the /48 of an IPv6 address. */
  networkOf: (address: string) => string | undefined
}

/** Counts tries by the place they come from. */
export class AddressTries {
  readonly #places: Places
  readonly #ofGroups: Tries
  readonly #ofNetworks: Tries

  constructor({ clock, places }: { clock: Clock; places: Places }) {
    this.#places = places
    this.#ofGroups = new Tries(clock)
    this.#ofNetworks = new Tries(clock, { most: MOST_OF_NETWORK })
  }

  of(address: string): Counted {
    const network = this.#places.networkOf(address)
    const ofGroup = [this.#ofGroups, this.#places.groupOf(address)] as const
    return network === undefined ? [ofGroup] : [ofGroup, [this.#ofNetworks, network]]
  }
}

/** Makes a short key, however long the name is. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
