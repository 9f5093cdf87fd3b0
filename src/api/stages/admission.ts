import type { IncomingMessage } from 'node:http'
import { addressGroup, isLoopback } from '../../http/client-address.ts'
import { type Allowance, RateLimiter, rateLimitHeaders } from '../../http/rate-limit.ts'
import * as keys from '../../keys/rules.ts'
import { Problem } from '../../problem.ts'
import { MINUTE } from '../../time.ts'
import type { Context, Services, Stage } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import type { Route } from '../route.ts'

/** Requests a minute of one address: to public and unknown paths, and with a key that is missing or refused. */
const PUBLIC_LIMIT = 120
const FAILED_KEY_LIMIT = 30
const KEPT_ADDRESSES = 10_000
const KEPT_KEYS = 100_000

/** The stages that decide who may ask, and how often. */
export function admissionStages({ db, clock, log, memory, clientAddress }: Services) {
  const keyLimiter = new RateLimiter(clock, KEPT_KEYS)
  const publicLimiter = new RateLimiter(clock, KEPT_ADDRESSES)
  const failedKeyLimiter = new RateLimiter(clock, KEPT_ADDRESSES)
  const healthLimiter = new RateLimiter(clock, KEPT_ADDRESSES)
  const lastMarked = new Map<string, number>()

  const groupOf = (request: IncomingMessage) => addressGroup(clientAddress(request))

  function apply(context: Context, allowance: Allowance): void {
    context.set(rateLimitHeaders(allowance))
    if (allowance.allowed) return
    context.set('Retry-After', String(allowance.retryAfter))
    throw new Problem('rate_limited')
  }

  /** Keeps when a key was last used, at most once a minute; the request does not wait for it. */
  function markUsed(caller: keys.Caller): void {
    const now = clock()
    const last = lastMarked.get(caller.keyId) ?? caller.lastUsedAt ?? 0
    // One that lies ahead was told by a clock that was.
    if (Math.abs(now - last) < MINUTE) return
    // The oldest leave first.
    lastMarked.delete(caller.keyId)
    lastMarked.set(caller.keyId, now)
    if (lastMarked.size > KEPT_KEYS) lastMarked.delete(lastMarked.keys().next().value as string)
    db.write(tx => keys.markUsed(tx, caller.keyId, now)).catch(error =>
      log.warn({ err: error, key_id: caller.keyId }, 'the last use of a key could not be recorded'),
    )
  }

  const authenticate: Stage = async (context, next) => {
    try {
      const key = readCredentials(context.req)
      context.state.caller = await db.read(tx => keys.authenticate(tx, key, clock()), { ahead: true })
    } catch (error) {
      if (error instanceof Problem)
        apply(context, failedKeyLimiter.take(groupOf(context.req), FAILED_KEY_LIMIT))
      throw error
    }
    return next()
  }

  const limitKey: Stage = (context, next) => {
    const { caller } = context.state
    apply(context, keyLimiter.take(caller.keyId, caller.rateLimit))
    markUsed(caller)
    context.state.holding = memory.open(context.res, caller.keyId, groupOf(context.req))
    return next()
  }

  const limitAddress: Stage = (context, next) => {
    apply(context, publicLimiter.take(groupOf(context.req), PUBLIC_LIMIT))
    return next()
  }

  /**
   * Its own count, so that nobody uses it up by asking for something else; and none for this machine, where the proxy that
   * watches over the service may pass on what others ask without saying who they are.
   */
  const limitHealth: Stage = (context, next) => {
    const address = clientAddress(context.req)
    const limit = isLoopback(address) ? 0 : PUBLIC_LIMIT
    apply(context, healthLimiter.take(addressGroup(address), limit))
    return next()
  }

  const requireScope =
    ({ scope }: Route): Stage =>
    (context, next) => {
      if (!context.state.caller.scopes.includes(scope)) {
        throw new Problem('insufficient_scope', { details: { required_scope: scope } })
      }
      return next()
    }

  return {
    authenticate,
    limitKey,
    limitAddress,
    limitHealth,
    requireScope,
    /** Counts what is no request at all. */
    countAddress: (request: IncomingMessage) => publicLimiter.take(groupOf(request), PUBLIC_LIMIT),
    /** The rate-limit headers of an answer that counts for nobody. */
    headersOfAddress: (request: IncomingMessage) =>
      rateLimitHeaders(publicLimiter.look(groupOf(request), PUBLIC_LIMIT)),
  }
}

export type Admission = ReturnType<typeof admissionStages>
