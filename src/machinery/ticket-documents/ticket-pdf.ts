import { accentOf } from '#machinery/web/accent.ts'
import { Format } from '#machinery/web/format.ts'
import { readHex } from '#machinery/web/oklch.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { type Asker, drawInTurn } from './drawing/drawings.ts'
import { type About, type Fact, type Paper, SLIPS_A_PAGE, type Slip } from './drawing/sheet.ts'

/** The tickets of an order, in one file. Instants are in milliseconds. */
export interface TicketDocument {
  language: Language
  paper: Paper
  look: PrintedLook
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
  /** The e-mail address that answers questions. */
  contact: string
  /** Who sells, or organizes where nothing is sold, with the postal address: a paragraph each. */
  seller: { isSelling: boolean; lines: readonly string[] }
  order: {
    /** The name by which people know the order. It is null for tickets of no order, or of several. */
    reference: string | null
    /** When its tickets were issued. It is the date of the file, which stays the same whenever the file is made. */
    issuedAt: number
  }
  tickets: readonly PrintedTicket[]
}

/** What an organizer has of its own: a colour, `#rrggbb`, for links, and a logo. */
export interface PrintedLook {
  colour: string | null
  /** A PNG without transparency. */
  logo: { file: Buffer; width: number; height: number } | null
}

export interface PrintedTicket {
  /** The `qr_code` of the attendee, or null for a ticket that admits nobody any more. */
  code: string | null
  type: string
  holder: string | null
  seat: string | null
  /** When it admits, if that is not on all days of the event. */
  validFrom: number | null
  validUntil: number | null
  /**
   * The ticket's own page, or null if it has none. People cut tickets off and pass them on, so it is never the address of the
   * order.
   */
  url: string | null
}

type Words = Texts['ticketPdf']

/**
 * Returns a PDF with three tickets a page, to be cut apart, and below the last of them what is said once. The same document gives
 * the same bytes. Texts print in Latin, Greek, Cyrillic, Devanagari, Arabic, Hebrew and Thai, and in what the fonts of the server
 * have. Other characters are left out, and then the ticket says so and where the whole text is.
 *
 * @param asker by default a mail
 * @throws Error for a document without tickets; Problem documents_waiting, unavailable as `Drawings.draw`
 */
export async function ticketPdf(document: TicketDocument, asker?: Asker): Promise<Buffer> {
  const { language, event, order, tickets, look } = document
  if (tickets.length === 0) throw new Error('A document of tickets has at least one.')
  const words = textsIn(language).ticketPdf
  const format = new Format(language, event.timezone)
  const when = whenIt(event, words, format)
  const drawn = {
    language,
    title: words.document(event.title, order.reference),
    author: event.organizer,
    issuedAt: order.issuedAt,
    paper: document.paper,
    accent: look.colour === null ? undefined : readHex(accentOf(look.colour).light.accent),
    logo: look.logo ?? undefined,
    sheets: inPages(
      tickets.map((ticket, at) => toSlip(document, ticket, at, words, format, when)),
      toAbout(document, words),
    ),
  }
  return drawInTurn(drawn, asker)
}

function inPages(slips: readonly Slip[], about: About) {
  const count = Math.ceil(slips.length / SLIPS_A_PAGE)
  return Array.from({ length: count }, (_, at) => ({
    slips: slips.slice(at * SLIPS_A_PAGE, (at + 1) * SLIPS_A_PAGE),
    about: at + 1 === count ? about : null,
  }))
}

function toAbout({ event, contact, seller }: TicketDocument, words: Words): About {
  const where = placeOf(event)
  const { onlineUrl } = event
  const online = onlineUrl === null ? null : { text: onlineUrl, url: onlineUrl }
  const mail = { text: contact, url: `mailto:${encodeURIComponent(contact).replaceAll('%40', '@')}` }
  const columns = [
    where.length === 0 && online === null
      ? null
      : { label: where.length === 0 ? words.online : words.gettingThere, lines: where, link: online },
    { label: words.contact, lines: [], link: mail },
    {
      label: seller.isSelling ? words.seller : words.organizer,
      lines: seller.lines.filter(isFilled),
      link: null,
    },
  ]
  return { columns: columns.filter(column => column !== null), leftOut: words.leftOut }
}

function placeOf({ venue, address }: TicketDocument['event']): string[] {
  return [venue ?? '', ...(address ?? '').split('\n')].filter(isFilled)
}

/** The most lines of an address on a ticket. The rest is in the last of them. */
const MOST_LINES = 4

function toSlip(
  { event, order, tickets }: TicketDocument,
  ticket: PrintedTicket,
  at: number,
  words: Words,
  format: Format,
  when: string[],
): Slip {
  const places = placeOf(event)
  const where = [
    ...places.slice(0, MOST_LINES - 1),
    ...(places.length < MOST_LINES ? [] : [places.slice(MOST_LINES - 1).join(', ')]),
  ]
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
    noCode: { title: words.voidTitle, text: words.voidText },
    // Nobody stands at the door of an event that has no place.
    finePrint: where.length === 0 && event.onlineUrl !== null ? words.finePrintOnline : words.finePrint,
    leftOut: ticket.url === null ? words.leftOut : words.leftOutAt(ticket.url),
    link: ticket.url === null ? null : { text: ticket.url, url: ticket.url },
    count: tickets.length === 1 ? '' : words.count(format.number(at + 1), format.number(tickets.length)),
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
