import type { IncomingMessage } from 'node:http'
import type { Clock } from '#base/time.ts'
import { addressGroup, addressNetwork } from './client-address.ts'
import type { Context, Stage } from './face.ts'
import { type Allowance, applyAllowance, RateLimiter, rateLimitHeaders } from './rate-limit.ts'

const PUBLIC_LIMIT = 120
const KEPT_ADDRESSES = 10_000
/** A /48 may be one customer, or many customers of a mobile network. It has the limit of so many addresses. */
const GROUPS_OF_NETWORK = 8

export interface AddressLimitOptions {
  clock: Clock
  clientAddress: (request: IncomingMessage) => string
  /** Requests a window. */
  most?: number
  /** The length of the window, in milliseconds: a minute unless given. */
  window?: number
  /** Returns whether an address has no limit. */
  isExempt?: (address: string) => boolean
}

/** Counts requests of one kind by the address that they come from, and for IPv6 by its /48 as well. */
export class AddressLimit {
  readonly #options: AddressLimitOptions
  readonly #ofGroups: RateLimiter
  readonly #ofNetworks: RateLimiter

  constructor(options: AddressLimitOptions) {
    this.#options = options
    this.#ofGroups = new RateLimiter(options.clock, KEPT_ADDRESSES, options.window)
    this.#ofNetworks = new RateLimiter(options.clock, KEPT_ADDRESSES, options.window)
  }

  /** Counts a request as a stage of a face. @throws Problem rate_limited */
  readonly stage: Stage = (context, next) => {
    this.apply(context)
    return next()
  }

  /** Tells whether nobody has a limit. */
  get isOff(): boolean {
    return this.#options.most === 0
  }

  /** Counts a request and writes the count into its answer. @throws Problem rate_limited */
  apply(context: Context): void {
    applyAllowance(context, this.count(context.req))
  }

  count(request: IncomingMessage): Allowance {
    const { group, network, most } = this.#limitOf(request)
    const refused = this.#refusedNetwork(network, most)
    // A refused network makes no new groups, which would drive out those of others.
    if (refused !== undefined) return refused
    const allowance = this.#ofGroups.take(group, most)
    if (allowance.allowed && network !== undefined) this.#ofNetworks.take(network, most * GROUPS_OF_NETWORK)
    return allowance
  }

  /** Returns the headers of an answer that counts for nobody. */
  headersOf(request: IncomingMessage): Record<string, string> {
    const { group, network, most } = this.#limitOf(request)
    return rateLimitHeaders(this.#refusedNetwork(network, most) ?? this.#ofGroups.look(group, most))
  }

  #refusedNetwork(network: string | undefined, most: number): Allowance | undefined {
    if (network === undefined) return undefined
    const allowance = this.#ofNetworks.look(network, most * GROUPS_OF_NETWORK)
    return allowance.allowed ? undefined : { ...allowance, limit: most }
  }

  #limitOf(request: IncomingMessage): { group: string; network: string | undefined; most: number } {
    const { clientAddress, most = PUBLIC_LIMIT, isExempt } = this.#options
    const address = clientAddress(request)
    return {
      group: addressGroup(address),
      network: addressNetwork(address),
      most: isExempt?.(address) ? 0 : most,
    }
  }
}
