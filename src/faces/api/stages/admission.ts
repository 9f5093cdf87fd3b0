import { Problem } from '#base/problem.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { addressGroup } from '#machinery/http/client-address.ts'
import { applyAllowance, RateLimiter } from '#machinery/http/rate-limit.ts'
import { AcceptedKeys } from '#product/administration/keys/accepted-keys.ts'
import type { Services, Stage } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import type { Route } from '../route.ts'
import { KEPT_KEYS, LastUse } from './last-use.ts'

/** One address may send this many requests a minute with a key that is missing or refused. */
const FAILED_KEY_LIMIT = 30

/** These stages decide who may send requests, and how often. */
export class Admission {
  readonly #services: Services
  readonly #keys: AcceptedKeys
  readonly #lastUse: LastUse
  readonly #ofKeys: RateLimiter
  readonly #ofFailedKeys: AddressLimit

  constructor(services: Services) {
    const { clock, clientAddress } = services
    this.#services = services
    this.#keys = new AcceptedKeys(services)
    this.#lastUse = new LastUse(services)
    this.#ofKeys = new RateLimiter(clock, KEPT_KEYS)
    this.#ofFailedKeys = new AddressLimit({ clock, clientAddress, most: FAILED_KEY_LIMIT })
  }

  /** @throws Problem of the type authentication_error; rate_limited if the address sent too many such requests */
  readonly authenticate: Stage = async (context, next) => {
    const { state } = context
    try {
      const key = readCredentials(context.req)
      state.caller = this.#keys.find(key) ?? (await this.#keys.accept(key))
    } catch (error) {
      if (error instanceof Problem) {
        this.#ofFailedKeys.apply(context)
        context.set('WWW-Authenticate', 'Bearer')
      }
      throw error
    }
    state.asker = { key_id: state.caller.keyId }
    return next()
  }

  readonly limitKey: Stage = (context, next) => {
    const { caller } = context.state
    applyAllowance(context, this.#ofKeys.take(caller.keyId, caller.rateLimit))
    this.#lastUse.mark(caller)
    const { memory, clientAddress } = this.#services
    context.state.holding = memory.open(context.res, caller.keyId, addressGroup(clientAddress(context.req)))
    return next()
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
