import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { MailToSend, Server } from '#machinery/mail/kind.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { type ValidTicket, validTickets } from './documents.ts'
import { orderUrl } from './links.ts'
import * as orders from './rules.ts'
import { readTicketUrls } from './ticket-urls.ts'

/** Says what somebody has of an event, as far as a mail to them shows it. */
export interface RecipientTickets {
  /** Their own tickets, each with its page. */
  tickets: (ValidTicket & { url: string })[]
  /** The page of one of their orders. */
  orderUrl: string | undefined
  /** Whether they hold a ticket or are the buyer of a registration that counts. */
  isAny: boolean
  /** Whether at least a part was confirmed and does not wait for approval. */
  isConfirmed: boolean
}

/** Returns the addresses that only the recipient of a mail may read. */
export function secretsOf({ tickets, orderUrl: url }: RecipientTickets): string[] {
  return [...(url === undefined ? [] : [url]), ...tickets.map(ticket => ticket.url)]
}

/**
 * Reads what somebody now has of the registrations that a mail was written for.
 *
 * @param withCancelled whether a registration that was cancelled or refunded since still counts
 */
export async function readRecipientTickets(
  tx: ReadTx,
  { event_id, recipient, details }: MailToSend,
  server: Server,
  withCancelled: boolean,
): Promise<RecipientTickets> {
  const types = await registrationTypes.listDetails(tx, event_id as string)
  const key = emailKey(recipient)
  const owned: RecipientTickets = { tickets: [], orderUrl: undefined, isAny: false, isConfirmed: false }
  for (const id of details.about as string[]) {
    const registration = await registrations.findRegistration(tx, id)
    const isConfirmed = registration?.status === 'confirmed'
    const isCancelled = registration?.status === 'cancelled' || registration?.status === 'refunded'
    if (
      registration === undefined ||
      !(isConfirmed || registration.status === 'pending' || (withCancelled && isCancelled))
    )
      continue
    const { buyer, attendees, confirmed_at } = registration
    const isBuyer = emailKey(buyer.email) === key
    const isHolder = attendees.some(({ email }) => email !== null && emailKey(email) === key)
    const own = validTickets({ registrations: [registration] }, types).filter(
      ({ email }) => emailKey(email ?? buyer.email) === key,
    )
    if (!isBuyer && own.length === 0 && !(isCancelled && isHolder)) continue
    owned.isAny = true
    owned.isConfirmed ||= confirmed_at !== null
    const order = await orders.findOrderOf(tx, registration)
    if (isBuyer && order !== undefined) owned.orderUrl ??= orderUrl(server, order)
    const urlOf = await readTicketUrls(tx, id, server)
    if (urlOf !== undefined) owned.tickets.push(...own.map(ticket => ({ ...ticket, url: urlOf(ticket.id) })))
  }
  return owned
}
