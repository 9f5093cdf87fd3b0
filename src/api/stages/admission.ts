import type { IncomingMessage } from 'node:http'
import { addressGroup, isLoopback } from '../../http/client-address.ts'
import { type Allowance, RateLimiter, rateLimitHeaders } from '../../http/rate-limit.ts'
import * as keys from '../../keys/rules.ts'
import { Problem } from '../../problem.ts'
import type { Context, Services, Stage } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import type { Route } from '../route.ts'
import { KEPT_KEYS, LastUse } from './last-use.ts'

/** Requests a minute of one address: to public and unknown paths, and with a key that is missing or refused. */
const PUBLIC_LIMIT = 120
const FAILED_KEY_LIMIT = 30
const KEPT_ADDRESSES = 10_000

/** The stages that decide who may ask, and how often. */
export class Admission {
  readonly #services: Services
  readonly #lastUse: LastUse
  readonly #ofKeys: RateLimiter
  readonly #ofPublic: RateLimiter
  readonly #ofFailedKeys: RateLimiter
  readonly #ofHealth: RateLimiter

  constructor(services: Services) {
    const { clock } = services
    this.#services = services
    this.#lastUse = new LastUse(services)
    this.#ofKeys = new RateLimiter(clock, KEPT_KEYS)
    this.#ofPublic = new RateLimiter(clock, KEPT_ADDRESSES)
    this.#ofFailedKeys = new RateLimiter(clock, KEPT_ADDRESSES)
    this.#ofHealth = new RateLimiter(clock, KEPT_ADDRESSES)
  }

  readonly authenticate: Stage = async (context, next) => {
    const { db, clock } = this.#services
    try {
      const key = readCredentials(context.req)
      context.state.caller = await db.read(tx => keys.authenticate(tx, key, clock()), { ahead: true })
    } catch (error) {
      if (error instanceof Problem)
        apply(context, this.#ofFailedKeys.take(this.#groupOf(context.req), FAILED_KEY_LIMIT))
      throw error
    }
    return next()
  }

  readonly limitKey: Stage = (context, next) => {
    const { caller } = context.state
    apply(context, this.#ofKeys.take(caller.keyId, caller.rateLimit))
    this.#lastUse.mark(caller)
    context.state.holding = this.#services.memory.open(context.res, caller.keyId, this.#groupOf(context.req))
    return next()
  }

  readonly limitAddress: Stage = (context, next) => {
    apply(context, this.countAddress(context.req))
    return next()
  }

  /**
   * Its own count, so that nobody uses it up by asking for something else; and none for this machine, where the proxy that
   * watches over the service may pass on what others ask without saying who they are.
   */
  readonly limitHealth: Stage = (context, next) => {
    const address = this.#services.clientAddress(context.req)
    const limit = isLoopback(address) ? 0 : PUBLIC_LIMIT
    apply(context, this.#ofHealth.take(addressGroup(address), limit))
    return next()
  }

  /** Counts a request to what is public, or what is no request at all. */
  countAddress(request: IncomingMessage): Allowance {
    return this.#ofPublic.take(this.#groupOf(request), PUBLIC_LIMIT)
  }

  /** The rate-limit headers of an answer that counts for nobody. */
  headersOfAddress(request: IncomingMessage): Record<string, string> {
    return rateLimitHeaders(this.#ofPublic.look(this.#groupOf(request), PUBLIC_LIMIT))
  }

  #groupOf(request: IncomingMessage): string {
    return addressGroup(this.#services.clientAddress(request))
  }
}

/** @throws Problem insufficient_scope */
export function requireScope({ scope }: Route): Stage {
  return (context, next) => {
    if (!context.state.caller.scopes.includes(scope)) {
      throw new Problem('insufficient_scope', { details: { required_scope: scope } })
    }
    return next()
  }
}

/** @throws Problem rate_limited */
function apply(context: Context, allowance: Allowance): void {
  context.set(rateLimitHeaders(allowance))
  if (allowance.allowed) return
  context.set('Retry-After', String(allowance.retryAfter))
  throw new Problem('rate_limited')
}
