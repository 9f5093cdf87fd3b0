import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Server } from '#machinery/mail/kind.ts'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { may } from '#product/administration/users/roles.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import { listMailable, type Mailable } from '#product/guests/registrations/mailable.ts'
import { readTicketUrls } from '#product/selling/orders/ticket-urls.ts'

type Ticket = Details['attendees'][number]

/** A ticket that admits somebody, as those see it who may send it. */
export interface ShownTicket {
  ticket: Ticket
  mailable: Mailable
  /** The ticket's own page. */
  url: string
}

/**
 * Returns a good ticket of a registration for those who may write to guests. Whoever sees its code can show it at a door.
 *
 * @param id of the ticket; without it, that of a registration which has only one
 */
export async function readShownTicket(
  tx: ReadTx,
  { member }: EventRequest,
  { guest, id }: { guest: Details; id?: string | undefined },
  server: Server,
): Promise<ShownTicket | undefined> {
  if (!may(member.role, 'messages') || guest.status !== 'confirmed') return undefined
  const ticket =
    id === undefined && guest.attendees.length > 1
      ? undefined
      : guest.attendees.find(each => id === undefined || each.id === id)
  const mailable = (await listMailable(tx, [guest.id])).find(each => each.id === ticket?.id)
  const urlOf = await readTicketUrls(tx, guest.id, server)
  if (ticket === undefined || ticket.voided || mailable === undefined || urlOf === undefined) return undefined
  // An extra has no page and no mail of its own.
  if (mailable.refusal === 'extra') return undefined
  return { ticket, mailable, url: urlOf(ticket.id) }
}

interface CardProps {
  guest: Details
  shown: ShownTicket
  request: EventRequest
}

/** Shows the code of a ticket, with the ways to give it to its guest. */
export function TicketCard({ guest, shown: { ticket, mailable, url }, request }: CardProps) {
  const { event, member, voice } = request
  const { texts, format } = voice
  const { guests, sending } = texts
  const at = { registration: guest.id, ticket: ticket.id }
  const maySend = mailable.refusal === undefined && event.status !== 'cancelled'
  return (
    <section class="card pairing" aria-labelledby="ticket">
      <QrCode text={ticket.qr_code} label={sending.codeOf(mailable.name)} level="Q" isKept />
      <div class="stack">
        <h2 id="ticket">{guests.ticket}</h2>
        <p>
          <bdi>{[guest.registration_type_name, ticket.seat].filter(Boolean).join(' · ')}</bdi>
        </p>
        <p class="quiet">
          {mailable.mailedAt === null
            ? sending.notSentYet
            : sending.wasSentAt(format.dateTime(mailable.mailedAt))}
        </p>
        <Copyable label={sending.link} text={url} texts={texts} />
        <div class="row">
          {maySend && (
            <ButtonLink href={withQuery(paths.sendTicketsOf(event.id, guest.id), { ticket: ticket.id })}>
              {sending.send}
            </ButtonLink>
          )}
          <ButtonLink href={paths.guestTicketFile(event.id, at)}>{sending.pdf}</ButtonLink>
          {/* The links of an ordered ticket are renewed with those of its order. */}
          {guest.order_id === null && may(member.role, 'guests.edit') && (
            <ButtonLink href={paths.renewGuestLinks(event.id, guest.id)} isDestructive>
              {sending.renew}
            </ButtonLink>
          )}
        </div>
      </div>
    </section>
  )
}
