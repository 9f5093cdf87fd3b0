import type { ReadTx } from '#machinery/db/port.ts'
import type { Server } from '#machinery/mail/kind.ts'
import type { TicketDocument } from '#machinery/ticket-documents/ticket-pdf.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { readAbout } from '#product/selling/orders/about.ts'
import { documentOf, validTickets } from '#product/selling/orders/documents.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readTicketUrls } from '#product/selling/orders/ticket-urls.ts'

/**
 * Returns what is printed of one ticket of a registration, in the language of its guest.
 *
 * @returns undefined for a ticket that admits nobody
 * @throws Problem not_found
 */
export async function readTicketDocument(
  tx: ReadTx,
  registrationId: string,
  ticketId: string,
  server: Server,
): Promise<TicketDocument | undefined> {
  const registration = await getDetails(tx, registrationId)
  const { event_id, buyer, language, confirmed_at, created_at } = registration
  const types = await registrationTypes.listDetails(tx, event_id)
  const ticket = validTickets({ registrations: [registration] }, types).find(({ id }) => id === ticketId)
  if (ticket === undefined) return undefined
  const order = await orders.findOrderOf(tx, registration)
  const urlOf = await readTicketUrls(tx, registrationId, server)
  const { event, account } = await readAbout(tx, event_id, language)
  const printed = {
    ...ticket,
    holder: ticket.holder ?? buyer.name,
    url: urlOf?.(ticketId) ?? null,
  }
  const of = { reference: order?.reference ?? null, confirmed_at, created_at: created_at as string }
  return documentOf(of, event, { organizer: account.name, language, tickets: [printed] })
}
