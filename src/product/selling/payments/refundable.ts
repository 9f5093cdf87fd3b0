import type { ReadTx } from '../db/port.ts'
import type { LedgerSubject } from '../ledger/rules.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import type { TicketPrice } from '../registrations/checkout.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'
import * as store from './refund-store.ts'
import { shareOut } from './shares.ts'
import { type Source, sourcesOf } from './sources.ts'

/** A ticket that can be paid back. Amounts in minor units. */
export interface RefundableTicket {
  id: string
  registrationId: string
  holder: string | null
  type: string
  /** What it cost. */
  paid: number
  /** What of that goes back already. */
  back: number
  /** It still admits somebody. */
  stands: boolean
  isCheckedIn: boolean
}

/** An order, or a registration without one, as it can be paid back. */
export interface Refundable {
  of: LedgerSubject
  /** None, of a registration without one. */
  order: Order | undefined
  eventId: string
  currency: string
  buyer: { name: string; email: string }
  lines: readonly Registration[]
  tickets: readonly RefundableTicket[]
  /** Money that can go back, in the order in which it would. */
  sources: readonly Source[]
  /** Minor units, of all of them. */
  left: number
}

/** @throws Problem not_found */
export async function readRefundable(tx: ReadTx, accountId: string, of: LedgerSubject): Promise<Refundable> {
  const subject = 'orderId' in of ? await readOrder(tx, accountId, of) : await readAlone(tx, accountId, of)
  const { lines, prices, ...about } = subject
  const back = new Map<string, number>()
  for (const { tickets } of await store.listBySubject(tx, accountId, of))
    for (const [id, part] of Object.entries(JSON.parse(tickets ?? '{}') as Record<string, number>))
      back.set(id, (back.get(id) ?? 0) + part)
  const sources = await sourcesOf(tx, accountId, of)
  return {
    ...{ of, ...about, lines, sources },
    left: sources.reduce((sum, source) => sum + source.left, 0),
    tickets: lines.flatMap(line =>
      line.attendees.map(({ id, name, voided, checked_in }) => ({
        ...{ id, registrationId: line.id, holder: name, type: line.registration_type_name ?? '' },
        ...{ paid: prices.get(id) ?? 0, back: back.get(id) ?? 0 },
        stands: line.status === 'confirmed' && !voided,
        isCheckedIn: checked_in,
      })),
    ),
  }
}

async function readOrder(tx: ReadTx, accountId: string, { orderId }: { orderId: string }) {
  const { registrations: lines, prices: all, ...order } = await orders.getDetails(tx, accountId, orderId)
  const { event_id: eventId, currency, buyer } = order
  const prices = new Map([...all].map(([id, price]) => [id, paidFor(price)]))
  return { order, eventId, currency, buyer, lines, prices }
}

function paidFor({ price, discount }: TicketPrice): number {
  return price - discount
}

/** Nobody knows what each ticket of a file cost: they share what was paid. */
async function readAlone(tx: ReadTx, accountId: string, { registrationId }: { registrationId: string }) {
  const line = await registrations.get(tx, accountId, registrationId)
  const { event_id: eventId, currency, buyer, attendees } = line
  const shares = shareOut(
    line.amount_total,
    attendees.map(() => 1),
  )
  const prices = new Map(attendees.map(({ id }, at) => [id, shares[at] as number]))
  return { order: undefined, eventId, currency, buyer, lines: [line], prices }
}

/** What of a ticket has not gone back, in minor units. */
export function restOf({ paid, back }: Pick<RefundableTicket, 'paid' | 'back'>): number {
  return Math.max(0, paid - back)
}

/** What these tickets cost, less what went back for them, and at most what is left. */
export function costOf({ tickets, left }: Refundable, ids: readonly string[]): number {
  const chosen = tickets.filter(({ id }) => ids.includes(id))
  return Math.min(
    left,
    chosen.reduce((sum, ticket) => sum + restOf(ticket), 0),
  )
}

/**
 * The part of each ticket in what goes back: first of those that are chosen, then of others that stand, then of those that are void,
 * shared out by what is left of what each cost. What is paid back beyond that is of no ticket.
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
    for (const [at, { id }] of some.entries()) if (shares[at]) parts.set(id, shares[at] as number)
    rest -= given
  }
  return parts
}

/** By which ways an amount would go back, in minor units: with several payments, the newest first. */
export function waysBack(
  { sources }: Pick<Refundable, 'sources'>,
  amount: number,
): Map<Source['method'], number> {
  const ways = new Map<Source['method'], number>()
  let rest = amount
  for (const { method, left } of sources) {
    const part = Math.min(rest, left)
    if (part > 0) ways.set(method, (ways.get(method) ?? 0) + part)
    rest -= part
  }
  return ways
}
