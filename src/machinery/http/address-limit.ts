import type { IncomingMessage } from 'node:http'
import type { Clock } from '../time.ts'
import { addressGroup } from './client-address.ts'
import type { Context, Stage } from './face.ts'
import { type Allowance, applyAllowance, RateLimiter, rateLimitHeaders } from './rate-limit.ts'

const PUBLIC_LIMIT = 120
const KEPT_ADDRESSES = 10_000

export interface AddressLimitOptions {
  clock: Clock
  clientAddress: (request: IncomingMessage) => string
  /** Requests a minute. */
  most?: number
  /** Addresses that have no limit. */
  isExempt?: (address: string) => boolean
}

/** Counts requests of one kind by the address that they come from. */
export class AddressLimit {
  readonly #options: AddressLimitOptions
  readonly #limiter: RateLimiter

  constructor(options: AddressLimitOptions) {
    this.#options = options
    this.#limiter = new RateLimiter(options.clock, KEPT_ADDRESSES)
  }

  /** @throws Problem rate_limited */
  readonly stage: Stage = (context, next) => {
    this.apply(context)
    return next()
  }

  /** Counts a request, and says so in its answer. @throws Problem rate_limited */
  apply(context: Context): void {
    applyAllowance(context, this.count(context.req))
  }

  count(request: IncomingMessage): Allowance {
    return this.#limiter.take(...this.#limitOf(request))
  }

  /** The headers of an answer that counts for nobody. */
  headersOf(request: IncomingMessage): Record<string, string> {
    return rateLimitHeaders(this.#limiter.look(...this.#limitOf(request)))
  }

  #limitOf(request: IncomingMessage): [group: string, most: number] {
    const { clientAddress, most = PUBLIC_LIMIT, isExempt } = this.#options
    const address = clientAddress(request)
    return [addressGroup(address), isExempt?.(address) ? 0 : most]
  }
}
