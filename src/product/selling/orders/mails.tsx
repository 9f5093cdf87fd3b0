import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '../emails/kind.ts'
import { emailKey } from '../fields.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { ticketPdf } from '../ticket-documents/ticket-pdf.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { type AboutEvent, encloseCalendar, momentOf, readAbout } from './about.ts'
import { documentOf, type OwnTicket, validTickets } from './documents.ts'
import { orderExample } from './example.ts'
import { confirmedMail, declinedMail, holderMail, offeredMail, waitingMail } from './kinds.ts'
import { linkSecret } from './links.ts'
import * as orders from './rules.ts'
import type { Order, OrderDetails } from './schemas.ts'
import { isOpen } from './taking.ts'
import { showTickets } from './ticket-parts.tsx'

/** Where an order and a ticket are, below the address of a server. */
export const ORDERS_PATH = '/orders'
export const TICKETS_PATH = '/tickets'

/** The address of an order's page. Whoever has it may do what its buyer may. */
export function orderUrl({ baseUrl, secret }: Server, { id, secret_version: version }: Order): string {
  return `${baseUrl}${ORDERS_PATH}/${linkSecret(secret, 'order', { id, version })}`
}

/** The address of one holder's ticket, without the money. @param id of the ticket */
export function ticketUrl(
  { baseUrl, secret }: Server,
  { secret_version: version }: Pick<Order, 'secret_version'>,
  id: string,
): string {
  return `${baseUrl}${TICKETS_PATH}/${linkSecret(secret, 'ticket', { id, version })}`
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
    example: orderExample,
    async read(tx, mail, server) {
      const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
      if (!isDue(order, mail.now)) return undefined
      const url = orderUrl(server, order)
      const about = await readAbout(tx, mail.account_id, order.event_id, mail.language)
      const types = await registrationTypes.listDetails(tx, mail.account_id, order.event_id)
      const tickets = validTickets(order, types)
      const label = textsIn(mail.language).mail.buttons[button]
      const until = momentOf(about.event, order.expires_at, mail.language)
      return {
        ...{ from: about.from, replyTo: about.replyTo },
        ...(await enclose(tx, mail, { ...about, order, tickets, url })),
        values: { ...about.values, reference: order.reference, name: order.buyer.name, link: url, until },
        button: { label, url },
        secrets: [url],
      }
    },
  }
}

const ofHolder: MailKind = {
  ...holderMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const order = await orders.getDetails(tx, mail.account_id, mail.subject_id as string)
    const about = await readAbout(tx, mail.account_id, order.event_id, mail.language)
    const types = await registrationTypes.listDetails(tx, mail.account_id, order.event_id)
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
      ...{ from: about.from, replyTo: about.replyTo },
      ...(await enclose(tx, mail, { ...about, order, tickets, url })),
      values: { ...about.values, name: first.holder ?? '', buyer: order.buyer.name, link: url },
      button: { label, url },
      secrets: urls,
    }
  },
}

/** Pictures of codes that stand in a mail: of more tickets, the PDF has them. */
export const MOST_PICTURES = 10

/** The tickets as they are enclosed: each code as a picture in the letter, all of them as PDF, and the event for a calendar. */
async function enclose(
  tx: ReadTx,
  { account_id, language, now }: MailToSend,
  of: AboutEvent & { order: OrderDetails; tickets: readonly OwnTicket[]; url: string },
): Promise<Pick<Content, 'parts' | 'attachments' | 'attach'>> {
  const { order, event, account, tickets, url } = of
  if (order.status !== 'confirmed' || tickets.length === 0) return {}
  const shown = showTickets(tickets.slice(0, MOST_PICTURES), language)
  const calendar = await encloseCalendar(tx, account_id, of, { url, method: 'PUBLISH', now })
  const document = documentOf(order, event, { organizer: account.name, url, language, tickets })
  return {
    parts: shown.parts,
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
  orderMail(confirmedMail, ({ status }) => status === 'confirmed'),
  orderMail(waitingMail, ({ waits_for }) => waits_for === 'approval'),
  orderMail(declinedMail, ({ status }) => status === 'failed'),
  orderMail(offeredMail, isOpen, 'offer'),
  ofHolder,
]
