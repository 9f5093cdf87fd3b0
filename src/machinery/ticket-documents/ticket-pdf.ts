import { Format } from '#machinery/web/format.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { type Asker, drawInTurn } from './drawing/drawings.ts'
import type { Fact, Sheet } from './drawing/sheet.ts'

/** The tickets of an order, in one file. Instants are in milliseconds. */
export interface TicketDocument {
  language: Language
  event: {
    title: string
    organizer: string
    startsAt: number | null
    endsAt: number | null
    /** An IANA name. The times are printed in this zone. */
    timezone: string
    venue: string | null
    /** The address as it is written, in one line or several. */
    address: string | null
    /** The link to an event that is online. Those with a ticket may know it. */
    onlineUrl: string | null
  }
  order: {
    /** The name by which people know the order. It is null for tickets of no order, or of several. */
    reference: string | null
    /** When its tickets were issued. It is the date of the file, which stays the same whenever the file is made. */
    issuedAt: number
  }
  tickets: readonly PrintedTicket[]
}

export interface PrintedTicket {
  /** The `qr_code` of the attendee. */
  code: string
  type: string
  holder: string | null
  seat: string | null
  /** When it admits, if that is not on all days of the event. */
  validFrom: number | null
  validUntil: number | null
  /**
   * The ticket's own page, or null if it has none. People pass on a page of the file, so it never has the address of the order.
   */
  url: string | null
}

type Words = Texts['ticketPdf']

/**
 * Returns a PDF with each ticket on an A4 page of its own. The same document gives the same bytes. Texts print in Latin, Greek,
 * Cyrillic, Devanagari, Arabic, Hebrew and Thai. Other characters are left out, and then the page says so and where the whole
 * text is.
 *
 * @param asker by default a mail
 * @throws Error for a document without tickets; Problem documents_waiting, unavailable as `Drawings.draw`
 */
export async function ticketPdf(document: TicketDocument, asker?: Asker): Promise<Buffer> {
  const { language, event, order, tickets } = document
  if (tickets.length === 0) throw new Error('A document of tickets has at least one.')
  const words = textsIn(language).ticketPdf
  const format = new Format(language, event.timezone)
  const when = whenIt(event, words, format)
  const drawn = {
    language,
    title: words.document(event.title, order.reference),
    author: event.organizer,
    issuedAt: order.issuedAt,
    sheets: tickets.map((ticket, at) => toSheet(document, ticket, at, words, format, when)),
  }
  return drawInTurn(drawn, asker)
}

function toSheet(
  { event, order, tickets }: TicketDocument,
  ticket: PrintedTicket,
  at: number,
  words: Words,
  format: Format,
  when: string[],
): Sheet {
  const where = [event.venue ?? '', ...(event.address ?? '').split('\n')].filter(isFilled)
  const facts: (Fact | null)[] = [
    { label: words.when, lines: when },
    where.length > 0 ? { label: words.where, lines: where } : null,
    factOf(words.online, event.onlineUrl),
    factOf(words.admits, admission(ticket, words, format)),
    factOf(words.seat, ticket.seat),
    factOf(words.order, order.reference),
  ]
  return {
    organizer: event.organizer,
    title: event.title,
    holder: factOf(words.holder, ticket.holder),
    type: { label: words.type, lines: [ticket.type] },
    facts: facts.filter(fact => fact !== null),
    code: ticket.code,
    codeLabel: words.code,
    // Nobody stands at the door of an event that has no place.
    finePrint: where.length === 0 && event.onlineUrl !== null ? words.finePrintOnline : words.finePrint,
    leftOut: ticket.url === null ? words.leftOut : words.leftOutAt(ticket.url),
    link: ticket.url === null ? null : { text: ticket.url, url: ticket.url },
    page: words.page(format.number(at + 1), format.number(tickets.length)),
  }
}

function isFilled(text: string): boolean {
  return text.trim() !== ''
}

function factOf(label: string, text: string | null): Fact | null {
  return text !== null && isFilled(text) ? { label, lines: [text] } : null
}

/** Returns the day, and below it the hours with the time zone. */
function whenIt(
  { startsAt, endsAt, timezone }: TicketDocument['event'],
  words: Words,
  format: Format,
): string[] {
  if (startsAt === null) return [words.dateOpen]
  const zone = words.zone(format.zone(startsAt), timezone)
  if (endsAt === null) return [format.weekday(startsAt), `${format.time(startsAt)} ${zone}`]
  if (format.date(startsAt) === format.date(endsAt)) {
    return [format.weekday(startsAt), `${format.time(startsAt)} – ${format.time(endsAt)} ${zone}`]
  }
  return [format.dates(startsAt, endsAt), `${format.dayTime(startsAt)} – ${format.dayTime(endsAt)}`, zone]
}

function admission({ validFrom, validUntil }: PrintedTicket, words: Words, format: Format): string | null {
  if (validFrom !== null && validUntil !== null) {
    return words.fromUntil(format.dateTime(validFrom), format.dateTime(validUntil))
  }
  if (validFrom !== null) return words.from(format.dateTime(validFrom))
  return validUntil === null ? null : words.until(format.dateTime(validUntil))
}
