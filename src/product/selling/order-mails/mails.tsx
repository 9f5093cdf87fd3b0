import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Attachment, Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import { momentOf } from '#product/catalog/events/when-and-where.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { type AboutEvent, readAboutOf } from '#product/selling/orders/about.ts'
import { isOpen } from '#product/selling/orders/accept-offer.ts'
import { askForOthers } from '#product/selling/orders/ask-for-others.tsx'
import { type ValidTicket, validExtras, validTickets } from '#product/selling/orders/documents.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { unnotifiedOf } from '#product/selling/orders/holders.ts'
import {
  confirmedMail,
  declinedMail,
  holderMail,
  offeredMail,
  waitingMail,
} from '#product/selling/orders/kinds.ts'
import { orderUrl, verifyUrl, withPages } from '#product/selling/orders/links.ts'
import { showOnline } from '#product/selling/orders/online-part.tsx'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { askToPassOn } from '#product/selling/orders/ticket-parts.tsx'
import { receiptPdf } from '#product/selling/receipts/pdf.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import { readContract } from './contract-part.tsx'
import { showEvent } from './event-part.tsx'
import { encloseStatement, nameReceipt, readStatementPart } from './statement-part.tsx'
import { encloseTickets } from './ticket-files.ts'

/** The most receipts that a mail encloses. An order has more only if it was paid in ways that nobody foresaw. */
const MOST_RECEIPTS = 5

type Enclosed = ValidTicket & { url: string }

/** What a mail to the buyer is about. */
interface AboutOrder extends AboutEvent {
  order: OrderDetails
  tickets: readonly Enclosed[]
  /** The extras, of which only the PDF has the codes. */
  extras: ReturnType<typeof validExtras>
  /** The address of the order's page. */
  url: string
  server: Server
}

/** What a mail has below the organizer's text. */
type More = Pick<Content, 'parts' | 'attachments' | 'attach'>

/**
 * Returns a kind of mail to the buyer of an order. The order may have changed since the mail was queued, so `isDue` judges it
 * when the mail is sent.
 */
function orderMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  isDue: (order: OrderDetails, now: number) => boolean,
  enclose: (tx: ReadTx, mail: MailToSend, of: AboutOrder) => Promise<More> = async () => ({}),
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
      const extras = validExtras(order, types)
      const label = textsIn(mail.language).mail.buttons[button]
      const until = momentOf(about.event, order.expires_at, mail.language)
      const verifyLink = verifyUrl(server, order)
      const enclosed = await enclose(tx, mail, { ...about, order, tickets, extras, url, server })
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
    const { language } = mail
    // The button of a letter with one ticket leads to its page already.
    const linked = tickets.length > 1 ? tickets : own
    const { pictures, ...files } = await encloseTickets(
      tx,
      mail,
      { ...about, order, tickets, server },
      linked,
    )
    return {
      ...{ from: about.from, replyTo: about.replyTo, isOnline: isOnlineOnly(about.event) },
      ...files,
      parts: [...showOnline(about.event.online_url, language), ...pictures],
      values: { ...about.values, name: first.holder ?? '', buyer: order.buyer.name, link: url },
      button: { label: textsIn(language).mail.buttons.ticket, url },
      secrets: tickets.map(ticket => ticket.url),
    }
  },
}

/** Returns whether to send the tickets of an order. The event may have been cancelled since the mail was queued. */
function hasValidTickets({ status, event }: OrderDetails): boolean {
  return status === 'confirmed' && event.status !== 'cancelled'
}

/** Returns what the confirmation has: the contract in full, the tickets, and the receipts. */
async function encloseContract(tx: ReadTx, mail: MailToSend, of: AboutOrder): Promise<More> {
  const { order, event, tickets, url, server } = of
  const { language, now } = mail
  const files = await encloseTickets(tx, mail, of, tickets)
  const usable = order.amount_total === 0 ? [] : await receipts.listUsable(tx, order.id)
  const papers = usable.slice(0, MOST_RECEIPTS)
  const statement = await readStatementPart(tx, order, of, language, {
    enclosed: papers.map(paper => nameReceipt(paper, language)),
    head: [showEvent(event, language), ...showOnline(event.online_url, language)],
  })
  const contract = await readContract(tx, { order, about: of, server, url, language, now })
  return {
    parts: [statement, ...askToPassOn(language), ...files.pictures, ...contract.parts],
    attachments: [...files.attachments, ...contract.attachments],
    attach: async () => [...(await files.attach()), ...(await print(papers, of.look))],
  }
}

async function print(papers: readonly Receipt[], { logo }: AboutOrder['look']): Promise<Attachment[]> {
  const files: Attachment[] = []
  for (const paper of papers) {
    const content = await receiptPdf(paper, logo)
    files.push({ filename: `${paper.number}.pdf`, contentType: 'application/pdf', content })
  }
  return files
}

export const orderMails: readonly MailKind[] = [
  orderMail(confirmedMail, hasValidTickets, encloseContract),
  orderMail(waitingMail, ({ waits_for }) => waits_for === 'approval', encloseStatement),
  orderMail(declinedMail, ({ status }) => status === 'failed'),
  orderMail(offeredMail, isOpen, undefined, 'offer'),
  ofHolder,
]
