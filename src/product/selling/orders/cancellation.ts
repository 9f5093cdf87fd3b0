import type { Written } from '#base/resource.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { confirmAsItIs } from './confirm-order.ts'
import * as orders from './rules.ts'
import { dueOf } from './schemas.ts'
import * as store from './store.ts'

/**
 * Cancels an unpaid registration, as `registrations.cancel` does. If it was the last standing line of a pending order, the order
 * ends too, which turns down an offer.
 *
 * @throws Problem those of `registrations.cancel`
 */
export async function cancelRegistration(tx: WriteTx, id: string): Promise<Written<Registration>> {
  const cancelled = await registrations.cancel(tx, id)
  const { source, confirmed_at } = cancelled.resource
  const wasPending = source === 'checkout' && confirmed_at === null
  if (wasPending) {
    await store.endCancelled(tx, id, await tx.now())
    await confirmUnpriced(tx, cancelled.resource)
  }
  return cancelled
}

/** Confirms an order that waits for payment if what is left of it costs nothing. */
async function confirmUnpriced(tx: WriteTx, registration: Registration): Promise<void> {
  const found = await orders.findOrderOf(tx, registration)
  if (found?.waits_for !== 'payment') return
  const order = await orders.getDetails(tx, found.id)
  if (dueOf(order) === 0) await confirmAsItIs(tx, order)
}
