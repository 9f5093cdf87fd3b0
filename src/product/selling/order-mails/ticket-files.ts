import type { ReadTx } from '#machinery/db/port.ts'
import type { Attachment, MailToSend, Part, Server } from '#machinery/mail/kind.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { type AboutEvent, encloseCalendar } from '#product/selling/orders/about.ts'
import { documentOf, type ValidTicket, type validExtras } from '#product/selling/orders/documents.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { listTickets, MOST_PICTURES, showTickets } from '#product/selling/orders/ticket-parts.tsx'

/** An order with those of its tickets that a letter brings. */
interface WithTickets extends AboutEvent {
  order: OrderDetails
  tickets: readonly (ValidTicket & { url: string })[]
  /** The extras of the buyer, of which only the PDF has the codes. */
  extras?: ReturnType<typeof validExtras>
  server: Server
}

/** What a letter has of its tickets. */
interface TicketFiles {
  pictures: Part[]
  attachments: readonly Attachment[]
  attach: () => Promise<readonly Attachment[]>
}

/**
 * Returns what a letter has of its tickets: each code as a picture in the letter, all tickets as a PDF, and the event for a
 * calendar.
 *
 * @param linked the tickets, each with its page where the letter shows a link to it
 */
export async function encloseTickets(
  tx: ReadTx,
  { language, now }: MailToSend,
  of: WithTickets,
  linked: readonly (ValidTicket & { url?: string })[],
): Promise<TicketFiles> {
  const { order, event, account, look, tickets, extras = [], server } = of
  if (tickets.length + extras.length === 0) return { pictures: [], attachments: [], attach: async () => [] }
  const shown = showTickets(linked.slice(0, MOST_PICTURES), language)
  const calendar =
    tickets.length === 0 ? [] : await encloseCalendar(tx, of, { server, method: 'PUBLISH', now })
  const all = [...tickets, ...extras]
  const document = documentOf(order, event, { account, look, language, tickets: all })
  return {
    pictures: [...shown.parts, ...listTickets(linked.slice(MOST_PICTURES))],
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
