import { createHash } from 'node:crypto'
import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { TypeDetails } from '../registration-types/schemas.ts'
import type { TicketPrice } from '../registrations/checkout.ts'
import { MAX_TICKETS } from './schemas.ts'

/** What somebody wants of an event. */
export interface Wanted {
  lines: readonly { typeId: string; quantity: number }[]
}

/** What an order would come to. Amounts in minor units. */
export interface Basket {
  event: EventDetails
  lines: { type: TypeDetails; prices: TicketPrice[] }[]
  quantity: number
  total: number
}

/**
 * What an order comes to, from what is on sale now. Whether there is room is decided by whoever takes it.
 *
 * @param now milliseconds of the clock
 * @throws Problem not_found for what is not of this event; not_on_sale; order_size with `details` of what may be taken
 */
export async function fillBasket(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { lines }: Wanted,
  now: number,
): Promise<Basket> {
  const event = await events.getDetails(tx, accountId, eventId)
  const isOver = now >= Date.parse(event.ends_at ?? event.starts_at ?? '9999-12-31T00:00:00Z')
  if (event.status !== 'published' || isOver) throw new Problem('not_on_sale')
  const wanted = lines.filter(({ quantity }) => quantity > 0)
  const quantity = wanted.reduce((sum, line) => sum + line.quantity, 0)
  if (quantity < 1 || quantity > MAX_TICKETS) {
    throw new Problem('order_size', { details: { min: 1, max: MAX_TICKETS } })
  }
  const types = await registrationTypes.listDetails(tx, accountId, eventId)
  const filled = wanted.map(line => {
    const type = types.find(({ id }) => id === line.typeId)
    // One that is hidden is not there for whoever cannot see it.
    if (type === undefined || type.hidden) throw new Problem('not_found', { param: 'registration_type_id' })
    refuseUnsold(type, event, now)
    refuseSize(type, line.quantity)
    return { type, prices: Array.from({ length: line.quantity }, () => priceOf(type)) }
  })
  if (new Set(filled.map(({ type }) => type.id)).size < filled.length) {
    throw new Problem('order_size', { message: 'A type stands in two lines.' })
  }
  const total = filled.flatMap(({ prices }) => prices).reduce((sum, one) => sum + one.price - one.discount, 0)
  return { event, lines: filled, quantity, total }
}

function refuseUnsold(type: TypeDetails, { status }: EventDetails, now: number): void {
  const details = { registration_type_id: type.id, name: type.name }
  const state = registrationTypes.saleStateOf(type, status, now)
  if (state === 'soldOut') throw new Problem('sold_out', { details: { ...details, available: 0 } })
  if (state !== 'on') throw new Problem('not_on_sale', { details })
}

function refuseSize({ id, name, min_per_order: min, max_per_order }: TypeDetails, quantity: number): void {
  const max = Math.min(max_per_order ?? MAX_TICKETS, MAX_TICKETS)
  if (quantity >= min && quantity <= max) return
  throw new Problem('order_size', { details: { registration_type_id: id, name, min, max } })
}

function priceOf({ price, tax_basis_points }: TypeDetails): TicketPrice {
  return { price, discount: 0, tax: taxIn(price, tax_basis_points) }
}

/** The tax that a price includes, in minor units, rounded half up. */
export function taxIn(price: number, basisPoints: number): number {
  return Math.floor((2 * price * basisPoints + 10_000 + basisPoints) / (2 * (10_000 + basisPoints)))
}

/** What a buyer agrees to, so that nobody is held to something else: what it comes to, and the terms. */
export function seenOf({
  total,
  event,
}: {
  total: number
  event: Pick<EventDetails, 'currency' | 'terms'>
}): string {
  return createHash('sha256')
    .update(JSON.stringify([total, event.currency, event.terms]))
    .digest('base64url')
}
