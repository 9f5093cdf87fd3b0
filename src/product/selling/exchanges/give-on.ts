import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Details } from '#product/guests/registrations/details.ts'
import { namesLockedAt } from '#product/selling/orders/names.ts'
import { type ExchangedTicket, exchangeTicket, readExchangeable, type TicketOf } from './rules.ts'

/**
 * Tells whether a ticket can be given to somebody else now, as far as its page knows: the event allows that, names are not locked,
 * and the ticket was ordered here and admits somebody who is not in yet.
 *
 * @param now milliseconds of the clock
 */
export function mayGiveOn(
  event: EventDetails,
  { status, order_id, erased_at }: Pick<Details, 'status' | 'order_id' | 'erased_at'>,
  { voided, checked_in }: Pick<Details['attendees'][number], 'voided' | 'checked_in'>,
  now: number,
): boolean {
  if (!event.give_on || event.status === 'cancelled' || now >= namesLockedAt(event)) return false
  return order_id !== null && status === 'confirmed' && erased_at === null && !voided && !checked_in
}

/**
 * Gives a ticket to somebody else, at the request of whoever has the link to it or to its order: it is exchanged for one of the
 * same type. No money moves.
 *
 * @throws Problem those of `exchangeTicket`; not_found if the event does not allow it; too_late once names are locked
 */
export async function giveOn(
  tx: WriteTx,
  of: TicketOf,
  holder: { name: string; email: string },
): Promise<ExchangedTicket> {
  const { order, registration } = await readExchangeable(tx, of)
  if (!order.event.give_on) throw new Problem('not_found')
  if (tx.clock() >= namesLockedAt(order.event)) throw new Problem('too_late')
  return exchangeTicket(tx, { ...of, typeId: registration.registration_type_id as string, holder, back: 0 })
}
