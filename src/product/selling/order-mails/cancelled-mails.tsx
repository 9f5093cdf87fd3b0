import { emailKey } from '#base/fields.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Part, Server } from '#machinery/mail/kind.ts'
import { Format } from '#machinery/web/format.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import { momentOf } from '#product/catalog/events/when-and-where.ts'
import { hasConfirmed } from '#product/guests/registrations/contacts.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { encloseCalendar, readAboutOf } from '#product/selling/orders/about.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { orderCancelledMail, ticketCancelledMail, withdrawnMail } from '#product/selling/orders/kinds.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { listTickets } from '#product/selling/orders/ticket-parts.tsx'
import { textsIn } from '#texts/catalogue.ts'
import { readStatementPart } from './statement-part.tsx'

/** Returns a kind of mail to the buyer about cancelled registrations. It is always sent, as none of them stands again later. */
const ofOrder = (kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>): MailKind => ({
  ...kind,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.subject_id as string)
    const url = orderUrl(server, order)
    const { order: label } = textsIn(mail.language).mail.buttons
    const content = await tellOf(tx, mail, server, order, cancelledOf(order, mail))
    return {
      ...content,
      parts: [...(content.parts ?? []), ...moneyBack(order, mail), ...(await statementOf(tx, order, mail))],
      button: { label, url },
      secrets: [url],
    }
  },
})

/** The kind of mail that tells a holder of their own tickets, and nothing of other tickets or the order. */
const ofHolder: MailKind = {
  ...ticketCancelledMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.subject_id as string)
    const key = emailKey(mail.recipient)
    const own = cancelledOf(order, mail).map(line => ({
      ...line,
      attendees: line.attendees.filter(({ email }) => email !== null && emailKey(email) === key),
    }))
    if (own.every(({ attendees }) => attendees.length === 0)) return undefined
    return tellOf(tx, mail, server, order, own)
  },
}

/** Returns the registrations that a mail is about, as they are now, with only those of their tickets that it is about. */
function cancelledOf({ registrations }: OrderDetails, { details }: MailToSend): Registration[] {
  const about = new Set(details.registrations as string[])
  const tickets = details.tickets === undefined ? undefined : new Set(details.tickets as string[])
  return registrations
    .filter(({ id }) => about.has(id))
    .map(line => ({ ...line, attendees: line.attendees.filter(({ id }) => tickets?.has(id) ?? true) }))
}

/** Returns the part for the buyer that says how much money goes back. */
function moneyBack({ currency }: OrderDetails, { details, language }: MailToSend): Part[] {
  if (typeof details.refund !== 'number' || details.refund === 0) return []
  const amount = new Format(language, 'UTC').money(details.refund, currency)
  const text = textsIn(language).mail.moneyBack(amount)
  return [{ html: <p key="refund">{text}</p>, text }]
}

/** Returns the part for the buyer that says what was sold, paid and paid back. Nothing was sold before the order was confirmed. */
async function statementOf(tx: ReadTx, order: OrderDetails, { language }: MailToSend): Promise<Part[]> {
  if (order.confirmed_at === null || order.amount_total === 0) return []
  const about = await readAboutOf(tx, order.event, language)
  return [await readStatementPart(tx, order, about, language)]
}

async function tellOf(
  tx: ReadTx,
  mail: MailToSend,
  server: Server,
  order: OrderDetails,
  cancelled: readonly Registration[],
): Promise<Content> {
  const { language, recipient, now } = mail
  const { values, ...about } = await readAboutOf(tx, order.event, language)
  const isBuyer = emailKey(order.buyer.email) === emailKey(recipient)
  const page = pageForAll(server.baseUrl, about.account.slug, about.event) ?? server.baseUrl
  const link = isBuyer ? orderUrl(server, order) : page
  const tickets = cancelled.flatMap(({ attendees, registration_type_name: type }) =>
    attendees.map(({ id, name: holder, seat }) => ({ id, holder, type: type ?? '', seat })),
  )
  const isConfirmed = order.confirmed_at !== null
  const isStillIn = !isConfirmed || (await hasOthers(tx, order, recipient))
  return {
    ...{ from: about.from, replyTo: about.replyTo },
    values: {
      ...values,
      ...{ reference: order.reference, link, buyer: order.buyer.name },
      at: momentOf(about.event, cancelledAt(mail, cancelled), language),
      name: isBuyer ? order.buyer.name : (tickets[0]?.holder ?? ''),
    },
    parts: listTickets(tickets),
    attachments: isStillIn ? [] : await encloseCalendar(tx, about, { server, method: 'CANCEL', now }),
  }
}

function cancelledAt({ details }: MailToSend, [first]: readonly Registration[]): string | null {
  return typeof details.at === 'number' ? toIso(details.at) : (first?.cancelled_at ?? null)
}

/**
 * Tells whether the recipient still goes to the event, with this order or as the buyer of another one. The event then stays in
 * their calendar.
 */
async function hasOthers(
  tx: ReadTx,
  { buyer, registrations, event_id }: OrderDetails,
  recipient: string,
): Promise<boolean> {
  const key = emailKey(recipient)
  const isOwn = (email: string | null) => emailKey(email ?? buyer.email) === key
  const hasTicket = registrations.some(
    ({ status, attendees }) =>
      status === 'confirmed' && attendees.some(({ voided, email }) => !voided && isOwn(email)),
  )
  return hasTicket || hasConfirmed(tx, event_id, key)
}

export const cancelledMails: readonly MailKind[] = [
  ofOrder(orderCancelledMail),
  ofOrder(withdrawnMail),
  ofHolder,
]
