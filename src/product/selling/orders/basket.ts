import { createHash } from 'node:crypto'
import { MAX_AMOUNT, portion } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { Code } from '#product/catalog/codes/schemas.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import type { OfferedType } from '#product/catalog/event-pages/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  ALWAYS_PAYABLE,
  type FindPayable,
  mayCost,
  type Payable,
} from '#product/catalog/registration-types/sellability.ts'
import type { TicketPrice } from '#product/guests/registrations/checkout.ts'
import { needsAddress } from './invoice.ts'
import { MAX_TICKETS } from './schemas.ts'

export interface WantedLine {
  typeId: string
  quantity: number
  /** What the buyer gives for each ticket of an open price, in minor units. Without it, it is the least. */
  price?: number | undefined
}

/** What somebody wants to order from an event. */
export interface Wanted {
  lines: readonly WantedLine[]
  /** The code as the buyer has entered it. */
  code?: string | undefined
}

/** What an order comes to. Amounts are in minor units. */
export interface Basket {
  event: EventDetails
  lines: { type: TypeDetails; prices: TicketPrice[] }[]
  /** A code that takes something off or shows hidden types. */
  code: Code | undefined
  quantity: number
  total: number
  /** Whether its invoice needs the postal address of the buyer. */
  isAddressNeeded: boolean
}

/** What an event sells. */
export interface Sale {
  event: EventDetails
  types: readonly TypeDetails[]
  /** From which order on an invoice needs an address. It is null if none does. */
  invoiceFrom: accounts.Sum | null
  /** How it can be paid. Without it, only the amount that an order comes to decides about that, when it is paid. */
  payable?: Payable
}

/** Returns what an event sells, by its own terms or else those of its account. @throws Problem not_found */
export async function readSale(tx: ReadTx, eventId: string): Promise<Sale> {
  const event = await events.withTerms(tx, await events.getDetails(tx, eventId))
  const types = await registrationTypes.listDetailsOf(tx, event)
  const isFree = !types.some(mayCost)
  return { event, types, invoiceFrom: isFree ? null : await accounts.findInvoiceFrom(tx) }
}

/**
 * Returns what an order comes to, from what is on sale now. It does not check whether there is room: that is decided when the
 * places are taken.
 *
 * @param now milliseconds of the clock
 * @throws Problem not_found for a type that is not of this event; not_on_sale; sold_out; payment_needed for a type that nobody
 *   can pay; ticket_needed for extras alone; wrong_price for less or more than may be given for an open price; order_size with the allowed sizes in `details`; those of `codes.findValid`
 */
export async function fillBasket(
  tx: ReadTx,
  eventId: string,
  { lines, code: entered }: Wanted,
  now: number,
): Promise<Basket> {
  const sale = await readSale(tx, eventId)
  const findCode = () => findEntered(tx, eventId, entered, now)
  return fillFrom(sale, { lines }, findCode, now)
}

/** Returns the code that the buyer has entered, if any. @throws Problem those of `codes.findValid` */
export async function findEntered(
  tx: ReadTx,
  eventId: string,
  entered: string | undefined,
  now: number,
): Promise<Code | undefined> {
  return entered === undefined ? undefined : codes.findValid(tx, eventId, entered, now)
}

/**
 * Does the same as `fillBasket` for a sale that was read before.
 *
 * @param wanted with `keepsSoldOut`, types that are sold out stay in the basket, so that a form which names them can be shown
 *   again
 * @throws Problem those of `fillBasket`
 */
export async function fillFrom(
  { event, types, invoiceFrom, payable = ALWAYS_PAYABLE }: Sale,
  { lines, keepsSoldOut = false }: Pick<Wanted, 'lines'> & { keepsSoldOut?: boolean },
  findCode: () => Promise<Code | undefined>,
  now: number,
): Promise<Basket> {
  const isOver = now >= eventPages.endOf(event)
  if (event.status !== 'published' || isOver) throw new Problem('not_on_sale')
  const wanted = lines.filter(({ quantity }) => quantity > 0)
  const quantity = wanted.reduce((sum, line) => sum + line.quantity, 0)
  if (quantity < 1 || quantity > MAX_TICKETS) {
    const extras = wanted.some(line => types.some(({ id, kind }) => id === line.typeId && kind === 'extra'))
    throw new Problem('order_size', { details: { min: 1, max: MAX_TICKETS, ...(extras ? { extras } : {}) } })
  }
  const code = await findCode()
  const filled = wanted.map(line => {
    const type = types.find(({ id }) => id === line.typeId)
    // To a buyer who cannot see it, a hidden type does not exist.
    if (type === undefined || !isShown(type, code))
      throw new Problem('not_found', { param: 'registration_type_id' })
    const price = priceWith(type, code, givenFor(type, line.price))
    const paid = { price: price.price - price.discount, open_price: false }
    refuseUnsold({ ...type, ...paid }, { event, payable, now, keepsSoldOut })
    refuseSize(type, line.quantity)
    return { type, prices: Array.from({ length: line.quantity }, () => ({ ...price })) }
  })
  if (new Set(filled.map(({ type }) => type.id)).size < filled.length) {
    throw new Problem('order_size', { message: 'A type stands in two lines.' })
  }
  if (!keepsSoldOut) refuseWithoutTicket(filled)
  const total = filled.flatMap(({ prices }) => prices).reduce((sum, one) => sum + one.price - one.discount, 0)
  const isAddressNeeded = needsAddress({ amount_total: total, currency: event.currency }, invoiceFrom)
  return { event, lines: filled, code, quantity, total, isAddressNeeded }
}

