import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { networksOf } from '#machinery/http/client-address.ts'
import type { StorefrontServices } from './storefront-services.ts'

/**
 * A network's name has this many letters. Without the secret of the instance, nobody can try all addresses to find out whose name
 * it is.
 */
const LENGTH = 16

/**
 * Returns the networks of the client, as the server counts mails by them. It returns none if the server does not count the orders
 * of an address.
 */
export function placedFrom(
  { secret, orderLimit, clientAddress }: Pick<StorefrontServices, 'secret' | 'orderLimit' | 'clientAddress'>,
  request: IncomingMessage,
): string[] {
  if (orderLimit.isOff) return []
  return networksOf(clientAddress(request)).map(network =>
    createHmac('sha256', secret)
      .update(`network of an order\n${network}`)
      .digest('base64url')
      .slice(0, LENGTH),
  )
}
