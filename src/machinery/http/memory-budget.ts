import type { ServerResponse } from 'node:http'
import { Problem } from '../problem.ts'

const MEBIBYTE = 1024 * 1024

/** Bytes that requests may keep in memory while they are under way. */
export interface MemoryLimits {
  ofKey: number
  /** More than of a key: whoever shares an address with a slow client goes on. */
  ofAddress: number
  ofAll: number
}

const LIMITS: MemoryLimits = { ofKey: 16 * MEBIBYTE, ofAddress: 32 * MEBIBYTE, ofAll: 64 * MEBIBYTE }

/** What a socket takes at once, in bytes: so small an answer or body is not counted, and is never refused. */
export const SMALL = 16 * 1024

type Part = 'body' | 'answer'

/** A body is in memory as it came, and as what it was parsed into. */
const COPIES: Record<Part, number> = { body: 2, answer: 1 }

/**
 * Counts what answers that nobody has read yet, and bodies that are being received, keep in memory: of one key, of one
 * address and in all. Who keeps nothing yet may keep one thing of any size, so that no answer is too large to be had.
 */
export class MemoryBudget {
  readonly #limits: MemoryLimits
  readonly #kept = new Map<string, number>()
  #all = 0

  constructor(limits: Partial<MemoryLimits> = {}) {
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Bytes, of all requests. */
  get kept(): number {
    return this.#all
  }

  /** Whom it still counts for. */
  get holders(): number {
    return this.#kept.size
  }

  /**
   * What this request keeps, from nothing on, until its answer is over, however it ends.
   *
   * @param keyId undefined where no API key asks
   */
  open(response: ServerResponse, keyId: string | undefined, address: string): Holding {
    const ofAddress = [`address ${address}`, this.#limits.ofAddress] as const
    if (keyId === undefined) return new Holding(this, response, [ofAddress])
    return new Holding(this, response, [[`key ${keyId}`, this.#limits.ofKey], ofAddress])
  }

  /** @throws Problem rate_limited, unavailable */
  add(bytes: number, holders: Holders): void {
    for (const [name, limit] of holders) {
      const kept = this.#kept.get(name) ?? 0
      if (kept > 0 && kept + bytes > limit) {
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

/** Names with their limits. */
type Holders = readonly (readonly [name: string, limit: number])[]

/** What one request keeps. */
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
   * From now on this part of the request keeps so many bytes.
   *
   * @throws Problem rate_limited when it is too much for its key or address, unavailable when it is too much in all
   */
  keep(part: Part, bytes: number): void {
    const counted = bytes > SMALL ? COPIES[part] * bytes : 0
    const more = counted - this.#parts[part]
    // For a client that has gone, nobody would say when it is over.
    if (more === 0 || this.#response.destroyed) return
    if (more > 0) this.#budget.add(more, this.#holders)
    else this.#budget.remove(-more, this.#holders)
    this.#parts[part] = counted
  }
}
