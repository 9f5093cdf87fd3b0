import { Problem } from '#base/problem.ts'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import type { Context } from './face.ts'

/** The content of the rate-limit headers: specification section 8. */
export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Epoch seconds, rounded up, at which the oldest counted request leaves the window. */
  reset: number
  /** Seconds until then. */
  retryAfter: number
}

/** The limit and remaining requests that keys without a limit show. */
const UNLIMITED = 2_147_483_647

/**
 * Sliding windows, one a name, of 60 seconds unless another length is given. A refused request does not count. The least recently used windows leave first, and
 * those that no longer count anything leave by themselves.
 */
export class RateLimiter {
  readonly #windows = new Map<string, Window>()
  readonly #clock: Clock
  readonly #kept: number
  readonly #length: number

  /** @param length of each window, in milliseconds */
  constructor(clock: Clock, kept: number, length = MINUTE) {
    this.#clock = clock
    this.#kept = kept
    this.#length = length
  }

  /** Counts a request of `name`. @param limit requests a window, or 0 for no limit */
  take(name: string, limit: number): Allowance {
    const now = this.#clock()
    if (limit === 0) return unlimited(now)
    this.#forgetIdle(now)
    const window = this.#windows.get(name) ?? new Window(this.#length)
    this.#windows.delete(name)
    this.#windows.set(name, window)
    if (this.#windows.size > this.#kept) this.#windows.delete(this.#windows.keys().next().value as string)
    return window.take(now, limit)
  }

  /** The number of windows that are kept now. */
  get size(): number {
    return this.#windows.size
  }

  /** Forgets idle windows, which would keep their instants. Thousands that were busy once would take hundreds of megabytes. */
  #forgetIdle(now: number): void {
    for (const [name, window] of this.#windows) {
      if (!window.isIdle(now)) return
      this.#windows.delete(name)
    }
  }

  /** Returns the state of `name` and counts nothing. */
  look(name: string, limit: number): Allowance {
    const now = this.#clock()
    return limit === 0
      ? unlimited(now)
      : (this.#windows.get(name) ?? new Window(this.#length)).look(now, limit)
  }
}

class Window {
  #times: number[] = []
  #first = 0
  readonly #length: number

  constructor(length: number) {
    this.#length = length
  }

  take(now: number, limit: number): Allowance {
    this.#forget(now)
    const allowed = this.#times.length - this.#first < limit
    if (allowed) this.#times.push(now)
    return this.#allowance(now, limit, allowed)
  }

  look(now: number, limit: number): Allowance {
    this.#forget(now)
    return this.#allowance(now, limit, this.#times.length - this.#first < limit)
  }

  isIdle(now: number): boolean {
    const newest = this.#times.at(-1)
    return newest === undefined || newest <= now - this.#length
  }

  #forget(now: number): void {
    // A clock that was set back would otherwise keep old requests for as long as it was set back.
    if ((this.#times.at(-1) ?? now) > now) this.#first = this.#times.length
    while (this.#first < this.#times.length && (this.#times[this.#first] as number) <= now - this.#length)
      this.#first++
    if (this.#first > 64 && this.#first * 2 > this.#times.length) {
      this.#times = this.#times.slice(this.#first)
      this.#first = 0
    }
  }

  #allowance(now: number, limit: number, allowed: boolean): Allowance {
    const oldest = this.#times[this.#first]
    const reset = Math.ceil((oldest === undefined ? now : oldest + this.#length) / SECOND)
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - (this.#times.length - this.#first)),
      reset,
      retryAfter: Math.max(1, reset - Math.floor(now / SECOND)),
    }
  }
}

function unlimited(now: number): Allowance {
  return {
    allowed: true,
    limit: UNLIMITED,
    remaining: UNLIMITED,
    reset: Math.ceil(now / SECOND),
    retryAfter: 0,
  }
}

export const RATE_LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(allowance.limit),
    'X-RateLimit-Remaining': String(allowance.remaining),
    'X-RateLimit-Reset': String(allowance.reset),
  }
}

/** Writes the count into an answer. @throws Problem rate_limited */
export function applyAllowance(context: Context, allowance: Allowance): void {
  context.set(rateLimitHeaders(allowance))
  if (allowance.allowed) return
  context.set('Retry-After', String(allowance.retryAfter))
  throw new Problem('rate_limited')
}
