import { Problem } from '#base/problem.ts'
import { atLocalHour } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { queueWithdrawn } from './queue-mails.ts'
import * as orders from './rules.ts'
import { type Order, type OrderDetails, withoutDetails } from './schemas.ts'

/**
 * A buyer may withdraw from a distance contract for so many days, not counting the day of the contract (Directive 2011/83/EU,
 * article 9).
 */
const DAYS = 14

/**
 * Returns until when the buyer of a confirmed order may withdraw from it without giving a reason: the end of the fourteenth day,
 * and at the latest when the event begins.
 *
 * @returns milliseconds; undefined if withdrawal is excluded, as for leisure on a fixed date (article 16), or if there is nothing
 *   to withdraw from
 */
export function withdrawableUntil(
  { status, confirmed_at }: Pick<Order, 'status' | 'confirmed_at'>,
  { withdrawal_excluded, starts_at, timezone }: EventDetails,
): number | undefined {
  if (withdrawal_excluded || status !== 'confirmed' || confirmed_at === null) return undefined
  const last = atLocalHour(Date.parse(confirmed_at), timezone, DAYS + 1, 0)
  return starts_at === null ? last : Math.min(last, Date.parse(starts_at))
}

/** Throws if the buyer may not withdraw any more. @param now milliseconds @throws Problem order_ended; too_late */
export function refuseLateWithdrawal(
  order: Pick<Order, 'status' | 'confirmed_at'>,
  event: EventDetails,
  now: number,
): void {
  if (order.status !== 'confirmed') throw new Problem('order_ended')
  const until = withdrawableUntil(order, event)
  if (until === undefined || now >= until) throw new Problem('too_late')
}

/**
 * Withdraws from an order for its buyer: cancels what still stands of it, and confirms that to the buyer in writing (article
 * 11a).
 *
 * @throws Problem not_found; order_ended; too_late after that time, or if withdrawal is excluded; refund_required
 */
export async function withdraw(tx: WriteTx, id: string, event: EventDetails): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  return withoutDetails(await withdrawFrom(tx, order, event))
}

/**
 * Does the same as `withdraw`.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 * @throws Problem those of `withdraw`
 */
export async function withdrawFrom(
  tx: WriteTx,
  order: OrderDetails,
  event: EventDetails,
): Promise<OrderDetails> {
  refuseLateWithdrawal(order, event, tx.clock())
  const { updatedOrder, cancelled } = await orders.cancelStanding(tx, order)
  await queueWithdrawn(tx, order, cancelled)
  return updatedOrder
}
