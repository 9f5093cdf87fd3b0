import type { ReadTx } from '#machinery/db/port.ts'
import { endOf } from '#product/catalog/events/end.ts'
import type { Event, EventDetails } from '#product/catalog/events/schemas.ts'
import type { TypeDetails } from './schemas.ts'

/**
 * Whether people can buy a type now, or what hinders them:
 *
 * - `off`: it is switched off, or its event is cancelled or completed.
 * - `ended`: its sale or its event is over.
 * - `sold_out`: fewer tickets are left than the smallest order takes.
 * - `no_way_to_pay`: it costs something, or may, and no way to pay takes that.
 * - `later`: its sale has not begun.
 * - `draft`: it will be on sale once its event is published.
 * - `hidden`: it is on sale to those who have a code for it.
 * - `on_sale`: everybody can buy it.
 */
export const sellabilities = [
  'off',
  'ended',
  'sold_out',
  'no_way_to_pay',
  'later',
  'draft',
  'hidden',
  'on_sale',
] as const

export type Sellability = (typeof sellabilities)[number]

/** What decides whether a type can be bought. */
export type Sold = Pick<
  TypeDetails,
  | 'active'
  | 'available'
  | 'hidden'
  | 'max_per_order'
  | 'min_per_order'
  | 'open_price'
  | 'price'
  | 'sales_end'
  | 'sales_start'
>

/** Returns whether somebody may have to pay for a type: it has a price, or the buyer gives one. */
export function mayCost({ price, open_price }: Pick<Sold, 'price' | 'open_price'>): boolean {
  return price > 0 || open_price
}

/** How the types of an event can be paid at one moment. */
export interface Payable {
  /** Returns whether an order of nothing but this type can be paid. The type may cost something. */
  isPayable(
    type: Pick<Sold, 'available' | 'max_per_order' | 'min_per_order' | 'open_price' | 'price'>,
  ): boolean
  /** Whether payment is only stopped for now, and works at other times. */
  isPaused: boolean
  /** Until when this stays so if nothing is written, in milliseconds. */
  until: number
}

/** All can be paid in some way or need no payment, now and later. */
export const ALWAYS_PAYABLE: Payable = {
  isPayable: () => true,
  isPaused: false,
  until: Number.POSITIVE_INFINITY,
}

/** What decides in which ways an event can be paid. */
export type PaidEvent = Pick<
  EventDetails,
  'payment_ways' | 'currency' | 'requires_approval' | 'starts_at' | 'ends_at'
>

/**
 * Reads the ways to pay of an account, and returns how each of its events can be paid. The callers hand it down, because the ways
 * to pay are above the catalog.
 */
export type FindPayable = (tx: ReadTx, now: number) => Promise<(event: PaidEvent) => Payable>

/**
 * Returns whether a type can be bought. It is the one rule about that: whatever is shown or refused follows it.
 *
 * @param now in milliseconds of the clock
 */
export function sellabilityOf(
  type: Sold,
  event: Pick<Event, 'status' | 'starts_at' | 'ends_at'>,
  { isPayable }: Pick<Payable, 'isPayable'>,
  now: number,
): Sellability {
  const { sales_start: start, sales_end: end } = type
  if (!type.active || event.status === 'cancelled' || event.status === 'completed') return 'off'
  if (now >= endOf(event) || (end !== null && now >= Date.parse(end))) return 'ended'
  if (type.available < type.min_per_order) return 'sold_out'
  if (mayCost(type) && !isPayable(type)) return 'no_way_to_pay'
  if (start !== null && now < Date.parse(start)) return 'later'
  if (event.status === 'draft') return 'draft'
  return type.hidden ? 'hidden' : 'on_sale'
}
