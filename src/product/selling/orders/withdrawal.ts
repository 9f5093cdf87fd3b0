import type { WriteTx } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import { Problem } from '../problem.ts'
import { atLocalHour } from '../time.ts'
import * as orders from './rules.ts'
import type { Order } from './schemas.ts'
import { tellWithdrawn } from './telling.ts'

/** The days for which one may withdraw from a contract made at a distance, the day it was made not counted (Directive 2011/83/EU, article 9). */
const DAYS = 14

/**
 * Until when the buyer of a confirmed order may withdraw from it without giving a reason: the end of the fourteenth day, and no
 * longer than until the event begins.
 *
 * @returns milliseconds; undefined where withdrawal is excluded, as of leisure on a fixed date (article 16), or there is nothing
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

/** Refuses a buyer who may not withdraw any more. @param now milliseconds @throws Problem order_ended; too_late */
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
 * Withdraws from an order for its buyer: what stands of it is cancelled, and the buyer gets it in writing (article 11a).
 *
 * @throws Problem not_found; order_ended; too_late after that time, or where withdrawal is excluded; refund_required
 */
export async function withdraw(
  tx: WriteTx,
  accountId: string,
  id: string,
  event: EventDetails,
): Promise<Order> {
  const order = await orders.getDetails(tx, accountId, id)
  refuseLateWithdrawal(order, event, tx.clock())
  await tellWithdrawn(tx, accountId, order, await orders.cancelStanding(tx, accountId, order))
  return orders.get(tx, accountId, id)
}
