import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'
import type { Written } from '../resource.ts'
import type { Order } from './schemas.ts'
import * as store from './store.ts'

/**
 * Cancels an unpaid registration, as `registrations.cancel` does, and ends the order that it was the last standing line of, if
 * that is pending: an offer is turned down by this.
 *
 * @throws Problem those of `registrations.cancel`
 */
export async function cancelRegistration(
  tx: WriteTx,
  accountId: string,
  id: string,
): Promise<Written<Registration>> {
  const cancelled = await registrations.cancel(tx, accountId, id)
  const { source, confirmed_at } = cancelled.resource
  const wasPending = source === 'checkout' && confirmed_at === null
  if (wasPending) await store.endCancelled(tx, accountId, id, await tx.now())
  return cancelled
}

/**
 * Refuses a buyer who may not cancel a confirmed order any more.
 *
 * @param now milliseconds
 * @throws Problem order_ended; too_late after the organizer's date, or where there is none
 */
export function refuseLateCancel(
  { status }: Pick<Order, 'status'>,
  cancelUntil: string | null,
  now: number,
): void {
  if (status !== 'confirmed') throw new Problem('order_ended')
  if (cancelUntil === null || now >= Date.parse(cancelUntil)) throw new Problem('too_late')
}
