import type { ReadTx } from '#machinery/db/port.ts'
import { type DoorTicket, ticketsOf } from '#product/entrance/check-ins/tickets.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { findOrders } from '#product/selling/payments/search.ts'

/**
 * Returns the tickets of the order that a text names. Who pays at the door was told to say its reference or that of the payment,
 * which people write in many ways.
 */
export async function listTicketsOfOrder(tx: ReadTx, eventId: string, q: string): Promise<DoorTicket[]> {
  const [order] = q.includes('@') ? [] : await findOrders(tx, eventId, q, 1)
  if (order === undefined) return []
  const { registrations } = await orders.getDetails(tx, order.id)
  return registrations.flatMap(registration => ticketsOf(registration, undefined))
}
