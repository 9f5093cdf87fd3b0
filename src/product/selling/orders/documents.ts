import { placesOf } from '../event-pages/calendar-file.ts'
import type { EventDetails } from '../events/schemas.ts'
import type { TypeDetails } from '../registration-types/schemas.ts'
import type { PrintedTicket, TicketDocument } from '../ticket-documents/ticket-pdf.ts'
import type { Language } from '../web/texts/languages.ts'
import type { OrderDetails } from './schemas.ts'

/** A ticket of an order that admits somebody. */
export interface OwnTicket extends PrintedTicket {
  id: string
  email: string | null
}

/** The tickets of an order that admit somebody, in their order. @param types of its event */
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

/** What is printed of an order. @param of whose page its link leads to */
export function documentOf(
  order: OrderDetails,
  event: EventDetails,
  of: { organizer: string; url: string | null; language: Language; tickets: readonly PrintedTicket[] },
): TicketDocument {
  const { organizer, url, language, tickets } = of
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
    },
    order: {
      reference: order.reference,
      issuedAt: Date.parse(order.confirmed_at ?? order.created_at),
      url,
    },
    tickets,
  }
}

function toInstant(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso)
}
