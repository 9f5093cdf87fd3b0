import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Texts } from '../web/texts/texts.ts'
import type { Fact, Sheet } from './drawing/sheet.ts'
import { drawInThread } from './drawing/thread.ts'

/** The tickets of an order, in one file. Instants in milliseconds. */
export interface TicketDocument {
  language: Language
  event: {
    title: string
    organizer: string
    startsAt: number | null
    endsAt: number | null
    /** An IANA name: its times are said in it. */
    timezone: string
    venue: string | null
    /** As it is written, in one line or several. */
    address: string | null
  }
  order: {
    /** What people name it by. */
    reference: string
    /** When its tickets were issued: the date of the file, which is the same whenever it is made. */
    issuedAt: number
    /** Its page; null where it has none. */
    url: string | null
  }
  tickets: readonly PrintedTicket[]
}

export interface PrintedTicket {
  /** `qr_code` of the attendee. */
  code: string
  type: string
  holder: string | null
  seat: string | null
  /** When it admits, where that is not on all days of the event. */
  validFrom: number | null
  validUntil: number | null
}

type Words = Texts['ticketPdf']

/**
 * A PDF, each ticket on an A4 page of its own. The same document is the same bytes. Texts print in Latin, Greek, Cyrillic,
 * Devanagari, Arabic, Hebrew and Thai; what else is in them is left out, which the page says, with where all of it is shown.
 *
 * @throws Error for a document without tickets
 */
export async function ticketPdf(document: TicketDocument): Promise<Buffer> {
  const { language, event, order, tickets } = document
  if (tickets.length === 0) throw new Error('A document of tickets has at least one.')
  const words = textsIn(language).ticketPdf
  const format = new Format(language, event.timezone)
  return drawInThread({
    language,
    title: words.document(event.title, order.reference),
    author: event.organizer,
    issuedAt: order.issuedAt,
    sheets: tickets.map((ticket, at) => toSheet(document, ticket, at, words, format)),
  })
}

function toSheet(
  { event, order, tickets }: TicketDocument,
  ticket: PrintedTicket,
  at: number,
  words: Words,
  format: Format,
): Sheet {
  const where = [event.venue ?? '', ...(event.address ?? '').split('\n')].filter(isSaid)
  const facts: (Fact | null)[] = [
    { label: words.when, lines: whenIt(event, words, format) },
    where.length > 0 ? { label: words.where, lines: where } : null,
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
    finePrint: words.finePrint,
    leftOut: order.url === null ? words.leftOut : words.leftOutAt(order.url),
    link: order.url === null ? null : { text: order.url, url: order.url },
    page: words.page(format.number(at + 1), format.number(tickets.length)),
  }
}

function isSaid(text: string): boolean {
  return text.trim() !== ''
}

function factOf(label: string, text: string | null): Fact | null {
  return text !== null && isSaid(text) ? { label, lines: [text] } : null
}

/** The day, and below it the hours with the time zone. */
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
