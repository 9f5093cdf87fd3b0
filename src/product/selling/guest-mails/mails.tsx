import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { hasConfirmed } from '#product/guests/registrations/contacts.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { type AboutEvent, encloseCalendar, readAbout } from '#product/selling/orders/about.ts'
import { documentOf, type ValidTicket, validTickets } from '#product/selling/orders/documents.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { showOnline } from '#product/selling/orders/online-part.tsx'
import * as orders from '#product/selling/orders/rules.ts'
import { listTickets, MOST_PICTURES, showTickets } from '#product/selling/orders/ticket-parts.tsx'
import { readTicketUrls } from '#product/selling/orders/ticket-urls.ts'
import { textsIn } from '#texts/catalogue.ts'
import { guestCancelledMail, guestTicketsMail } from './kinds.ts'

/** A ticket that a mail brings, with the address of its page. */
type Brought = ValidTicket & { url: string }

/** The tickets of one mail, and what is printed of the orders that they came from. */
interface Bundle {
  tickets: Brought[]
  /** When the first of their registrations was confirmed, as ISO 8601. */
  issuedAt: string
  /** It is null if they come from several orders, or from none. */
  reference: string | null
}

/** Brings somebody their tickets, as they are now. It is not needed once none of them is good, or all are somebody else's. */
const ofTickets: MailKind = {
  ...guestTicketsMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const about = await readAbout(tx, mail.event_id as string, mail.language)
    if (about.event.status === 'cancelled') return undefined
    const bundle = await readBundle(tx, mail, server)
    const [first] = bundle.tickets
    if (first === undefined) return undefined
    const { language, now } = mail
    const shown = showTickets(bundle.tickets.slice(0, MOST_PICTURES), language)
    const calendar = await encloseCalendar(tx, about, { server, method: 'PUBLISH', now })
    return {
      ...{ from: about.from, replyTo: about.replyTo, isOnline: isOnlineOnly(about.event) },
      parts: [
        ...showOnline(about.event.online_url, language),
        ...shown.parts,
        ...listTickets(bundle.tickets.slice(MOST_PICTURES)),
      ],
      attachments: [...shown.attachments, ...calendar],
      attach: async () => [await print(bundle, about, mail)],
      values: { ...about.values, name: first.holder ?? '', link: first.url },
      button: { label: textsIn(language).mail.buttons.ticket, url: first.url },
      secrets: bundle.tickets.map(({ url }) => url),
    }
  },
}

/** Reads those tickets of a mail that admit somebody and are for its recipient. */
async function readBundle(tx: ReadTx, mail: MailToSend, server: Server): Promise<Bundle> {
  const types = await registrationTypes.listDetails(tx, mail.event_id as string)
  const wanted = new Set(mail.details.tickets as string[])
  const key = emailKey(mail.recipient)
  const bundle: Bundle = { tickets: [], issuedAt: '', reference: null }
  const references = new Set<string | null>()
  for (const id of mail.details.registrations as string[]) {
    const registration = await registrations.findRegistration(tx, id)
    if (registration === undefined || registration.event_id !== mail.event_id) continue
    const own = validTickets({ registrations: [registration] }, types).filter(
      each => wanted.has(each.id) && emailKey(each.email ?? registration.buyer.email) === key,
    )
    if (own.length === 0) continue
    const order = await orders.findOrderOf(tx, registration)
    const urlOf = await readTicketUrls(tx, id, server)
    if (urlOf === undefined) continue
    const named = own.map(ticket => ({ ...ticket, holder: ticket.holder ?? registration.buyer.name }))
    bundle.tickets.push(...named.map(ticket => ({ ...ticket, url: urlOf(ticket.id) })))
    bundle.issuedAt ||= registration.confirmed_at ?? ''
    references.add(order?.reference ?? null)
  }
  const [reference] = references
  return references.size === 1 ? { ...bundle, reference: reference ?? null } : bundle
}

async function print(
  { tickets, issuedAt, reference }: Bundle,
  { event, account, look }: AboutEvent,
  { language }: Pick<MailToSend, 'language'>,
) {
  const of = { reference, confirmed_at: issuedAt, created_at: issuedAt }
  const document = documentOf(of, event, { account, look, language, tickets })
  return {
    filename: `${reference ?? event.slug}.pdf`,
    contentType: 'application/pdf',
    content: await ticketPdf(document),
  }
}

/** Tells somebody that tickets of theirs are cancelled, which were not ordered here. The buyer is told of all of them. */
const ofCancelled: MailKind = {
  ...guestCancelledMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const registration = await registrations.findRegistration(tx, mail.subject_id as string)
    if (registration?.status !== 'cancelled') return undefined
    const { language, now, details } = mail
    const about = await readAbout(tx, registration.event_id, language)
    const key = emailKey(mail.recipient)
    const { buyer, attendees, registration_type_name: type } = registration
    const isBuyer = emailKey(buyer.email) === key
    const cancelled = new Set(details.tickets as string[])
    const own = attendees.filter(
      ({ id, email }) => cancelled.has(id) && (isBuyer || (email !== null && emailKey(email) === key)),
    )
    if (own.length === 0) return undefined
    const isStillIn = await hasConfirmed(tx, registration.event_id, key)
    const page = pageForAll(server.baseUrl, about.account.slug, about.event) ?? server.baseUrl
    return {
      ...{ from: about.from, replyTo: about.replyTo },
      values: { ...about.values, name: (isBuyer ? buyer.name : own[0]?.name) ?? buyer.name, link: page },
      parts: listTickets(
        own.map(({ id, name, seat }) => ({ id, holder: name ?? buyer.name, type: type ?? '', seat })),
      ),
      attachments: isStillIn ? [] : await encloseCalendar(tx, about, { server, method: 'CANCEL', now }),
    }
  },
}

export const guestMails: readonly MailKind[] = [ofTickets, ofCancelled]
