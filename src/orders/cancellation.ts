import type { WriteTx } from '../db/port.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'
import type { Written } from '../resource.ts'
import * as orders from './rules.ts'
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
  if (wasPending) {
    await store.endCancelled(tx, accountId, id, await tx.now())
    await confirmUnpriced(tx, accountId, cancelled.resource)
  }
  return cancelled
}

/** What is left of an order that waits for money may cost nothing: there is nothing to wait for any more. */
async function confirmUnpriced(tx: WriteTx, accountId: string, registration: Registration): Promise<void> {
  const order = await orders.findOrderOf(tx, accountId, registration)
  if (order?.waits_for !== 'payment') return
  if ((await orders.dueOf(tx, accountId, order.id)) === 0) await orders.confirm(tx, accountId, order.id)
}
