import { AddressLimit } from '../../http/address-limit.ts'
import { addressGroup } from '../../http/client-address.ts'
import { applyAllowance, RateLimiter } from '../../http/rate-limit.ts'
import * as keys from '../../keys/rules.ts'
import { Problem } from '../../problem.ts'
import type { Services, Stage } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import type { Route } from '../route.ts'
import { KEPT_KEYS, LastUse } from './last-use.ts'

/** Requests a minute of one address with a key that is missing or refused. */
const FAILED_KEY_LIMIT = 30

/** The stages that decide who may ask, and how often. */
export class Admission {
  readonly #services: Services
  readonly #lastUse: LastUse
  readonly #ofKeys: RateLimiter
  readonly #ofFailedKeys: AddressLimit

  constructor(services: Services) {
    const { clock, clientAddress } = services
    this.#services = services
    this.#lastUse = new LastUse(services)
    this.#ofKeys = new RateLimiter(clock, KEPT_KEYS)
    this.#ofFailedKeys = new AddressLimit({ clock, clientAddress, most: FAILED_KEY_LIMIT })
  }

  /** @throws Problem of authentication_error; rate_limited where there were too many of them */
  readonly authenticate: Stage = async (context, next) => {
    const { db, clock } = this.#services
    const { state } = context
    try {
      const key = readCredentials(context.req)
      state.caller = await db.read(tx => keys.authenticate(tx, key, clock()), { ahead: true })
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
