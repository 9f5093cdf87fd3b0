import { mayGiveOn } from '#product/selling/exchanges/give-on.ts'
import { withoutExchanged } from '#product/selling/orders/exchanged.ts'
import { extraLines, ticketLines } from '#product/selling/orders/schemas.ts'
import { inSpeech } from '../voice.ts'
import { ExtraCard } from './extra-card.tsx'
import type { OrderProps } from './order-props.ts'
import { TicketCard } from './ticket-card.tsx'

/** Shows each ticket of an order, and what was bought beside them. */
export function OrderTickets(props: OrderProps) {
  const { order, event, path, speech, voice, now } = props
  const { exchanges } = voice.texts
  return (
    <>
      {ticketLines(withoutExchanged(order)).flatMap(line =>
        line.attendees.map((ticket, at) => (
          <TicketCard key={ticket.id} {...props} line={line} ticket={ticket} n={at + 1}>
            {mayGiveOn(event, { ...line, order_id: order.id, erased_at: null }, ticket, now) && (
              <p class="no-print">
                <a
                  href={inSpeech(speech, `${path}/give/${ticket.id}`)}
                  aria-label={exchanges.giveOnOf(ticket.name ?? order.buyer.name)}
                >
                  {exchanges.giveOn}
                </a>
              </p>
            )}
          </TicketCard>
        )),
      )}
      {extraLines(order).map(line => (
        <ExtraCard key={line.id} {...props} line={line} />
      ))}
    </>
  )
}
