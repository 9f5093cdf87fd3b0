import { emailKey } from '#base/fields.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Part, Server } from '#machinery/mail/kind.ts'
import * as emails from '#machinery/mail/rules.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { type AboutEvent, encloseCalendar, readAbout } from './about.ts'
import { documentOf, type ValidTicket, validTickets } from './documents.ts'
import { orderExample } from './example.ts'
import { againMail, holderMail } from './kinds.ts'
import { orderUrl, withPages } from './links.ts'
import * as listStore from './list-store.ts'
import { showOnline } from './online-part.tsx'
import * as orders from './rules.ts'
import type { OrderDetails } from './schemas.ts'
import { askToPassOn, listTickets, MOST_PICTURES, showTickets } from './ticket-parts.tsx'

/** The most orders that one mail brings. Each has a PDF of its own. */
const MOST_ORDERS = 10
/** How many mails to an address it looks through for tickets that somebody else ordered. */
const MOST_LOOKED_AT = 200

/** What an address has of one order. */
interface Share {
  order: OrderDetails
  /** Whether the address ordered it, so that its mail has the link to the whole order. */
  isBuyer: boolean
  tickets: readonly (ValidTicket & { url: string })[]
}

/** The kind of mail that brings an address all that it ordered or holds for an event. */
export const ticketsAgainMail: MailKind = {
  ...againMail,
  isOfEvent: true,
  example: orderExample,
  async read(tx, mail, server) {
    const about = await readAbout(tx, mail.event_id as string, mail.language)
    if (about.event.status === 'cancelled') return undefined
    const shares = await readShares(tx, mail, server)
    const [first] = shares
    if (first === undefined) return undefined
    const own = shares
      .filter(({ isBuyer }) => isBuyer)
      .map(({ order }) => ({ order, url: orderUrl(server, order) }))
    const tickets = shares.flatMap(share => share.tickets)
    const name = first.isBuyer ? first.order.buyer.name : (first.tickets[0]?.holder ?? '')
    const calendar =
      tickets.length === 0
        ? []
        : await encloseCalendar(tx, about, { server, method: 'PUBLISH', now: mail.now })
    const shown = showTickets(tickets.slice(0, MOST_PICTURES), mail.language)
    return {
      ...{ from: about.from, replyTo: about.replyTo, values: { ...about.values, name } },
      parts: [
        ...linkOrders(own, mail.language),
        ...(own.length > 0 && tickets.length > 0 ? askToPassOn(mail.language) : []),
        ...(tickets.length > 0 ? showOnline(about.event.online_url, mail.language) : []),
        ...shown.parts,
        ...listTickets(tickets.slice(MOST_PICTURES)),
      ],
      attachments: [...shown.attachments, ...calendar],
      attach: () => printShares(shares, mail.language, about),
      secrets: [...own.map(({ url }) => url), ...tickets.map(({ url }) => url)],
    }
  },
}

/** Reads what an address has of an event: the orders that it made, and then tickets that others ordered and it was sent. */
async function readShares(tx: ReadTx, { event_id, recipient }: MailToSend, server: Server): Promise<Share[]> {
  const eventId = event_id as string
  const key = emailKey(recipient)
  const types = await registrationTypes.listDetails(tx, eventId)
  const latest = (status: 'confirmed' | 'pending') =>
    listStore.listLatestOf(tx, eventId, { key, status, limit: MOST_ORDERS })
  const bought = [...(await latest('confirmed')), ...(await latest('pending'))].map(({ id }) => id)
  const sent = await emails.list(tx, { recipient }, { limit: MOST_LOOKED_AT })
  const ofHolder = sent
    .filter(mail => mail.event_id === eventId && mail.kind === holderMail.name)
    .map(mail => mail.subject_id as string)
  const shares: Share[] = []
  for (const id of new Set([...bought, ...ofHolder])) {
    if (shares.length === MOST_ORDERS) break
    const share = shareOf(await orders.getDetails(tx, id), { key, types, server })
    if (share !== undefined) shares.push(share)
  }
  return shares
}

/** @returns undefined if the address has nothing of the order any more */
function shareOf(
  order: OrderDetails,
  { key, types, server }: { key: string; types: readonly TypeDetails[]; server: Server },
): Share | undefined {
  const isBuyer = emailKey(order.buyer.email) === key
  const all = order.status === 'confirmed' ? validTickets(order, types) : []
  const own = isBuyer ? all : all.filter(({ email }) => email !== null && emailKey(email) === key)
  const stands = order.status === 'confirmed' || order.status === 'pending'
  if (!stands || (!isBuyer && own.length === 0)) return undefined
  return { order, isBuyer, tickets: withPages(server, order, own) }
}

function linkOrders(own: readonly { order: OrderDetails; url: string }[], language: Language): Part[] {
  const { checkout } = textsIn(language)
  if (own.length === 0) return []
  const lines = own.map(({ order, url }) => ({ name: checkout.order(order.reference), url }))
  return [
    {
      html: (
        <ul key="orders" class="prose">
          {lines.map(({ name, url }) => (
            <li key={url}>
              <a href={url}>{name}</a>
            </li>
          ))}
        </ul>
      ),
      text: lines.map(({ name, url }) => `- ${name}\n  ${url}`).join('\n'),
    },
  ]
}

/** Returns one PDF an order, with the tickets that the address has of it. */
async function printShares(
  shares: readonly Share[],
  language: Language,
  { account, look }: Pick<AboutEvent, 'account' | 'look'>,
): ReturnType<NonNullable<Content['attach']>> {
  const files = []
  for (const { order, tickets } of shares) {
    if (tickets.length === 0) continue
    const document = documentOf(order, order.event, { account, look, language, tickets })
    const content = await ticketPdf(document)
    files.push({ filename: `${order.reference}.pdf`, contentType: 'application/pdf', content })
  }
  return files
}
