import { createHash } from 'node:crypto'
import * as codes from '../codes/rules.ts'
import type { Code } from '../codes/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import type { OfferedType } from '../event-pages/schemas.ts'
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
  /** As somebody has entered it. */
  code?: string | undefined
}

/** What an order would come to. Amounts in minor units. */
export interface Basket {
  event: EventDetails
  lines: { type: TypeDetails; prices: TicketPrice[] }[]
  /** That takes something off, or shows what is hidden. */
  code: Code | undefined
  quantity: number
  total: number
}

/** What an event sells. */
export interface Sale {
  event: EventDetails
  types: readonly TypeDetails[]
}

/** @throws Problem not_found */
export async function readSale(tx: ReadTx, accountId: string, eventId: string): Promise<Sale> {
  const event = await events.getDetails(tx, accountId, eventId)
  return { event, types: await registrationTypes.listDetails(tx, accountId, eventId) }
}

/**
 * What an order comes to, from what is on sale now. Whether there is room is decided by whoever takes it.
 *
 * @param now milliseconds of the clock
 * @throws Problem not_found for what is not of this event; not_on_sale; sold_out; order_size with `details` of what may be taken; those of
 *   `codes.findValid`
 */
export async function fillBasket(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { lines, code: entered }: Wanted,
  now: number,
): Promise<Basket> {
  const sale = await readSale(tx, accountId, eventId)
  const findCode = () => findEntered(tx, accountId, eventId, entered, now)
  return fillFrom(sale, { lines }, findCode, now)
}

/** The code that somebody has entered, if any. @throws Problem those of `codes.findValid` */
export async function findEntered(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  entered: string | undefined,
  now: number,
): Promise<Code | undefined> {
  return entered === undefined ? undefined : codes.findValid(tx, accountId, eventId, entered, now)
}

/**
 * The same of a sale that was read before.
 *
 * @param wanted what is sold out stays in it where it says so, so that a form which names it can be shown again
 * @throws Problem those of `fillBasket`
 */
export async function fillFrom(
  { event, types }: Sale,
  { lines, keepsSoldOut = false }: Pick<Wanted, 'lines'> & { keepsSoldOut?: boolean },
  findCode: () => Promise<Code | undefined>,
  now: number,
): Promise<Basket> {
  const isOver = now >= eventPages.endOf(event)
  if (event.status !== 'published' || isOver) throw new Problem('not_on_sale')
  const wanted = lines.filter(({ quantity }) => quantity > 0)
  const quantity = wanted.reduce((sum, line) => sum + line.quantity, 0)
  if (quantity < 1 || quantity > MAX_TICKETS) {
    throw new Problem('order_size', { details: { min: 1, max: MAX_TICKETS } })
  }
  const code = await findCode()
  const filled = wanted.map(line => {
    const type = types.find(({ id }) => id === line.typeId)
    // One that is hidden is not there for whoever cannot see it.
    if (type === undefined || !isShown(type, code))
      throw new Problem('not_found', { param: 'registration_type_id' })
    refuseUnsold(type, event, now, keepsSoldOut)
    refuseSize(type, line.quantity)
    return { type, prices: Array.from({ length: line.quantity }, () => priceWith(type, code)) }
  })
  if (new Set(filled.map(({ type }) => type.id)).size < filled.length) {
    throw new Problem('order_size', { message: 'A type stands in two lines.' })
  }
  const total = filled.flatMap(({ prices }) => prices).reduce((sum, one) => sum + one.price - one.discount, 0)
  return { event, lines: filled, code, quantity, total }
}

/**
 * What is offered to whoever has a code, at the prices that it leaves.
 *
 * @throws Problem those of `codes.findValid`
 */
export async function readOffers(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  entered: string,
  now: number,
): Promise<OfferedType[]> {
  const code = await codes.findValid(tx, accountId, eventId, entered, now)
  const { event, types } = await readSale(tx, accountId, eventId)
  return types
    .filter(type => isShown(type, code))
    .flatMap(type => {
      const { price, discount } = priceWith(type, code)
      const shown = { ...type, hidden: false, price: price - discount }
      return eventPages.offer(shown, event.status, now >= eventPages.endOf(event), now)
    })
}

function refuseUnsold(type: TypeDetails, { status }: EventDetails, now: number, keepsSoldOut: boolean): void {
  const details = { registration_type_id: type.id, name: type.name }
  const state = registrationTypes.saleStateOf(type, status, now)
  if (state === 'soldOut' && keepsSoldOut) return
  if (state === 'soldOut') throw new Problem('sold_out', { details: { ...details, available: 0 } })
  if (state !== 'on') throw new Problem('not_on_sale', { details })
}

function refuseSize({ id, name, min_per_order: min, max_per_order }: TypeDetails, quantity: number): void {
  const max = Math.min(max_per_order ?? MAX_TICKETS, MAX_TICKETS)
  if (quantity >= min && quantity <= max) return
  throw new Problem('order_size', { details: { registration_type_id: id, name, min, max } })
}

/** Whether a type is to be seen, with a code or without one. */
export function isShown({ id, hidden }: Pick<TypeDetails, 'id' | 'hidden'>, code: Code | undefined): boolean {
  return !hidden || (code !== undefined && codes.unlocks(code, id))
}

/** What one ticket of a type costs, with a code or without one. */
export function priceWith(
  type: Pick<TypeDetails, 'id' | 'price' | 'tax_basis_points'>,
  code: Code | undefined,
): TicketPrice {
  const { price, tax_basis_points } = type
  const discount = code === undefined ? 0 : codes.priceOf(code, type).discount
  return { price, discount, tax: taxIn(price - discount, tax_basis_points), tax_basis_points }
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
