import { Problem } from '#base/problem.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { OF_MESSAGES } from '#faces/dashboard/mailing/message-parts.tsx'
import { goneSignal } from '#machinery/http/gone.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { ticketPdf } from '#machinery/ticket-documents/ticket-pdf.ts'
import { Head, NamedLink } from '#machinery/web/components/parts.tsx'
import { readTicketDocument } from '#product/selling/guest-mails/ticket-document.ts'
import { readGuestTicket } from './guest.tsx'
import { readShownTicket, TicketCard } from './ticket-card.tsx'

/** Shows one ticket of a registration that has several. */
export const guestTicketPage = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/guests/{registration}/tickets/{ticket}',
  load: async (tx, request, { baseUrl, secret }) => {
    const { guest, ticket } = await readGuestTicket(tx, request)
    const of = { guest, id: ticket.id }
    const shown = await readShownTicket(tx, request, of, { baseUrl, secret })
    if (shown === undefined) throw new Problem('not_found')
    return { guest, shown }
  },
  view: ({ guest, shown }, request) => {
    const { name } = shown.mailable
    const way = <NamedLink href={paths.guest(request.event.id, guest.id)} name={guest.buyer.name} />
    return {
      title: name,
      body: (
        <>
          <Head title={<bdi>{name}</bdi>} crumbs={way} />
          <TicketCard guest={guest} shown={shown} request={request} />
        </>
      ),
    }
  },
})

/** Answers with a ticket as a file. */
export const guestTicketFile: PageAt<'event'> = {
  ...OF_MESSAGES,
  path: '/e/{event}/guests/{registration}/tickets/{ticket}/pdf',
  level: 'event',
  isFile: true,
  get: async ({ db, baseUrl, secret }, context, request) => {
    const document = await db.read(request.account.id, async tx => {
      const { guest, ticket } = await readGuestTicket(tx, request)
      return readTicketDocument(tx, { registrationId: guest.id, ticketId: ticket.id }, { baseUrl, secret })
    })
    if (document === undefined) throw new Problem('not_found')
    const shares = [request.account.id, request.user.id]
    const file = await ticketPdf(document, { lane: 'members', shares, signal: goneSignal(context.res) })
    context.status = 200
    context.attachment(`${document.order.reference ?? request.event.slug}.pdf`)
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  },
}
