import { findCreditorReferences } from '#base/creditor-reference.ts'
import { toLocalTime } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { findByReference } from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import type { Payout } from '#product/selling/payouts/schemas.ts'
import { findPayout } from './payout-lines.ts'
import type { Reason } from './schemas.ts'
import * as store from './store.ts'

/** What lines are judged by, besides themselves. */
export interface Judge {
  timezone: string
  /** `YYYY-MM-DD`, in the time zone of the account. */
  today: string
  /** The amounts that are owed and paid back by hand, as `owedKey` names them. */
  owed: ReadonlySet<string>
}

/** How many of the newest owed refunds outgoing lines are compared with. */
export const MOST_OWED = 500
/** How many lines of the same day and amount a line is compared with. */
const MOST_ALIKE = 200

export async function openJudge(tx: ReadTx, now: number): Promise<Judge> {
  const { timezone } = await accounts.get(tx)
  const owed = await refunds.listOwed(tx, MOST_OWED)
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
  | { state: 'paid_out'; payout: Payout }
  | { state: 'unmatched' | 'ignored'; reason: Reason; paymentId: string | null }

type Line = Omit<store.NewLine, 'id' | 'line'>

/**
 * Decides what becomes of a line. It is matched to the one payment that it names, unless something speaks against it. One that
 * names nothing may be a payout of a processor.
 */
export async function judge(tx: ReadTx, by: Judge, line: Line): Promise<Verdict> {
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
    const payment = await findByReference(tx, reference)
    if (payment !== undefined) named.set(payment.id, payment)
  }
  const [payment, ...others] = named.values()
  if (payment === undefined && references.length > 0) return unmatched('unknown_reference')
  if (payment === undefined) {
    const payout = await findPayout(tx, line)
    if (typeof payout !== 'object') return unmatched(payout ?? 'no_reference')
    return line.date > by.today ? unmatched('future') : { state: 'paid_out', payout }
  }
  if (others.length > 0) return unmatched('several')
  const reason =
    findReason(by, line, payment) ??
    ((await isDouble(tx, line, payment.id)) ? 'double' : undefined) ??
    // The member who noted the payment as paid may have seen this very transfer.
    ((await ledger.has(tx, 'payment', payment.id)) ? 'marked' : undefined)
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
 * Tells whether a line seems to be a booking that was matched already, from another file whose columns were read differently.
 * That is so if the bank's own number is the same, or if the day, the amount and the payment are the same and the texts differ. A
 * line with the same texts is another booking.
 */
export async function isDouble(
  tx: ReadTx,
  { key, job_id, date, amount, currency, bank_id, counterparty, text }: Line,
  paymentId: string,
): Promise<boolean> {
  const alike = await store.listMatched(tx, { date, amount, limit: MOST_ALIKE })
  return alike.some(other => {
    if (other.key === key || other.job_id === job_id || other.currency !== currency) return false
    if (bank_id !== null && other.bank_id === bank_id) return true
    const saysSame = other.text === text && other.counterparty === counterparty
    return other.payment_id === paymentId && !saysSame
  })
}
