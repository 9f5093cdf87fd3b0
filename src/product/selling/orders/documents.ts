import type { PrintedTicket, TicketDocument } from '#machinery/ticket-documents/ticket-pdf.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { OrderDetails } from './schemas.ts'

/** A ticket of an order that admits somebody. */
export interface OwnTicket extends Omit<PrintedTicket, 'url'> {
  id: string
  email: string | null
}

/** Returns the tickets of an order that admit somebody, in the order of its lines. @param types the types of its event */
export function validTickets(
  { registrations }: Pick<OrderDetails, 'registrations'>,
  types: readonly TypeDetails[],
): OwnTicket[] {
  return registrations
    .filter(({ status }) => status === 'confirmed')
    .flatMap(line => {
      const type = types.find(({ id }) => id === line.registration_type_id)
      return line.attendees
        .filter(({ voided }) => !voided)
        .map(({ id, qr_code, name, email, seat }) => ({
          ...{ id, code: qr_code, type: line.registration_type_name ?? '', holder: name, email, seat },
          validFrom: toInstant(type?.valid_from),
          validUntil: toInstant(type?.valid_until),
        }))
    })
}

/** Returns what is printed of an order, or without a reference of tickets that are of no order, or of several. */
export function documentOf(
  order: Pick<OrderDetails, 'confirmed_at' | 'created_at'> & { reference: string | null },
  event: EventDetails,
  of: { organizer: string; language: Language; tickets: readonly PrintedTicket[] },
): TicketDocument {
  const { organizer, language, tickets } = of
  return {
    language,
    event: {
      title: event.title,
      organizer,
      startsAt: toInstant(event.starts_at),
      endsAt: toInstant(event.ends_at),
      timezone: event.timezone,
      venue: event.venue,
      address: placesOf({ ...event, venue: null }).join('\n') || null,
      onlineUrl: event.online_url,
    },
    order: {
      reference: order.reference,
      issuedAt: Date.parse(order.confirmed_at ?? order.created_at),
    },
    tickets,
  }
}

function toInstant(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso)
}
