import type { Server } from '#machinery/mail/kind.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import type { Order } from './schemas.ts'

/** The paths of orders and tickets, below the address of a server. */
export const ORDERS_PATH = '/orders'
export const TICKETS_PATH = '/tickets'

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
