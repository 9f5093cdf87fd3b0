import { toIso } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import { markVerified } from './order-changes.ts'
import { queueConfirmed } from './queue-mails.ts'
import { type OrderDetails, withLines } from './schemas.ts'
import * as store from './store.ts'

/**
 * Confirms a pending order that was paid, approved or accepted, and mails its buyer and the holders of its tickets.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 */
export async function confirm(tx: WriteTx, order: OrderDetails): Promise<OrderDetails> {
  return confirmAsItIs(tx, await markVerified(tx, order))
}

/** Does the same as `confirm` without marking the order as verified. Until somebody verifies it, only its buyer is mailed. */
export async function confirmAsItIs(tx: WriteTx, order: OrderDetails): Promise<OrderDetails> {
  const now = await tx.now()
  await store.markConfirmed(tx, order.id, now)
  const lines = await checkout.confirmLines(tx, order.registrations)
  const changes = {
    status: 'confirmed',
    waits_for: null,
    expires_at: null,
    confirmed_at: toIso(now),
  } as const
  const confirmed = withLines({ ...order, ...changes }, lines)
  await queueConfirmed(tx, confirmed)
  return confirmed
}

/**
 * Confirms an order that failed because it was not paid in time. It takes the places, those of its pools and the uses of codes
 * again.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 * @throws Problem sold_out, code_used_up
 */
export async function revive(tx: WriteTx, order: OrderDetails): Promise<OrderDetails> {
  const now = await tx.now()
  await store.markRevived(tx, order.id, now)
  const lines = await checkout.reviveLines(tx, order.registrations)
  const changes = {
    status: 'confirmed',
    failed_for: null,
    failed_at: null,
    confirmed_at: toIso(now),
  } as const
  const revived = withLines({ ...(await markVerified(tx, order)), ...changes }, lines)
  await queueConfirmed(tx, revived)
  return revived
}
