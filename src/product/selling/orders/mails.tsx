import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import { type AboutEvent, encloseCalendar, momentOf, readAboutOf } from './about.ts'
import { isOpen } from './accept-offer.ts'
import { askForOthers } from './ask-for-others.tsx'
import { documentOf, type OwnTicket, validTickets } from './documents.ts'
import { orderExample } from './example.ts'
import { unnotifiedOf } from './holders.ts'
import { confirmedMail, declinedMail, holderMail, offeredMail, waitingMail } from './kinds.ts'
import { orderUrl, verifyUrl, withPages } from './links.ts'
import { showOnline } from './online-part.tsx'
import * as orders from './rules.ts'
import type { OrderDetails } from './schemas.ts'
import { askToPassOn, listTickets, MOST_PICTURES, showTickets } from './ticket-parts.tsx'

/**
 * Returns a kind of mail to the buyer of an order. The order may have changed since the mail was queued, so `isDue` judges it
 * when the mail is sent.
 */
function orderMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: OrderDetails, now: number) => boolean,
  button: 'order' | 'offer' = 'order',
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    example: orderExample,
    async read(tx, mail, server) {
      const order = await orders.getDetails(tx, mail.subject_id as string)
      if (!isDue(order, mail.now)) return undefined
      const url = orderUrl(server, order)
      const about = await readAboutOf(tx, order.event, mail.language)
      const types = await registrationTypes.listDetails(tx, order.event_id)
      const tickets = withPages(server, order, validTickets(order, types))
      const label = textsIn(mail.language).mail.buttons[button]
      const until = momentOf(about.event, order.expires_at, mail.language)
      const verifyLink = verifyUrl(server, order)
      const enclosed = await enclose(tx, mail, server, { ...about, order, tickets, isBuyer: true })
      return {
        ...{ from: about.from, replyTo: about.replyTo, isOnline: isOnlineOnly(about.event) },
        ...enclosed,
        parts: [...askForOthers(unnotifiedOf(order), verifyLink, mail.language), ...(enclosed.parts ?? [])],
        values: { ...about.values, reference: order.reference, name: order.buyer.name, link: url, until },
        button: { label, url },
        secrets: [url, verifyLink, ...tickets.map(ticket => ticket.url)],
      }
    },
  }
}

const ofHolder: MailKind = {
  ...holderMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.subject_id as string)
    const about = await readAboutOf(tx, order.event, mail.language)
    const types = await registrationTypes.listDetails(tx, order.event_id)
    const key = emailKey(mail.recipient)
    const own = validTickets(order, types).filter(({ email }) => email !== null && emailKey(email) === key)
    const tickets = withPages(server, order, own)
    const [first] = tickets
    if (!hasValidTickets(order) || first === undefined) return undefined
    const { url } = first
    const { ticket: label } = textsIn(mail.language).mail.buttons
    return {
      ...{ from: about.from, replyTo: about.replyTo, isOnline: isOnlineOnly(about.event) },
      ...(await enclose(tx, mail, server, { ...about, order, tickets, isBuyer: false })),
      values: { ...about.values, name: first.holder ?? '', buyer: order.buyer.name, link: url },
      button: { label, url },
      secrets: tickets.map(ticket => ticket.url),
    }
  },
}

/** Returns whether to send the tickets of an order. The event may have been cancelled since the mail was queued. */
function hasValidTickets({ status, event }: OrderDetails): boolean {
  return status === 'confirmed' && event.status !== 'cancelled'
}

type Enclosed = OwnTicket & { url: string }

/** Returns what a letter encloses: each code as a picture in the letter, all tickets as a PDF, and the event for a calendar. */
async function enclose(
  tx: ReadTx,
  { language, now }: MailToSend,
  server: Server,
  of: AboutEvent & { order: OrderDetails; tickets: readonly Enclosed[]; isBuyer: boolean },
): Promise<Pick<Content, 'parts' | 'attachments' | 'attach'>> {
  const { order, event, account, tickets, isBuyer } = of
  if (order.status !== 'confirmed' || tickets.length === 0) return {}
  // The button of a letter with one ticket leads to its page already.
  const linked = isBuyer || tickets.length > 1 ? tickets : tickets.map(({ url: _, ...own }) => own)
  const shown = showTickets(linked.slice(0, MOST_PICTURES), language)
  const calendar = await encloseCalendar(tx, of, { server, method: 'PUBLISH', now })
  const document = documentOf(order, event, { organizer: account.name, language, tickets })
  return {
    parts: [
      ...showOnline(event.online_url, language),
      ...(isBuyer ? askToPassOn(language) : []),
      ...shown.parts,
      ...listTickets(tickets.slice(MOST_PICTURES)),
    ],
    attachments: [...shown.attachments, ...calendar],
    attach: async () => [
      {
        filename: `${order.reference}.pdf`,
        contentType: 'application/pdf',
        content: await ticketPdf(document),
      },
    ],
  }
}

export const orderMails: readonly MailKind[] = [
  orderMail(confirmedMail, hasValidTickets),
  orderMail(waitingMail, ({ waits_for }) => waits_for === 'approval'),
  orderMail(declinedMail, ({ status }) => status === 'failed'),
  orderMail(offeredMail, isOpen, 'offer'),
  ofHolder,
]
