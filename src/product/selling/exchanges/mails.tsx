import { emailKey } from '#base/fields.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { encloseTickets } from '#product/selling/order-mails/ticket-files.ts'
import { readAboutOf } from '#product/selling/orders/about.ts'
import { validTickets } from '#product/selling/orders/documents.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { withPages } from '#product/selling/orders/links.ts'
import { showOnline } from '#product/selling/orders/online-part.tsx'
import * as orders from '#product/selling/orders/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import { exchangedMail, givenOnMail } from './kinds.ts'

/** Brings a ticket that took the place of another. It is not needed once it is void or somebody else's. */
const ofNewTicket: MailKind = {
  ...exchangedMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.subject_id as string)
    const { language } = mail
    const types = await registrationTypes.listDetails(tx, order.event_id)
    const key = emailKey(mail.recipient)
    const own = validTickets(order, types).filter(
      ({ id, email }) => id === mail.details.ticket && emailKey(email ?? order.buyer.email) === key,
    )
    const [ticket] = withPages(server, order, own.slice(0, 1))
    if (order.status !== 'confirmed' || order.event.status === 'cancelled' || ticket === undefined)
      return undefined
    const about = await readAboutOf(tx, order.event, language)
    // The button leads to its page already.
    const { url, ...shown } = ticket
    const of = { ...about, order, tickets: [ticket], server }
    const { pictures, ...files } = await encloseTickets(tx, mail, of, [shown])
    return {
      ...{ from: about.from, replyTo: about.replyTo, isOnline: isOnlineOnly(about.event) },
      ...files,
      parts: [...showOnline(about.event.online_url, language), ...pictures],
      values: { ...about.values, name: ticket.holder ?? order.buyer.name, link: url },
      button: { label: textsIn(language).mail.buttons.ticket, url },
      secrets: [url],
    }
  },
}

/** Tells an earlier holder. It says nothing of the new one, and has no link to anything of the order. */
const ofEarlierHolder: MailKind = {
  ...givenOnMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.subject_id as string)
    const about = await readAboutOf(tx, order.event, mail.language)
    const former = order.registrations
      .flatMap(line => line.attendees)
      .find(({ id }) => id === mail.details.former)
    const url = pageForAll(server.baseUrl, about.account.slug, about.event) ?? server.baseUrl
    return {
      ...{ from: about.from, replyTo: about.replyTo },
      values: { ...about.values, name: former?.name ?? order.buyer.name },
      button: { label: textsIn(mail.language).mail.buttons.event, url },
    }
  },
}

export const exchangeMails: readonly MailKind[] = [ofNewTicket, ofEarlierHolder]