/**
 * Returns what an event offers to whoever has a code, at the prices with that code.
 *
 * @throws Problem those of `codes.findValid`
 */
export async function readOffers(
  tx: ReadTx,
  eventId: string,
  entered: string,
  now: number,
  findPayable: FindPayable,
): Promise<OfferedType[]> {
  const code = await codes.findValid(tx, eventId, entered, now)
  const { event, types } = await readSale(tx, eventId)
  const payable = (await findPayable(tx, now))(event)
  return types
    .filter(type => isShown(type, code))
    .flatMap(type => {
      const { price, discount } = priceWith(type, code)
      const shown = { ...type, hidden: false, price: price - discount }
      return eventPages.offer(shown, event, payable, now)
    })
}

interface Moment {
  event: EventDetails
  payable: Payable
  now: number
  keepsSoldOut: boolean
}

/** @param type with the price that the buyer pays */
function refuseUnsold(type: TypeDetails, { event, payable, now, keepsSoldOut }: Moment): void {
  const details = { registration_type_id: type.id, name: type.name }
  const state = registrationTypes.sellabilityOf(type, event, payable, now)
  if (state === 'on_sale' || state === 'hidden' || (state === 'sold_out' && keepsSoldOut)) return
  if (state === 'sold_out') throw new Problem('sold_out', { details: { ...details, available: 0 } })
  if (state !== 'no_way_to_pay') throw new Problem('not_on_sale', { details })
  // While payment is only stopped, a buyer fills in the form, and tries again on the review.
  if (!payable.isPaused) throw new Problem('payment_needed', { details })
}

/** Refuses an order of extras alone. @throws Problem ticket_needed */
function refuseWithoutTicket(lines: Basket['lines']): void {
  const [extra] = lines.filter(({ type }) => type.kind === 'extra')
  if (extra === undefined || lines.some(({ type }) => type.kind === 'ticket')) return
  const { id, name } = extra.type
  throw new Problem('ticket_needed', { details: { registration_type_id: id, name } })
}

/** Returns what one ticket costs before any code, in minor units. @throws Problem wrong_price */
function givenFor(
  { id, name, price: min, open_price, currency }: TypeDetails,
  given: number | undefined,
): number {
  if (!open_price || given === undefined) return min
  if (Number.isInteger(given) && given >= min && given <= MAX_AMOUNT) return given
  const details = { registration_type_id: id, name, min, max: MAX_AMOUNT, currency }
  throw new Problem('wrong_price', { details })
}

function refuseSize({ id, name, min_per_order: min, max_per_order }: TypeDetails, quantity: number): void {
  const max = Math.min(max_per_order ?? MAX_TICKETS, MAX_TICKETS)
  if (quantity >= min && quantity <= max) return
  throw new Problem('order_size', { details: { registration_type_id: id, name, min, max } })
}

/** Tells whether buyers can see a type, with a code or without one. */
export function isShown({ id, hidden }: Pick<TypeDetails, 'id' | 'hidden'>, code: Code | undefined): boolean {
  return !hidden || (code !== undefined && codes.unlocks(code, id))
}

/**
 * Returns what one ticket of a type costs, with a code or without one.
 *
 * @param price what the buyer gives, in minor units. A code takes nothing off what that is above the price of the type
 */
export function priceWith(
  type: Pick<TypeDetails, 'id' | 'price' | 'tax_basis_points'>,
  code: Code | undefined,
  price = type.price,
): TicketPrice {
  const { tax_basis_points } = type
  const discount = code === undefined ? 0 : codes.priceOf(code, type).discount
  return { price, discount, tax: taxIn(price - discount, tax_basis_points), tax_basis_points }
}

/** Returns the tax that a price includes, in minor units, rounded half up. */
export function taxIn(price: number, basisPoints: number): number {
  return portion(price, basisPoints, 10_000 + basisPoints)
}

/** Returns a hash of what a buyer agrees to: the total with its currency, and the terms. Nobody is held to anything else. */
export function agreementHash({
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
