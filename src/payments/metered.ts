import type { ReadTx } from '../db/port.ts'
import { SECOND } from '../time.ts'
import * as store from './all-accounts-store.ts'

/** How far is counted: payments by an index alone, refunds by their rows. */
const MOST_WAITING = 100_000
const MOST_REFUNDS = 10_000

/** Attempts to pay of all accounts that a processor is asked about. @param now milliseconds of the clock */
export function countWaitingPayments(tx: ReadTx, now: number): Promise<number> {
  return store.countWaiting(tx, now, MOST_WAITING)
}

/** For how long the oldest of them has been under way, in seconds; 0 where there is none. @param now milliseconds of the clock */
export async function ageOfOldestPayment(tx: ReadTx, now: number): Promise<number> {
  return (now - ((await store.findOldestPayment(tx, now)) ?? now)) / SECOND
}

/** The same of the refunds that a processor is asked about. */
export async function ageOfOldestRefund(tx: ReadTx, now: number): Promise<number> {
  return (now - ((await store.findOldestRefund(tx, now)) ?? now)) / SECOND
}

/** Refunds of all accounts that failed and were not made up for. */
export function countFailedRefunds(tx: ReadTx): Promise<number> {
  return store.countFailed(tx, MOST_REFUNDS)
}

/** Refunds of all accounts that somebody has to see to: failed, troubled, or to be paid by hand. */
export function countOwedRefunds(tx: ReadTx): Promise<number> {
  return store.countToPayBack(tx, MOST_REFUNDS)
}

/** When Stripe was last asked what has happened, in seconds since the epoch, of the account that waits longest. */
export async function leastRead(tx: ReadTx): Promise<number | undefined> {
  const at = await store.findLeastRead(tx)
  return at === undefined ? undefined : at / SECOND
}
