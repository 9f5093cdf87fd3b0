import type { PrintedLook, PrintedTicket, TicketDocument } from '#machinery/ticket-documents/ticket-pdf.ts'
import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { OrderDetails } from './schemas.ts'

/** A ticket of an order. */
export interface OwnTicket extends Omit<PrintedTicket, 'url'> {
  id: string
  email: string | null
  /** An extra admits nobody to the event, and has no page of its own. */
  isExtra: boolean
}

/** A ticket of an order that admits somebody. */
export interface ValidTicket extends OwnTicket {
  code: string
}

type Lines = Pick<OrderDetails, 'registrations'>

/** Returns the tickets of an order that admit somebody, without extras, in the order of its lines. @param types those of its event */
export function validTickets(order: Lines, types: readonly TypeDetails[]): ValidTicket[] {
  return allTickets(order, types).filter(
    (ticket): ticket is ValidTicket => isValid(ticket) && !ticket.isExtra,
  )
}

function isValid(ticket: OwnTicket): ticket is ValidTicket {
  return ticket.code !== null
}

/** Returns the units of the extras of an order that are handed out, as they are printed for its buyer. */
export function validExtras(order: Lines, types: readonly TypeDetails[]): (ValidTicket & { url: null })[] {
  const extras = allTickets(order, types)
    .filter(isValid)
    .filter(({ isExtra }) => isExtra)
  return extras.map(extra => ({ ...extra, url: null }))
}

/**
 * Returns all tickets of an order, and the units of its extras. Those without a code admit nobody: they are not confirmed yet, void
 * or cancelled.
 */
export function allTickets({ registrations }: Lines, types: readonly TypeDetails[]): OwnTicket[] {
  return registrations.flatMap(line => {
    const type = types.find(({ id }) => id === line.registration_type_id)
    const isExtra = type?.kind === 'extra'
    return line.attendees.map(({ id, qr_code, name, email, seat, voided }) => ({
      ...{ id, isExtra, code: line.status === 'confirmed' && !voided ? qr_code : null },
      ...{ type: line.registration_type_name ?? '', holder: isExtra ? null : name, email, seat },
      validFrom: toInstant(type?.valid_from),
      validUntil: toInstant(type?.valid_until),
    }))
  })
}

/** The organization of an event, as it is printed on its tickets. */
export type PrintedAccount = Pick<AccountDetails, 'name' | 'email' | 'legal_name' | 'address' | 'tax_id'>

/** Returns what is printed of an order, or without a reference of tickets that are of no order, or of several. */
export function documentOf(
  order: Pick<OrderDetails, 'confirmed_at' | 'created_at'> & { reference: string | null },
  event: EventDetails,
  of: { account: PrintedAccount; look: PrintedLook; language: Language; tickets: readonly PrintedTicket[] },
): TicketDocument {
  const { account, look, language, tickets } = of
  return {
    language,
    paper: paperOf(event),
    look,
    event: {
      title: event.title,
      organizer: account.name,
      startsAt: toInstant(event.starts_at),
      endsAt: toInstant(event.ends_at),
      timezone: event.timezone,
      venue: event.venue,
      address: placesOf({ ...event, venue: null }).join('\n') || null,
      onlineUrl: event.online_url,
    },
    contact: event.contact_email ?? account.email,
    seller: { isSelling: account.legal_name !== null, lines: sellerLines(account, language) },
    order: {
      reference: order.reference,
      issuedAt: Date.parse(order.confirmed_at ?? order.created_at),
    },
    tickets,
  }
}

function sellerLines({ name, legal_name, address, tax_id }: PrintedAccount, language: Language): string[] {
  const { receipts } = textsIn(language)
  return [
    legal_name ?? name,
    ...(address?.split('\n') ?? []),
    ...(tax_id === null ? [] : [receipts.taxId(tax_id)]),
  ]
}

/** The currencies of countries that print on Letter. The dollar of the United States is priced in elsewhere too. */
const OF_LETTER = ['CAD', 'MXN', 'CLP', 'COP', 'CRC', 'GTQ', 'NIO', 'PAB', 'PHP', 'VES', 'BZD']

/** Returns the paper of the country where an event is, as far as its currency and its time zone tell. */
function paperOf({
  currency,
  timezone,
}: Pick<EventDetails, 'currency' | 'timezone'>): TicketDocument['paper'] {
  const isOfUnitedStates = currency === 'USD' && /^(America|US|Pacific)\//.test(timezone)
  return isOfUnitedStates || OF_LETTER.includes(currency) ? 'LETTER' : 'A4'
}

function toInstant(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso)
}
