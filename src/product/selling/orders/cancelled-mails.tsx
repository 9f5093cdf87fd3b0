import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Part, Server } from '../emails/kind.ts'
import { isPrivate } from '../events/states.ts'
import { emailKey } from '../fields.ts'
import { hasConfirmed } from '../registrations/contacts.ts'
import type { Registration } from '../registrations/schemas.ts'
import { toIso } from '../time.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { encloseCalendar, momentOf, readAbout } from './about.ts'
import { orderExample } from './example.ts'
import { orderCancelledMail, ticketCancelledMail, withdrawnMail } from './kinds.ts'
import { orderUrl } from './mails.tsx'
import * as orders from './rules.ts'
import type { OrderDetails } from './schemas.ts'
import { listTickets } from './ticket-parts.tsx'

/** Of an order whose registrations stand again there is nothing to say: none does, once it is cancelled. */
const ofOrder = (kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>): MailKind => ({
  ...kind,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
    const url = orderUrl(server, order)
    const { order: label } = textsIn(mail.language).mail.buttons
    const content = await tellOf(tx, mail, server, order, cancelledOf(order, mail))
    return {
      ...content,
      parts: [...(content.parts ?? []), ...moneyBack(order, mail)],
      button: { label, url },
      secrets: [url],
    }
  },
})

/** Tells a holder of their own tickets, and nothing of the others, nor of the order. */
const ofHolder: MailKind = {
  ...ticketCancelledMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
    const key = emailKey(mail.recipient)
    const own = cancelledOf(order, mail).map(line => ({
      ...line,
      attendees: line.attendees.filter(({ email }) => email !== null && emailKey(email) === key),
    }))
    if (own.every(({ attendees }) => attendees.length === 0)) return undefined
    return tellOf(tx, mail, server, order, own)
  },
}

/** The registrations that a mail is about, as they are now, with those of their tickets that it is about. */
function cancelledOf({ registrations }: OrderDetails, { details }: MailToSend): Registration[] {
  const about = new Set(details.registrations as string[])
  const tickets = details.tickets === undefined ? undefined : new Set(details.tickets as string[])
  return registrations
    .filter(({ id }) => about.has(id))
    .map(line => ({ ...line, attendees: line.attendees.filter(({ id }) => tickets?.has(id) ?? true) }))
}

/** To the buyer: what goes back. */
function moneyBack({ currency }: OrderDetails, { details, language }: MailToSend): Part[] {
  if (typeof details.refund !== 'number' || details.refund === 0) return []
  const amount = new Format(language, 'UTC').money(details.refund, currency)
  const text = textsIn(language).mail.moneyBack(amount)
  return [{ html: <p key="refund">{text}</p>, text }]
}

async function tellOf(
  tx: ReadTx,
  mail: MailToSend,
  server: Server,
  order: OrderDetails,
  cancelled: readonly Registration[],
): Promise<Content> {
  const { account_id, language, recipient, now } = mail
  const { values, ...about } = await readAbout(tx, account_id, order.event_id, language)
  const isBuyer = emailKey(order.buyer.email) === emailKey(recipient)
  const { slug } = about.account
  const { slug: name, visibility } = about.event
  // A private page is shown to nobody without a code.
  const isSeen = slug !== null && !isPrivate(visibility)
  const page = isSeen ? `${server.baseUrl}/${slug}/${name}/` : server.baseUrl
  const link = isBuyer ? orderUrl(server, order) : page
  const tickets = cancelled.flatMap(({ attendees, registration_type_name: type }) =>
    attendees.map(({ id, name: holder, seat }) => ({ id, holder, type: type ?? '', seat })),
  )
  const isConfirmed = order.confirmed_at !== null
  const isStillIn = !isConfirmed || (await hasOthers(tx, account_id, order, recipient))
  return {
    ...{ from: about.from, replyTo: about.replyTo },
    values: {
      ...values,
      ...{ reference: order.reference, link, buyer: order.buyer.name },
      at: momentOf(about.event, cancelledAt(mail, cancelled), language),
      name: isBuyer ? order.buyer.name : (tickets[0]?.holder ?? ''),
    },
    parts: listTickets(tickets),
    attachments: isStillIn
      ? []
      : await encloseCalendar(tx, account_id, about, { url: page, method: 'CANCEL', now }),
  }
}

function cancelledAt({ details }: MailToSend, [first]: readonly Registration[]): string | null {
  return typeof details.at === 'number' ? toIso(details.at) : (first?.cancelled_at ?? null)
}

/** Whether somebody still goes there, so that the event stays in the calendar: with this order, or as the buyer of another. */
async function hasOthers(
  tx: ReadTx,
  accountId: string,
  { buyer, registrations, event_id }: OrderDetails,
  recipient: string,
): Promise<boolean> {
  const key = emailKey(recipient)
  const isOwn = (email: string | null) => emailKey(email ?? buyer.email) === key
  const hasTicket = registrations.some(
    ({ status, attendees }) =>
      status === 'confirmed' && attendees.some(({ voided, email }) => !voided && isOwn(email)),
  )
  return hasTicket || hasConfirmed(tx, accountId, event_id, key)
}

export const cancelledMails: readonly MailKind[] = [
  ofOrder(orderCancelledMail),
  ofOrder(withdrawnMail),
  ofHolder,
]
