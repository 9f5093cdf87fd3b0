import type { ComponentChildren } from 'preact'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { isOnlineOnly } from '#product/catalog/events/date-place.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { isOff } from './event-off.tsx'
import type { OrderProps } from './order-props.ts'

type Ticket = Registration['attendees'][number]

interface TicketProps extends Pick<OrderProps, 'event' | 'voice'> {
  line: Registration
  ticket: Ticket
  n: number
  /** Whether another ticket took its place. */
  isExchanged?: boolean
  /** What can be done with the ticket. */
  children?: ComponentChildren
}

/** Shows a ticket, with its code if it admits somebody. */
export function TicketCard(props: TicketProps) {
  const { line, ticket, n, voice } = props
  const { checkout } = voice.texts
  const type = checkout.ticket(line.registration_type_name ?? '', n, line.attendees.length)
  const name = ticket.name ?? ''
  return (
    <section class="card ticket" aria-labelledby={`t-${ticket.id} of-${ticket.id}`}>
      <div class="stack">
        <h2 id={`t-${ticket.id}`} dir="auto">
          {name}
        </h2>
        <p id={`of-${ticket.id}`}>
          <bdi>{type}</bdi>
        </p>
        {ticket.seat !== null && (
          <p>
            <bdi>{ticket.seat}</bdi>
          </p>
        )}
        <p class="small quiet">{stateOf(props)}</p>
        {props.children}
      </div>
      {isValid(props) && <QrCode level="Q" text={ticket.qr_code} label={checkout.codeOf(name)} isKept />}
    </section>
  )
}

/** Returns whether a ticket admits somebody to an event that takes place. */
export function isValid({ event, line, ticket }: Pick<TicketProps, 'event' | 'line' | 'ticket'>): boolean {
  return !isOff(event) && line.status === 'confirmed' && !ticket.voided
}

function stateOf({ event, line, ticket, voice, isExchanged }: TicketProps): string {
  const { texts, format } = voice
  const { checkout } = texts
  if (isExchanged) return texts.exchanges.void
  if (ticket.voided) return checkout.void
  if (isOff(event)) return checkout.off.ticket
  if (line.status === 'pending') return checkout.notYet
  if (ticket.checked_in_at !== null) return checkout.usedAt(format.dateTime(ticket.checked_in_at))
  // Nobody stands at the door of an event that has no place.
  return isOnlineOnly(event) ? checkout.join : checkout.show
}
