import * as accounts from '../accounts/rules.ts'
import { findCreditorReferences } from '../creditor-reference.ts'
import type { ReadTx } from '../db/port.ts'
import * as ledger from '../ledger/rules.ts'
import * as refunds from '../payments/refunds.ts'
import { findByReference } from '../payments/rules.ts'
import type { Payment } from '../payments/schemas.ts'
import { toLocalTime } from '../time.ts'
import type { Reason } from './schemas.ts'
import * as store from './store.ts'

/** What lines are judged by, besides themselves. */
export interface Judge {
  timezone: string
  /** `YYYY-MM-DD`, as the clocks of the account show it. */
  today: string
  /** Amounts that are owed and paid back by hand, as `owedKey` names them. */
  owed: ReadonlySet<string>
}

/** Of what is owed, the newest that outgoing lines are held against. */
export const MOST_OWED = 500
/** Lines of one day and amount that a line is held against. */
const MOST_ALIKE = 200

export async function openJudge(tx: ReadTx, accountId: string, now: number): Promise<Judge> {
  const { timezone } = await accounts.get(tx, accountId)
  const owed = await refunds.listOwed(tx, accountId, MOST_OWED)
  return {
    timezone,
    today: toLocalTime(now, timezone).slice(0, 10),
    owed: new Set(owed.filter(({ is_by_hand }) => is_by_hand).map(owedKey)),
  }
}

export function owedKey({ amount, currency }: { amount: number; currency: string }): string {
  return `${currency} ${amount}`
}

export type Verdict =
  | { state: 'matched'; payment: Payment }
  | { state: 'unmatched' | 'ignored'; reason: Reason; paymentId: string | null }

type Line = Omit<store.NewLine, 'id' | 'line'>

/** What is to become of a line: it is matched to the one payment that it names, where nothing speaks against it. */
export async function judge(tx: ReadTx, accountId: string, by: Judge, line: Line): Promise<Verdict> {
  const { amount, currency } = line
  if (amount === 0) return { state: 'ignored', reason: 'zero', paymentId: null }
  if (amount < 0) {
    const isOwed = by.owed.has(owedKey({ amount: -amount, currency }))
    return { state: isOwed ? 'unmatched' : 'ignored', reason: 'outgoing', paymentId: null }
  }
  const unmatched = (reason: Reason, payment?: Payment): Verdict => {
    return { state: 'unmatched', reason, paymentId: payment?.id ?? null }
  }
  const references = findCreditorReferences(line.text)
  const named = new Map<string, Payment>()
  for (const reference of references) {
    const payment = await findByReference(tx, accountId, reference)
    if (payment !== undefined) named.set(payment.id, payment)
  }
  const [payment, ...others] = named.values()
  if (payment === undefined) return unmatched(references.length > 0 ? 'unknown_reference' : 'no_reference')
  if (others.length > 0) return unmatched('several')
  const reason =
    findReason(by, line, payment) ??
    ((await isDouble(tx, accountId, line, payment.id)) ? 'double' : undefined) ??
    // As a member has noted it, who may have seen this very transfer.
    ((await ledger.has(tx, accountId, 'payment', payment.id)) ? 'marked' : undefined)
  return reason === undefined ? { state: 'matched', payment } : unmatched(reason, payment)
}

function findReason(
  { timezone, today }: Judge,
  { date, currency }: Line,
  payment: Payment,
): Reason | undefined {
  if (currency !== payment.currency) return 'currency'
  if (date > today) return 'future'
  return date < toLocalTime(Date.parse(payment.created_at), timezone).slice(0, 10) ? 'before' : undefined
}

/**
 * Whether a line seems to be a booking that was matched already, of another file whose columns were read in another way: by the bank's
 * own number, or as the day, the amount and the payment are the same, and what it says is not. What says the same is one more.
 */
export async function isDouble(
  tx: ReadTx,
  accountId: string,
  { key, job_id, date, amount, currency, bank_id, counterparty, text }: Line,
  paymentId: string,
): Promise<boolean> {
  const alike = await store.listMatched(tx, accountId, { date, amount, limit: MOST_ALIKE })
  return alike.some(other => {
    if (other.key === key || other.job_id === job_id || other.currency !== currency) return false
    if (bank_id !== null && other.bank_id === bank_id) return true
    const saysSame = other.text === text && other.counterparty === counterparty
    return other.payment_id === paymentId && !saysSame
  })
}
