import * as accounts from '../accounts/rules.ts'
import type { AccountDetails } from '../accounts/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '../emails/kind.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { emailKey } from '../fields.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { qrPng } from '../ticket-documents/qr-png.ts'
import { ticketPdf } from '../ticket-documents/ticket-pdf.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import { documentOf, type OwnTicket, validTickets } from './documents.ts'
import { confirmedMail, declinedMail, holderMail, offeredMail, waitingMail } from './kinds.ts'
import { linkSecret } from './links.ts'
import * as orders from './rules.ts'
import type { Order, OrderDetails } from './schemas.ts'
import { isOpen } from './taking.ts'

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

/** What an order's mails tell of it; the order may have gone on since they were queued. */
function orderMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: Order, now: number) => boolean,
  button: 'order' | 'offer' = 'order',
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    async read(tx, mail, server) {
      const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
      if (!isDue(order, mail.now)) return undefined
      const url = orderUrl(server, order)
      const { event, account, values, ...content } = await about(tx, mail, order)
      const types = await registrationTypes.listDetails(tx, mail.account_id, event.id)
      const tickets = validTickets(order, types)
      const label = textsIn(mail.language).mail.buttons[button]
      const enclosed = await enclose(tx, mail, { order, event, account, tickets, url })
      return {
        ...content,
        ...enclosed,
        values: { ...values, name: order.buyer.name, link: url, until: untilOf(order, event, mail.language) },
        button: { label, url },
        secrets: [url],
      }
    },
  }
}

const ofHolder: MailKind = {
  ...holderMail,
  isOfEvent: true,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
    const { event, account, values, ...content } = await about(tx, mail, order)
    const types = await registrationTypes.listDetails(tx, mail.account_id, event.id)
    const key = emailKey(mail.recipient)
    const tickets = validTickets(order, types).filter(
      ({ email }) => email !== null && emailKey(email) === key,
    )
    const [first] = tickets
    if (order.status !== 'confirmed' || first === undefined) return undefined
    const urls = tickets.map(({ id }) => ticketUrl(server, order, id))
    const [url] = urls as [string]
    const { ticket: label } = textsIn(mail.language).mail.buttons
    return {
      ...content,
      ...(await enclose(tx, mail, { order, event, account, tickets, url })),
      values: { ...values, name: first.holder ?? '', buyer: order.buyer.name, link: url },
      button: { label, url },
      secrets: urls,
    }
  },
}

/** Pictures of codes that stand in a mail: of more tickets, the PDF has them. */
const MOST_PICTURES = 10

/** The tickets as they are enclosed: each code as a picture in the letter, all of them as PDF, and the event for a calendar. */
async function enclose(
  tx: ReadTx,
  { account_id, language }: MailToSend,
  of: {
    order: OrderDetails
    event: EventDetails
    account: AccountDetails
    tickets: readonly OwnTicket[]
    url: string
  },
): Promise<Pick<Content, 'parts' | 'attachments' | 'attach'>> {
  const { order, event, account, tickets, url } = of
  if (order.status !== 'confirmed' || tickets.length === 0) return {}
  const shown = tickets.slice(0, MOST_PICTURES)
  const file = await eventPages.readCalendar(tx, account_id, event, url)
  const calendar =
    file === undefined ? [] : [{ filename: `${event.slug}.ics`, ...calendarType, content: file }]
  const { checkout } = textsIn(language)
  const document = documentOf(order, event, { organizer: account.name, url, language, tickets })
  return {
    parts: shown.map(({ id, holder, type, seat, code }) => ({
      html: (
        <div key={id} style="margin:0 0 24px">
          <p style="margin:0 0 8px">
            <strong>
              <bdi>{holder}</bdi>
            </strong>
            <br />
            <bdi>{[type, seat].filter(Boolean).join(' · ')}</bdi>
          </p>
          <img
            src={`cid:${id}`}
            alt={checkout.codeOf(holder ?? '')}
            width={240}
            height={240}
            style="background:#ffffff;border-radius:6px"
          />
        </div>
      ),
      text: `${[holder, type, seat].filter(Boolean).join(' · ')}\n${code}`,
    })),
    attachments: [
      ...shown.map(({ id, code }) => ({
        ...{ filename: `${id}.png`, contentType: 'image/png', content: qrPng(code), cid: id },
      })),
      ...calendar.map(each => ({ ...each, content: Buffer.from(each.content) })),
    ],
    attach: async () => [
      {
        filename: `${order.reference}.pdf`,
        contentType: 'application/pdf',
        content: await ticketPdf(document),
      },
    ],
  }
}

const calendarType = { contentType: 'text/calendar; charset=utf-8; method=PUBLISH' }

async function about(tx: ReadTx, { account_id, language }: MailToSend, order: Order) {
  const account = await accounts.getDetails(tx, account_id)
  const event = await events.getDetails(tx, account_id, order.event_id)
  return {
    account,
    event,
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

/** Until when places are held. */
function untilOf({ expires_at: until }: Order, { timezone }: EventDetails, language: Language): string {
  return until === null ? '' : `${new Format(language, timezone).dateTime(until)} (${timezone})`
}

export const orderMails: readonly MailKind[] = [
  orderMail(confirmedMail, ({ status }) => status === 'confirmed'),
  orderMail(waitingMail, ({ waits_for }) => waits_for === 'approval'),
  orderMail(declinedMail, ({ status }) => status === 'failed'),
  orderMail(offeredMail, isOpen, 'offer'),
  ofHolder,
]
