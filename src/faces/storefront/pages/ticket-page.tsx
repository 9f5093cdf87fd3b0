import type { Registration } from '#product/guests/registrations/schemas.ts'
import { isOff } from './event-off.tsx'
import { EventFacts, Frame } from './order-page.tsx'
import type { OrderProps } from './order-props.ts'
import { isValid, TicketCard } from './ticket-card.tsx'

/** Shows one holder's ticket, without the other tickets and the money. */
export function TicketDocument({
  ticketId,
  here,
  ...props
}: OrderProps & Record<'ticketId' | 'here', string>) {
  const { order, event, voice } = props
  const { checkout } = voice.texts
  const line = order.registrations.find(each =>
    each.attendees.some(({ id }) => id === ticketId),
  ) as Registration
  const at = line.attendees.findIndex(({ id }) => id === ticketId)
  const ticket = line.attendees[at] as Registration['attendees'][number]
  const title = checkout.ticketTitle(event.title)
  return (
    <Frame {...props} title={title} here={here}>
      {isOff(event) ? (
        <header class="standing">
          <h1 dir="auto">{title}</h1>
          <p class="headline">{checkout.off.title}</p>
        </header>
      ) : (
        <h1 dir="auto">{title}</h1>
      )}
      <TicketCard {...props} line={line} ticket={ticket} n={at + 1} />
      <EventFacts {...props} isHolder={isValid({ event, line, ticket })} />
    </Frame>
  )
}
