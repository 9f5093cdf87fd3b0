import * as accounts from '../accounts/rules.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { hasProcessor } from '../payments/processor.ts'
import * as refunds from '../payments/refunds.ts'
import * as payments from '../payments/rules.ts'
import type { Payment, Refund } from '../payments/schemas.ts'
import { takeBack } from '../payments/taking-back.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { isDouble, MOST_OWED } from './judge.ts'
import { noonOf, settleLine } from './matching.ts'
import { type BankLine, presentLine } from './schemas.ts'
import * as store from './store.ts'

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.LineRow> {
  const row = await store.find(tx, accountId, id)
  // What nobody has had matched yet is not shown.
  if (row === undefined || row.state === 'read') throw new Problem('not_found')
  return row
}

/** @throws Problem not_found */
export async function getLine(tx: ReadTx, accountId: string, id: string): Promise<BankLine> {
  return presentLine(await find(tx, accountId, id))
}

/** Of one state, the newest first. */
export async function listLines(
  tx: ReadTx,
  accountId: string,
  state: Exclude<store.LineState, 'read'>,
  page: Page,
): Promise<Iterable<Listed<BankLine>>> {
  return toListed(await store.listPage(tx, accountId, state, page), presentLine)
}

/** Lines that wait for somebody to decide, counted no further than `most`. */
export function countUnmatched(tx: ReadTx, accountId: string, most: number): Promise<number> {
  return store.count(tx, accountId, 'unmatched', most)
}

function refuse(
  reason: 'line_ended' | 'line_currency' | 'line_outgoing' | 'line_refund' | 'money_used',
): Problem {
  return new Problem('invalid_transition', { details: { reason } })
}

/** What a line would be matched to, and whether it may be there already. */
export interface Candidate {
  line: BankLine
  payment: Payment
  /** The same booking seems to be matched, or somebody has noted the payment as paid. */
  isDoubtful: boolean
}

/**
 * Looks whether a line can be matched to a payment by hand.
 *
 * @throws Problem not_found; invalid_transition with `details.reason`: `line_ended` for one that is matched, `line_currency`,
 *   `line_outgoing`; payment_ended for a payment of a processor
 */
export async function lookAtMatch(
  tx: ReadTx,
  accountId: string,
  id: string,
  paymentId: string,
): Promise<Candidate> {
  const row = await find(tx, accountId, id)
  const payment = await payments.get(tx, accountId, paymentId)
  if (row.state === 'matched') throw refuse('line_ended')
  if (row.amount <= 0) throw refuse('line_outgoing')
  if (hasProcessor(payment.method)) throw new Problem('payment_ended')
  if (row.currency !== payment.currency) throw refuse('line_currency')
  const isDoubtful = row.reason === 'marked' || (await isDouble(tx, accountId, row, paymentId))
  return { line: presentLine(row), payment, isDoubtful }
}

/** Matches a line to a payment, as somebody says that its money is of it. @throws Problem as `lookAtMatch` */
export async function match(
  tx: WriteTx,
  accountId: string,
  id: string,
  paymentId: string,
): Promise<BankLine> {
  await lookAtMatch(tx, accountId, id, paymentId)
  await settleLine(tx, accountId, await find(tx, accountId, id), paymentId)
  return getLine(tx, accountId, id)
}

/** Refunds that a line which went out may have paid: owed by hand, of its amount. */
export async function listPaidBack(tx: ReadTx, accountId: string, line: BankLine): Promise<Refund[]> {
  if (line.amount >= 0 || line.state === 'matched') return []
  const owed = await refunds.listOwed(tx, accountId, MOST_OWED)
  return owed.filter(refund => isOf(refund, line))
}

function isOf(refund: Refund, { amount, currency }: Pick<BankLine, 'amount' | 'currency'>): boolean {
  return refund.is_by_hand && refund.amount === -amount && refund.currency === currency
}

/**
 * Notes that a line has paid a refund back.
 *
 * @throws Problem not_found; refund_ended; refund_under_way; invalid_transition with `details.reason`: `line_ended`, or `line_refund` where
 *   the amount is another
 */
export async function matchRefund(
  tx: WriteTx,
  accountId: string,
  id: string,
  refundId: string,
): Promise<BankLine> {
  const row = await find(tx, accountId, id)
  if (row.state === 'matched') throw refuse('line_ended')
  if (!isOf(await refunds.get(tx, accountId, refundId), row)) throw refuse('line_refund')
  await refunds.markPaidBack(tx, accountId, refundId)
  const changes = { state: 'matched', outcome: 'paid_back', payment_id: null, refund_id: refundId } as const
  await store.update(tx, row, { ...changes, entry_id: null }, await tx.now())
  return getLine(tx, accountId, id)
}

/** Leaves a line out, as it is about no order; or takes it up again. @throws Problem not_found; invalid_transition as `match` */
export async function setIgnored(
  tx: WriteTx,
  accountId: string,
  id: string,
  isIgnored: boolean,
): Promise<BankLine> {
  const row = await find(tx, accountId, id)
  if (row.state === 'matched') throw refuse('line_ended')
  await store.update(tx, row, { state: isIgnored ? 'ignored' : 'unmatched' }, await tx.now())
  return getLine(tx, accountId, id)
}

/** Whether a match can be undone: its money is a part of what is asked for, and nothing has come of it. */
export async function isUndoable(tx: ReadTx, accountId: string, line: BankLine): Promise<boolean> {
  if (line.state !== 'matched' || line.outcome !== 'kept' || line.payment_id === null) return false
  return (await payments.get(tx, accountId, line.payment_id)).ended_at === null
}

/**
 * Undoes a match before anything has come of its money: the ledger gets the reverse of its entry.
 *
 * @throws Problem not_found; invalid_transition with `details.reason` `money_used` where tickets are out, or money is owed back
 */
export async function unmatch(tx: WriteTx, accountId: string, id: string): Promise<BankLine> {
  const row = await find(tx, accountId, id)
  if (row.state !== 'matched') throw refuse('line_ended')
  const { payment_id: paymentId, entry_id: entryId, amount, currency } = row
  if (row.outcome !== 'kept' || paymentId === null || entryId === null) throw refuse('money_used')
  const { timezone } = await accounts.get(tx, accountId)
  const at = noonOf(row.date, timezone, tx.clock())
  await takeBack(tx, accountId, paymentId, { entryId, amount, currency, at, method: 'transfer' })
  await store.update(tx, row, { state: 'unmatched', outcome: null, reason: null }, await tx.now())
  return getLine(tx, accountId, id)
}
