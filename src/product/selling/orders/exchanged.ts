import type { OrderDetails } from './schemas.ts'

export type ExchangedLines = Pick<OrderDetails, 'registrations' | 'exchangedFor'>
type Line = OrderDetails['registrations'][number]

/** A ticket that nothing took the place of, with what was sold for it. */
export interface CurrentTicket {
  ticket: Line['attendees'][number]
  line: Line
  /** The ticket that was sold: this one, or the first of those that were exchanged until it was there. Money is counted by it. */
  soldAs: string
  /** The registration of that ticket. */
  soldWith: string
}

/** Returns the tickets of an order, in the order of its lines, without those that were exchanged. */
export function currentTickets({ registrations, exchangedFor }: ExchangedLines): CurrentTicket[] {
  const gone = new Set(exchangedFor.values())
  const lineOf = new Map(registrations.flatMap(line => line.attendees.map(({ id }) => [id, line] as const)))
  return registrations.flatMap(line =>
    line.attendees.flatMap(ticket => {
      if (gone.has(ticket.id)) return []
      let [soldAs, soldWith] = [ticket.id, line.id]
      for (;;) {
        const former = exchangedFor.get(soldWith)
        const before = former === undefined ? undefined : lineOf.get(former)
        if (former === undefined || before === undefined) break
        soldAs = former
        soldWith = before.id
      }
      return [{ ticket, line, soldAs, soldWith }]
    }),
  )
}

/** Returns the same order without the tickets that others took the place of, and without lines that had no other. */
export function withoutExchanged<Order extends ExchangedLines>(order: Order): Order {
  if (order.exchangedFor.size === 0) return order
  const gone = new Set(order.exchangedFor.values())
  const registrations = order.registrations.flatMap(line => {
    const attendees = line.attendees.filter(({ id }) => !gone.has(id))
    return attendees.length === 0 ? [] : [{ ...line, attendees }]
  })
  return { ...order, registrations }
}
