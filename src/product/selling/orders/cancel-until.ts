import { Problem } from '#base/problem.ts'
import type { Order } from './schemas.ts'

/**
 * Throws if a buyer may not cancel a confirmed order any more.
 *
 * @param now milliseconds
 * @throws Problem order_ended; too_late after the organizer's date, or if there is none
 */
export function refuseLateCancel(
  { status }: Pick<Order, 'status'>,
  cancelUntil: string | null,
  now: number,
): void {
  if (status !== 'confirmed') throw new Problem('order_ended')
  if (cancelUntil === null || now >= Date.parse(cancelUntil)) throw new Problem('too_late')
}
