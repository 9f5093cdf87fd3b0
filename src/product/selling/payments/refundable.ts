import { shareOut } from '#base/money.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { TicketPrice } from '#product/guests/registrations/checkout.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { LedgerSubject } from '#product/selling/ledger/rules.ts'
import { currentTickets } from '#product/selling/orders/exchanged.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { type RefundSource, readRefundSources } from './refund-limit.ts'

/**
 * A ticket that can be refunded. Amounts are in minor units. One that was exchanged is not among them: what it cost can go back
 * with the one that took its place.
 */
export interface RefundableTicket {
  id: string
  registrationId: string
  /** The ticket that was sold, and its registration. They are others if this one took its place. */
  soldAs: string
  soldWith: string
  holder: string | null
  type: string
  /** What it cost. */
  paid: number
  /** The part of its price that goes back already. */
  back: number
  /** It is true if the ticket still admits somebody. */
  stands: boolean
  isCheckedIn: boolean
}

/** An order, or a registration without one, with what can be refunded of it. */
export interface Refundable {
  of: LedgerSubject
  /** It is undefined for a registration without an order. */
  order: OrderDetails | undefined
  eventId: string
  currency: string
  buyer: { name: string; email: string }
  lines: readonly Registration[]
  tickets: readonly RefundableTicket[]
  /** The money that can go back, in the order in which it would. */
  sources: readonly RefundSource[]
  /** What is left of all sources, in minor units. */
  left: number
}

/** @throws Problem not_found */
export async function readRefundable(tx: ReadTx, of: LedgerSubject): Promise<Refundable> {
  if ('orderId' in of) return refundableOf(tx, await orders.getDetails(tx, of.orderId))
  return withMoney(tx, of, aloneOf(await registrations.get(tx, of.registrationId)))
}

/** Does the same as `readRefundable` for an order that was read in this transaction. */
export function refundableOf(tx: ReadTx, order: OrderDetails): Promise<Refundable> {
  const { event_id: eventId, currency, buyer, registrations: lines, exchangedFor } = order
  const prices = new Map([...order.prices].map(([id, price]) => [id, paidFor(price)]))
  return withMoney(
    tx,
    { orderId: order.id },
    { order, eventId, currency, buyer, lines, prices, exchangedFor },
  )
}

/** What was sold, and what each ticket of it cost, in minor units. */
type Sold = Pick<Refundable, 'order' | 'eventId' | 'currency' | 'buyer' | 'lines'> &
  Pick<OrderDetails, 'exchangedFor'> & { prices: ReadonlyMap<string, number> }

async function withMoney(
  tx: ReadTx,
  of: LedgerSubject,
  { lines, prices, exchangedFor, ...about }: Sold,
): Promise<Refundable> {
  const money = await readRefundSources(tx, of)
  const { sources } = money
  const back = new Map<string, number>()
  for (const parts of money.back)
    for (const [id, part] of Object.entries(parts)) back.set(id, (back.get(id) ?? 0) + part)
  return {
    ...{ of, ...about, lines, sources },
    left: sources.reduce((sum, source) => sum + source.left, 0),
    tickets: currentTickets({ registrations: [...lines], exchangedFor }).map(
      ({ ticket: { id, name, voided, checked_in }, line, soldAs, soldWith }) => ({
        ...{ id, registrationId: line.id, soldAs, soldWith },
        ...{ holder: name, type: line.registration_type_name ?? '' },
        ...{ paid: prices.get(soldAs) ?? 0, back: back.get(soldAs) ?? 0 },
        stands: line.status === 'confirmed' && !voided,
        isCheckedIn: checked_in,
      }),
    ),
  }
}

function paidFor({ price, discount }: TicketPrice): number {
  return price - discount
}

/**
 * Returns a registration without an order as it was sold. A file does not say what each ticket cost, so they share what was paid.
 */
function aloneOf(line: Registration): Sold {
  const { event_id: eventId, currency, buyer, attendees } = line
  const shares = shareOut(
    line.amount_total,
    attendees.map(() => 1),
  )
  const prices = new Map(attendees.map(({ id }, at) => [id, shares[at] as number]))
  return { order: undefined, eventId, currency, buyer, lines: [line], prices, exchangedFor: new Map() }
}

/** Returns what of a ticket's price has not gone back, in minor units. */
export function restOf({ paid, back }: Pick<RefundableTicket, 'paid' | 'back'>): number {
  return Math.max(0, paid - back)
}

/** Returns what these tickets cost, less what went back for them, and at most what is left. */
export function costOf({ tickets, left }: Refundable, ids: readonly string[]): number {
  const chosen = tickets.filter(({ id }) => ids.includes(id))
  return Math.min(
    left,
    chosen.reduce((sum, ticket) => sum + restOf(ticket), 0),
  )
}

/**
 * Returns the part of each ticket in what goes back, by the ticket that was sold. The chosen tickets come first, then others that stand, then void ones, and
 * each group shares by what is left of each price. Anything beyond that belongs to no ticket.
 */
export function partsOf(
  { tickets }: Pick<Refundable, 'tickets'>,
  ids: readonly string[],
  amount: number,
): Map<string, number> {
  const isChosen = ({ id }: RefundableTicket) => ids.includes(id)
  const parts = new Map<string, number>()
  let rest = amount
  for (const some of [
    tickets.filter(isChosen),
    tickets.filter(ticket => !isChosen(ticket) && ticket.stands),
    tickets.filter(ticket => !isChosen(ticket) && !ticket.stands),
  ]) {
    const weights = some.map(restOf)
    const given = Math.min(
      rest,
      weights.reduce((sum, weight) => sum + weight, 0),
    )
    if (given === 0) continue
    const shares = shareOut(given, weights)
    for (const [at, { soldAs }] of some.entries()) if (shares[at]) parts.set(soldAs, shares[at] as number)
    rest -= given
  }
  return parts
}

/** Returns by which methods an amount would go back, in minor units. With several payments, the newest goes first. */
export function refundMethods(
  { sources }: Pick<Refundable, 'sources'>,
  amount: number,
): Map<RefundSource['method'], number> {
  const methods = new Map<RefundSource['method'], number>()
  let rest = amount
  for (const { method, left } of sources) {
    const part = Math.min(rest, left)
    if (part > 0) methods.set(method, (methods.get(method) ?? 0) + part)
    rest -= part
  }
  return methods
}
