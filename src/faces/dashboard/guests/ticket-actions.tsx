import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { PostButton } from '#machinery/web/components/parts.tsx'
import { may } from '#product/administration/users/roles.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import type { Exchanges } from '#product/guests/registrations/exchange.ts'

/** A ticket of a registration. */
export interface TicketRow {
  guest: Details
  request: EventRequest
  ticket: Details['attendees'][number]
  /** The number starts at 1. */
  number: number
  exchanges: Exchanges
  /** An extra is neither sent nor exchanged, and is handed out. */
  isExtra: boolean
}

/** Shows what the state of a ticket and the member's role allow. */
export function TicketActions({ ticket, number, guest, exchanges, isExtra, request }: TicketRow) {
  const { event, member, voice } = request
  const { guests: texts, sending } = voice.texts
  const at = { registration: guest.id, ticket: ticket.id }
  const name = ticket.name ?? texts.ticketNumber(number)
  const isGood = guest.status === 'confirmed' && !ticket.voided
  const admits = isGood && !ticket.checked_in
  const mayExchange =
    !isExtra && guest.order_id !== null && guest.erased_at === null && event.status !== 'cancelled'
  const handOver = isExtra
    ? { text: texts.handOut, of: texts.handOutOf }
    : { text: texts.checkIn, of: texts.checkInOf }
  const taken = exchanges.by.get(ticket.id)
  return (
    <div class="row">
      {taken !== undefined && <a href={paths.guest(event.id, taken)}>{voice.texts.exchanges.newTicket}</a>}
      {may(member.role, 'guests.edit') && admits && mayExchange && (
        <a
          class="button"
          href={paths.exchangeTicket(event.id, at)}
          aria-label={voice.texts.exchanges.openOf(name)}
        >
          {voice.texts.exchanges.open}
        </a>
      )}
      {may(member.role, 'messages') && isGood && !isExtra && guest.attendees.length > 1 && (
        <a class="button" href={paths.guestTicketPage(event.id, at)} aria-label={sending.showOf(name)}>
          {sending.show}
        </a>
      )}
      {may(member.role, 'checkins') && admits && (
        <PostButton action={paths.guestTicket(event.id, at, 'check-in')} label={handOver.of(name)}>
          {handOver.text}
        </PostButton>
      )}
      {may(member.role, 'checkins') && ticket.checked_in && (
        <a
          class="button"
          href={paths.guestTicket(event.id, at, 'undo')}
          aria-label={texts.undoCheckInOf(name)}
        >
          {texts.undoCheckIn}
        </a>
      )}
    </div>
  )
}
