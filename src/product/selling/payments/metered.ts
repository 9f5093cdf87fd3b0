import { SECOND } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as store from './all-accounts-store.ts'

/** How far the metrics count. Payments are counted by an index alone, refunds by their rows. */
const MOST_WAITING = 100_000
const MOST_REFUNDS = 10_000

/** Counts the payments of all accounts that a processor is asked about. @param now milliseconds of the clock */
export function countWaitingPayments(tx: InstanceReadTx, now: number): Promise<number> {
  return store.countWaiting(tx, now, MOST_WAITING)
}

/**
 * Returns for how long the oldest of them has been under way, in seconds, or 0 if there is none.
 *
 * @param now milliseconds of the clock
 */
export async function ageOfOldestPayment(tx: InstanceReadTx, now: number): Promise<number> {
  return (now - ((await store.findOldestPayment(tx, now)) ?? now)) / SECOND
}

/** Returns the same for the refunds that a processor is asked about. */
export async function ageOfOldestRefund(tx: InstanceReadTx, now: number): Promise<number> {
  return (now - ((await store.findOldestRefund(tx, now)) ?? now)) / SECOND
}

/** Counts the refunds of all accounts that failed and were not made up for. */
export function countFailedRefunds(tx: InstanceReadTx): Promise<number> {
  return store.countFailed(tx, MOST_REFUNDS)
}

/** Counts the refunds of all accounts that somebody has to see to: failed, troubled, or to be paid by hand. */
export function countOwedRefunds(tx: InstanceReadTx): Promise<number> {
  return store.countToPayBack(tx, MOST_REFUNDS)
}

/** Returns when Stripe was last asked for events, in seconds since the epoch, for the account that waits longest. */
export async function leastRead(tx: InstanceReadTx): Promise<number | undefined> {
  const at = await store.findLeastRead(tx)
  return at === undefined ? undefined : at / SECOND
}
