import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { hasProcessor } from '#product/selling/payments/processor.ts'
import { markPaidBack } from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { reversePayment } from '#product/selling/payments/reverse-payment.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Payment, Refund } from '#product/selling/payments/schemas.ts'
import { isDouble, MOST_OWED } from './judge.ts'
import { noonOf, settleLine } from './matching.ts'
import { type BankLine, presentLine } from './schemas.ts'
import * as store from './store.ts'

async function find(tx: ReadTx, id: string): Promise<store.LineRow> {
  const row = await store.find(tx, id)
  // A line is not shown before somebody has had its file matched.
  if (row === undefined || row.state === 'read') throw new Problem('not_found')
  return row
}

/** @throws Problem not_found */
export async function getLine(tx: ReadTx, id: string): Promise<BankLine> {
  return presentLine(await find(tx, id))
}

/** Returns the lines of one state, the newest first. */
export async function listLines(
  tx: ReadTx,
  state: Exclude<store.LineState, 'read'>,
  page: Page,
): Promise<Iterable<Listed<BankLine>>> {
  return toListed(await store.listPage(tx, state, page), presentLine)
}

/** Counts the lines that somebody has to decide about, no further than `most`. */
export function countUnmatched(tx: ReadTx, most: number): Promise<number> {
  return store.count(tx, 'unmatched', most)
}

function refuse(
  reason: 'line_ended' | 'line_currency' | 'line_outgoing' | 'line_refund' | 'money_used',
): Problem {
  return new Problem('invalid_transition', { details: { reason } })
}

/** A payment that a line would be matched to, with a doubt if there is one. */
export interface Candidate {
  line: BankLine
  payment: Payment
  /** It is true if the same booking seems to be matched, or if somebody has noted the payment as paid. */
  isDoubtful: boolean
}

/**
 * Checks whether a line can be matched to a payment by hand.
 *
 * @throws Problem not_found; invalid_transition with `details.reason`: `line_ended` for a line that is matched, `line_currency`,
 *   `line_outgoing`; payment_ended for a payment of a processor
 */
export async function previewMatch(tx: ReadTx, id: string, paymentId: string): Promise<Candidate> {
  const row = await find(tx, id)
  const payment = await payments.get(tx, paymentId)
  if (row.state === 'matched') throw refuse('line_ended')
  if (row.amount <= 0) throw refuse('line_outgoing')
  if (hasProcessor(payment.method)) throw new Problem('payment_ended')
  if (row.currency !== payment.currency) throw refuse('line_currency')
  const isDoubtful = row.reason === 'marked' || (await isDouble(tx, row, paymentId))
  return { line: presentLine(row), payment, isDoubtful }
}

/** Matches a line to the payment that somebody has chosen. @throws Problem those of `previewMatch` */
export async function match(tx: WriteTx, id: string, paymentId: string): Promise<BankLine> {
  await previewMatch(tx, id, paymentId)
  await settleLine(tx, await find(tx, id), paymentId)
  return getLine(tx, id)
}

/** Returns the refunds that an outgoing line may have paid: those of its amount that are owed by hand. */
export async function listPaidBack(tx: ReadTx, line: BankLine): Promise<Refund[]> {
  if (line.amount >= 0 || line.state === 'matched') return []
  const owed = await refunds.listOwed(tx, MOST_OWED)
  return owed.filter(refund => isOf(refund, line))
}

function isOf(refund: Refund, { amount, currency }: Pick<BankLine, 'amount' | 'currency'>): boolean {
  return refund.is_by_hand && refund.amount === -amount && refund.currency === currency
}

/**
 * Notes that a line has paid a refund.
 *
 * @throws Problem not_found; refund_ended; refund_under_way; invalid_transition with `details.reason`: `line_ended`, or
 *   `line_refund` if the amounts differ
 */
export async function matchRefund(tx: WriteTx, id: string, refundId: string): Promise<BankLine> {
  const row = await find(tx, id)
  if (row.state === 'matched') throw refuse('line_ended')
  if (!isOf(await refunds.get(tx, refundId), row)) throw refuse('line_refund')
  await markPaidBack(tx, refundId)
  const changes = { state: 'matched', outcome: 'paid_back', payment_id: null, refund_id: refundId } as const
  await store.update(tx, row, { ...changes, entry_id: null }, await tx.now())
  return getLine(tx, id)
}

/** Leaves out a line that is about no order, or takes it up again. @throws Problem not_found; invalid_transition as `match` */
export async function setIgnored(tx: WriteTx, id: string, isIgnored: boolean): Promise<BankLine> {
  const row = await find(tx, id)
  if (row.state === 'matched') throw refuse('line_ended')
  await store.update(tx, row, { state: isIgnored ? 'ignored' : 'unmatched' }, await tx.now())
  return getLine(tx, id)
}

/**
 * Tells whether a match can be undone: its money is only a part of what was asked for, and has had no effect yet, or it is a payout
 * of a processor, which moves nothing here.
 */
export async function isUndoable(tx: ReadTx, line: BankLine): Promise<boolean> {
  if (line.payout_id !== null) return true
  if (line.state !== 'matched' || line.outcome !== 'kept' || line.payment_id === null) return false
  return (await payments.get(tx, line.payment_id)).ended_at === null
}

/**
 * Undoes a match before its money has had an effect. The ledger gets the reverse of its entry.
 *
 * @throws Problem not_found; invalid_transition with `details.reason`: `line_ended` for a line that is not matched, `money_used`
 *   if tickets are out or money is owed back
 */
export async function unmatch(tx: WriteTx, id: string): Promise<BankLine> {
  const row = await find(tx, id)
  if (row.state !== 'matched') throw refuse('line_ended')
  if (row.payout_id !== null) {
    const changes = { state: 'unmatched', outcome: null, reason: null, payout_id: null } as const
    await store.update(tx, row, changes, await tx.now())
    return getLine(tx, id)
  }
  const { payment_id: paymentId, entry_id: entryId, amount, currency } = row
  if (row.outcome !== 'kept' || paymentId === null || entryId === null) throw refuse('money_used')
  const { timezone } = await accounts.get(tx)
  const at = noonOf(row.date, timezone, tx.clock())
  await reversePayment(tx, paymentId, { entryId, amount, currency, at, method: 'transfer' })
  await store.update(tx, row, { state: 'unmatched', outcome: null, reason: null }, await tx.now())
  return getLine(tx, id)
}
