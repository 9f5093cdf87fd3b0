import * as accounts from '../accounts/rules.ts'
import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '../emails/kind.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { emailKey } from '../fields.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import { confirmedMail, declinedMail, holderMail, waitingMail } from './kinds.ts'
import { linkSecret } from './links.ts'
import * as orders from './rules.ts'
import type { Order, OrderDetails } from './schemas.ts'

/** Where an order and a ticket are, below the address of a server. */
export const ORDERS_PATH = '/orders'
export const TICKETS_PATH = '/tickets'

/** The address of an order's page. Whoever has it may do what its buyer may. */
export function orderUrl({ baseUrl, secret }: Server, { id, secret_version: version }: Order): string {
  return `${baseUrl}${ORDERS_PATH}/${linkSecret(secret, 'order', { id, version })}`
}

/** The address of one holder's ticket, without the money. @param id of the ticket */
export function ticketUrl({ baseUrl, secret }: Server, order: Order, id: string): string {
  return `${baseUrl}${TICKETS_PATH}/${linkSecret(secret, 'ticket', { id, version: order.secret_version })}`
}

const placeholders = ['name', 'event', 'when', 'place', 'reference', 'organizer', 'link']

/** What an order's mails tell of it; the order may have gone on since they were queued. */
function orderMail(
  kind: { name: MailKind['name']; lane: 'orders' },
  isDue: (order: Order) => boolean,
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    placeholders,
    async read(tx, mail, server) {
      const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
      if (!isDue(order)) return undefined
      const url = orderUrl(server, order)
      const { values, ...content } = await about(tx, mail, order)
      const { order: label } = textsIn(mail.language).mail.buttons
      return {
        ...content,
        values: { ...values, name: order.buyer.name, link: url },
        button: { label, url },
        secrets: [url],
      }
    },
  }
}

/** A holder is told nothing of the others, nor of the money. */
const ofHolder: MailKind = {
  ...holderMail,
  isOfEvent: true,
  placeholders: ['name', 'buyer', 'event', 'when', 'place', 'organizer', 'link'],
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
    const own = ticketsOf(order, mail.recipient)
    const [first] = own
    if (order.status !== 'confirmed' || first === undefined) return undefined
    const urls = own.map(({ id }) => ticketUrl(server, order, id))
    const { values, ...content } = await about(tx, mail, order)
    const { ticket: label } = textsIn(mail.language).mail.buttons
    return {
      ...content,
      values: { ...values, name: first.name ?? '', buyer: order.buyer.name, link: urls[0] as string },
      button: { label, url: urls[0] as string },
      secrets: urls,
    }
  },
}

/** The tickets that still admit of whoever has this e-mail. */
function ticketsOf(order: OrderDetails, email: string) {
  return order.registrations
    .filter(({ status }) => status === 'confirmed')
    .flatMap(({ attendees }) => attendees)
    .filter(ticket => !ticket.voided && ticket.email !== null && emailKey(ticket.email) === emailKey(email))
}

async function about(
  tx: ReadTx,
  { account_id, language }: MailToSend,
  order: Order,
): Promise<Omit<Content, 'values'> & { values: Record<string, string> }> {
  const account = await accounts.get(tx, account_id)
  const event = await events.getDetails(tx, account_id, order.event_id)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      when: whenOf(event, language),
      place: [event.venue, event.city].filter(Boolean).join(', '),
      reference: order.reference,
      organizer: account.name,
    },
  }
}

function whenOf({ starts_at: starts, timezone }: EventDetails, language: Language): string {
  return starts === null ? '' : `${new Format(language, timezone).dateTime(starts)} (${timezone})`
}

export const orderMails: readonly MailKind[] = [
  orderMail(confirmedMail, ({ status }) => status === 'confirmed'),
  orderMail(waitingMail, ({ status }) => status === 'pending'),
  orderMail(declinedMail, ({ status }) => status === 'failed'),
  ofHolder,
]
