import type { ServerResponse } from 'node:http'
import { Problem } from '#base/problem.ts'

const MEBIBYTE = 1024 * 1024

/** The bytes that requests may keep in memory while they are under way. */
export interface MemoryLimits {
  ofKey: number
  /** It is more than for a key, so that others who share an address with a slow client can go on. */
  ofAddress: number
  /** The limit for all who have no key and are not signed in. The rest is for known callers. */
  ofVisitors: number
  ofAll: number
}

const LIMITS: MemoryLimits = {
  ofKey: 16 * MEBIBYTE,
  ofAddress: 32 * MEBIBYTE,
  ofVisitors: 40 * MEBIBYTE,
  ofAll: 64 * MEBIBYTE,
}

const VISITORS = 'visitors'

/** The bytes that a socket takes at once. An answer or body so small is not counted and never refused. */
export const SMALL = 16 * 1024

type Part = 'body' | 'answer'

/** A body is in memory twice: as it came, and parsed. */
const COPIES: Record<Part, number> = { body: 2, answer: 1 }

/**
 * Counts the memory of unread answers and of bodies under way: for each key, for each address and in all. A holder that keeps
 * nothing yet may keep one thing of any size, so that no answer is too large to get.
 */
export class MemoryBudget {
  readonly #limits: MemoryLimits
  readonly #kept = new Map<string, number>()
  #all = 0

  constructor(limits: Partial<MemoryLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  /** The bytes of all requests. */
  get kept(): number {
    return this.#all
  }

  /** The number of holders for whom something still counts. */
  get holders(): number {
    return this.#kept.size
  }

  /**
   * Returns the holding of this request. It keeps nothing at first and ends with the answer, however that ends.
   *
   * @param keyId of the API key, the person or the device that asks, or undefined for a visitor
   */
  open(response: ServerResponse, keyId: string | undefined, address: string): Holding {
    const ofAddress = [`address ${address}`, this.#limits.ofAddress] as const
    if (keyId === undefined) {
      return new Holding(this, response, [ofAddress, [VISITORS, this.#limits.ofVisitors]])
    }
    return new Holding(this, response, [[`key ${keyId}`, this.#limits.ofKey], ofAddress])
  }

  /**
   * Returns the holding of a scanner at a door. It counts for the scanner alone, because all scanners of a venue share one
   * address.
   */
  openForDevice(response: ServerResponse, deviceId: string): Holding {
    return new Holding(this, response, [[`device ${deviceId}`, this.#limits.ofKey]])
  }

  /** Counts bytes for all holders. @throws Problem rate_limited, unavailable */
  add(bytes: number, holders: Holders): void {
    for (const [name, limit] of holders) {
      const kept = this.#kept.get(name) ?? 0
      if (kept > 0 && kept + bytes > limit) {
        if (name === VISITORS) throw new Problem('unavailable')
        throw new Problem('rate_limited', {
          message:
            'Too much that was asked for with this key or from this address is still on its way. Read those answers, then retry.',
        })
      }
    }
    if (this.#all > 0 && this.#all + bytes > this.#limits.ofAll) throw new Problem('unavailable')
    for (const [name] of holders) this.#kept.set(name, (this.#kept.get(name) ?? 0) + bytes)
    this.#all += bytes
  }

  remove(bytes: number, holders: Holders): void {
    for (const [name] of holders) {
      const left = (this.#kept.get(name) ?? 0) - bytes
      if (left > 0) this.#kept.set(name, left)
      else this.#kept.delete(name)
    }
    this.#all -= bytes
  }
}

/** The names of holders with their limits. */
type Holders = readonly (readonly [name: string, limit: number])[]

/** The memory that one request keeps. */
export class Holding {
  readonly #budget: MemoryBudget
  readonly #response: ServerResponse
  readonly #holders: Holders
  readonly #parts: Record<Part, number> = { body: 0, answer: 0 }

  constructor(budget: MemoryBudget, response: ServerResponse, holders: Holders) {
    this.#budget = budget
    this.#response = response
    this.#holders = holders
    response.once('close', () => budget.remove(this.#parts.body + this.#parts.answer, holders))
  }

  /**
   * Sets the bytes that this part of the request keeps from now on.
   *
   * @throws Problem rate_limited if it is too much for its key or address, unavailable if it is too much in all
   */
  keep(part: Part, bytes: number): void {
    const counted = bytes > SMALL ? COPIES[part] * bytes : 0
    const more = counted - this.#parts[part]
    // Nothing would report the end of the answer for a client that has gone.
    if (more === 0 || this.#response.destroyed) return
    if (more > 0) this.#budget.add(more, this.#holders)
    else this.#budget.remove(-more, this.#holders)
    this.#parts[part] = counted
  }
}
