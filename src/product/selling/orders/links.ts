import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Server } from '#machinery/mail/kind.ts'
import type { Order } from './schemas.ts'

/** The paths of orders and tickets, below the address of a server. */
export const ORDERS_PATH = '/orders'
export const TICKETS_PATH = '/tickets'

/**
 * What a link is for: an order, one of its tickets, or the verification by the buyer. Only the buyer's mail has the last one,
 * which shows that the mail reached them.
 */
export type Purpose = 'order' | 'ticket' | 'verify'

const ID = 16
const VERSION = 2
const MAC = 16

/** What a link leads to. */
export interface LinkTarget {
  /** The id of the order or the ticket. */
  id: string
  /** The version of the links of the order, or of the registration if it was not ordered. Earlier ones lead nowhere. */
  version: number
}

/**
 * Returns the secret of a link. Nobody can guess it, and the server can make it again for a later mail. It has 46 letters,
 * digits, `-` and `_`.
 *
 * @param secret the secret of the instance
 */
export function linkSecret(secret: string, purpose: Purpose, { id, version }: LinkTarget): string {
  const bytes = Buffer.alloc(ID + VERSION)
  bytes.write(id.replaceAll('-', ''), 'hex')
  // Nobody renews a link 65,536 times.
  bytes.writeUInt16BE(version % 65_536, ID)
  return Buffer.concat([bytes, macOf(secret, purpose, bytes)]).toString('base64url')
}

/**
 * Reads the secret of a link without looking anything up. A wrong secret thus takes the same time whether or not there is such an
 * order.
 *
 * @returns undefined for a secret that was not made here for this purpose
 */
export function readLinkSecret(secret: string, purpose: Purpose, text: string): LinkTarget | undefined {
  if (!/^[\w-]{46}$/.test(text)) return undefined
  const given = Buffer.from(text, 'base64url')
  // The last letter has spare bits, so several texts decode to the same bytes.
  if (given.toString('base64url') !== text) return undefined
  const bytes = given.subarray(0, ID + VERSION)
  if (!timingSafeEqual(given.subarray(ID + VERSION), macOf(secret, purpose, bytes))) return undefined
  const id = bytes.subarray(0, ID).toString('hex')
  return {
    id: [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-'),
    version: bytes.readUInt16BE(ID),
  }
}

function macOf(secret: string, purpose: Purpose, bytes: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${purpose} link\n`).update(bytes).digest().subarray(0, MAC)
}

/** Returns the address of an order's page. Whoever has it may do what its buyer may. */
export function orderUrl({ baseUrl, secret }: Server, { id, secret_version: version }: Order): string {
  return `${baseUrl}${ORDERS_PATH}/${linkSecret(secret, 'order', { id, version })}`
}

/**
 * Returns the address of one holder's ticket, which does not show the money.
 *
 * @param of the order, or whatever else has the version of its links
 * @param id of the ticket
 */
export function ticketUrl(
  { baseUrl, secret }: Server,
  { secret_version: version }: Pick<Order, 'secret_version'>,
  id: string,
): string {
  return `${baseUrl}${TICKETS_PATH}/${linkSecret(secret, 'ticket', { id, version })}`
}

/** Returns the address where a buyer confirms that others shall get their tickets. Only the buyer's own mail has it. */
export function verifyUrl({ baseUrl, secret }: Server, { id, secret_version: version }: Order): string {
  return `${baseUrl}${ORDERS_PATH}/${linkSecret(secret, 'verify', { id, version })}/confirm`
}

/** Adds to each ticket the address of its own page. A link that is passed on with a ticket must not lead to the order. */
export function withPages<Ticket extends { id: string }>(
  server: Server,
  order: Pick<Order, 'secret_version'>,
  tickets: readonly Ticket[],
): (Ticket & { url: string })[] {
  return tickets.map(ticket => ({ ...ticket, url: ticketUrl(server, order, ticket.id) }))
}
