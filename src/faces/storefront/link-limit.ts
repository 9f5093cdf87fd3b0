import { AddressLimit, type AddressLimitOptions } from '#machinery/http/address-limit.ts'
import { isLoopback } from '#machinery/http/client-address.ts'
import type { Stage } from '#machinery/http/face.ts'
import { applyAllowance, RateLimiter } from '#machinery/http/rate-limit.ts'
import { type Purpose, readLinkSecret } from '#machinery/web/link-secret.ts'

/**
 * One address may send this many requests a minute to all its links together. It may stand for the wireless network of a venue.
 */
const OF_ADDRESS = 1_200
/** One link allows this many, whoever has it. */
const OF_LINK = 120
/**
 * One link allows this many even if its address has reached its limit, so that a flood of other links does not shut out people
 * who open their own tickets.
 */
const OF_LINK_AT_LEAST = 10
const KEPT_LINKS = 10_000

interface LinkLimitOptions extends Pick<AddressLimitOptions, 'clock' | 'clientAddress'> {
  /** The secret of the instance. */
  secret: string
}

/** Limits requests for the pages of an order or a ticket, because these pages are made anew each time. */
export class LinkLimit {
  readonly #secret: string
  readonly #addresses: AddressLimit
  readonly #links: RateLimiter

  constructor({ clock, clientAddress, secret }: LinkLimitOptions) {
    this.#secret = secret
    // This machine has no limit, because a proxy on it may not say which client it asks for.
    this.#addresses = new AddressLimit({ clock, clientAddress, most: OF_ADDRESS, isExempt: isLoopback })
    this.#links = new RateLimiter(clock, KEPT_LINKS)
  }

  /**
   * Limits routes whose first parameter is the secret of a link. A parameter that is no such secret counts only for its address.
   */
  stage(purpose: Purpose): Stage {
    return (context, next) => {
      const ofAddress = this.#addresses.count(context.req)
      const target = readLinkSecret(this.#secret, purpose, context.captures[0] ?? '')
      const most = ofAddress.allowed ? OF_LINK : OF_LINK_AT_LEAST
      applyAllowance(
        context,
        target === undefined ? ofAddress : this.#links.take(`${purpose} ${target.id}`, most),
      )
      return next()
    }
  }

  /** Limits routes that name no link. */
  readonly ofAddress: Stage = (context, next) => {
    this.#addresses.apply(context)
    return next()
  }
}
