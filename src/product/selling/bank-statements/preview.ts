import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { judge, openJudge } from './judge.ts'
import { type PayoutOfLine, payoutOf } from './payout-lines.ts'
import { type BankLine, presentLine } from './schemas.ts'
import * as store from './store.ts'

/** The order that a line is of, or may be of. */
export interface OrderOfLine {
  id: string
  event_id: string
  reference: string
  buyer: string
}

/** A line that waits to be matched, and what would become of it now. */
export interface Foreseen {
  line: Omit<BankLine, 'state'> & { state: 'matched' | 'unmatched' | 'ignored' }
  order: OrderOfLine | undefined
  /** What the money would do for that order. */
  becomes: Becoming | undefined
  /** The payout of a processor that it is. */
  payout: PayoutOfLine | undefined
}

/**
 * What money does for a payment: it is enough, only a part that is kept, more than enough, or for a payment that has ended.
 * Amounts are in minor units.
 */
export type Becoming =
  | { kind: 'enough' | 'ended' }
  | { kind: 'part'; lacking: number }
  | { kind: 'excess'; over: number }

/** Tells what an amount would do for a payment, in minor units. */
export function becomingOf(
  { amount: asked, received, ended_at }: Pick<Payment, 'amount' | 'received' | 'ended_at'>,
  amount: number,
): Becoming {
  if (ended_at !== null) return { kind: 'ended' }
  const lacking = asked - (received ?? 0) - amount
  if (lacking > 0) return { kind: 'part', lacking }
  return lacking === 0 ? { kind: 'enough' } : { kind: 'excess', over: -lacking }
}

/** Returns the first lines of a file that wait to be matched. */
export async function foresee(
  tx: ReadTx,
  jobId: string,
  { limit, now }: { limit: number; now: number },
): Promise<Foreseen[]> {
  const by = await openJudge(tx, now)
  const found: Foreseen[] = []
  // Several lines of a file may pay one order, each after those before it.
  const paid = new Map<string, Payment>()
  for (const row of await store.listRead(tx, jobId, limit)) {
    const verdict = await judge(tx, by, row)
    const isPayout = verdict.state === 'paid_out'
    const isMatched = verdict.state === 'matched'
    const payment = isMatched ? (paid.get(verdict.payment.id) ?? verdict.payment) : undefined
    const becomes = payment && becomingOf(payment, row.amount)
    if (payment !== undefined) paid.set(payment.id, afterwards(payment, row.amount, now))
    found.push({
      line: {
        ...presentLine(row),
        state: isPayout ? 'matched' : verdict.state,
        reason: isMatched || isPayout ? null : verdict.reason,
      },
      order: payment && (await orderOf(tx, payment.order_id)),
      becomes,
      payout: isPayout ? await payoutOf(tx, verdict.payout.id) : undefined,
    })
  }
  return found
}

/** Returns a payment as it would be once it has got an amount. */
function afterwards(payment: Payment, amount: number, now: number): Payment {
  const isOver = becomingOf(payment, amount).kind !== 'part'
  return {
    ...payment,
    received: (payment.received ?? 0) + amount,
    ended_at: isOver ? (payment.ended_at ?? toIso(now)) : null,
  }
}

/** @throws Problem not_found */
export async function orderOf(tx: ReadTx, orderId: string): Promise<OrderOfLine> {
  const { id, event_id, reference, buyer } = await orders.get(tx, orderId)
  return { id, event_id, reference, buyer: buyer.name }
}
