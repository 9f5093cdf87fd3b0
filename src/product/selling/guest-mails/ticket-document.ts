import type { ReadTx } from '#machinery/db/port.ts'
import type { Server } from '#machinery/mail/kind.ts'
import type { TicketDocument } from '#machinery/ticket-documents/ticket-pdf.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { readAbout } from '#product/selling/orders/about.ts'
import { documentOf, validTickets } from '#product/selling/orders/documents.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readTicketUrls } from '#product/selling/orders/ticket-urls.ts'
import type { Language } from '#texts/languages.ts'

/**
 * Returns what is printed of one ticket of a registration, in the language of its guest or in another one.
 *
 * @returns undefined for a ticket that admits nobody
 * @throws Problem not_found
 */
export async function readTicketDocument(
  tx: ReadTx,
  of: { registrationId: string; ticketId: string; language?: Language },
  server: Server,
): Promise<TicketDocument | undefined> {
  const { registrationId, ticketId } = of
  const registration = await getDetails(tx, registrationId)
  const { event_id, buyer, confirmed_at, created_at } = registration
  const { language = registration.language } = of
  const types = await registrationTypes.listDetails(tx, event_id)
  const ticket = validTickets({ registrations: [registration] }, types).find(({ id }) => id === ticketId)
  if (ticket === undefined) return undefined
  const order = await orders.findOrderOf(tx, registration)
  const urlOf = await readTicketUrls(tx, registrationId, server)
  const { event, account, look } = await readAbout(tx, event_id, language)
  const printed = {
    ...ticket,
    holder: ticket.holder ?? buyer.name,
    url: urlOf?.(ticketId) ?? null,
  }
  const issued = { reference: order?.reference ?? null, confirmed_at, created_at: created_at as string }
  return documentOf(issued, event, { account, look, language, tickets: [printed] })
}
