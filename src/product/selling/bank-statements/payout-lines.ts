import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import type { Payout } from '#product/selling/payouts/schemas.ts'
import type { Reason } from './schemas.ts'
import * as store from './store.ts'

type Booking = Pick<store.LineRow, 'date' | 'amount' | 'currency'>

/**
 * Finds the payout of a processor that a line without a reference is. By itself a line is matched only where one payout fits.
 *
 * @returns the payout, or the reason why it needs a decision; undefined if no payout fits
 */
export async function findPayout(tx: ReadTx, line: Booking): Promise<Payout | Reason | undefined> {
  const [payout, ...others] = await payouts.listForBooking(tx, line)
  if (payout === undefined) return undefined
  if (others.length > 0) return 'several_payouts'
  // Another file may have stated the same booking differently.
  return payout.bankLine === null ? payout : 'double'
}

/** Notes that a line is a payout. Its money is of no order, so the ledger gets no entry. */
export async function settlePayout(tx: WriteTx, row: store.LineRow, payoutId: string): Promise<void> {
  const changes = { state: 'matched', outcome: 'paid_out', payout_id: payoutId, entry_id: null } as const
  await store.update(tx, row, { ...changes, payment_id: null, refund_id: null }, await tx.now())
}

/** Returns the payouts that somebody may match a line to: those that fit and are of no other line. */
export async function listFitting(
  tx: ReadTx,
  line: Booking & Pick<store.LineRow, 'state'>,
): Promise<Payout[]> {
  if (line.state === 'matched') return []
  return (await payouts.listForBooking(tx, line)).filter(({ bankLine }) => bankLine === null)
}

/** A payout that a line was matched to. */
export interface PayoutOfLine {
  payout: Payout
  /** How many payments it holds. It is undefined if that is not known. */
  payments: number | undefined
}

/** @throws Problem not_found */
export async function payoutOf(tx: ReadTx, payoutId: string): Promise<PayoutOfLine> {
  const payout = await payouts.get(tx, payoutId)
  const isListed = payout.list === 'complete'
  return { payout, payments: isListed ? await payouts.countPayments(tx, payoutId) : undefined }
}

/**
 * Matches a line to the payout that somebody has chosen.
 *
 * @throws Problem not_found; invalid_transition with `details.reason`: `line_ended` for a line that is matched, `line_payout` for a
 *   payout that does not fit or is of another line
 */
export async function matchPayout(tx: WriteTx, id: string, payoutId: string): Promise<void> {
  const row = await store.find(tx, id)
  if (row === undefined || row.state === 'read') throw new Problem('not_found')
  if (row.state === 'matched') throw new Problem('invalid_transition', { details: { reason: 'line_ended' } })
  await payouts.get(tx, payoutId)
  if (!(await listFitting(tx, row)).some(payout => payout.id === payoutId))
    throw new Problem('invalid_transition', { details: { reason: 'line_payout' } })
  await settlePayout(tx, row, payoutId)
}
