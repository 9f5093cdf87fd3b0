import { toIso } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { Order } from './schemas.ts'
import * as store from './store.ts'

/*
 * Each function takes an order as it was read in the same transaction and returns it as it is afterwards, so one write reads
 * nothing twice.
 */

/** Notes that the buyer wants the order. If that was noted before, nothing changes. */
export async function markVerified<T extends Order>(tx: WriteTx, order: T): Promise<T> {
  if (order.verified_at !== null) return order
  const now = await tx.now()
  await store.markVerified(tx, order.id, now)
  return { ...order, verified_at: toIso(now) }
}

/**
 * Holds the places of an order until it is paid, and at most until this instant, in milliseconds. An order that is not pending
 * stays as it is.
 */
export function awaitPayment<T extends Order>(tx: WriteTx, order: T, until: number): Promise<T> {
  return setWaiting(tx, order, { waits_for: 'payment', until })
}

/** Holds the places of an order until it is approved, likewise. */
export function awaitApproval<T extends Order>(tx: WriteTx, order: T, until: number): Promise<T> {
  return setWaiting(tx, order, { waits_for: 'approval', until })
}

async function setWaiting<T extends Order>(
  tx: WriteTx,
  order: T,
  { waits_for, until }: { waits_for: 'payment' | 'approval'; until: number },
): Promise<T> {
  if (order.status !== 'pending') return order
  await store.setWaiting(tx, order.id, waits_for, until, await tx.now())
  return { ...order, waits_for, expires_at: toIso(until) }
}
