import type { ReadTx } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
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
  /** The payout of a processor that it is. */
  payout: PayoutOfLine | undefined
}

/** Returns the first lines of a file that wait to be matched. */
export async function foresee(
  tx: ReadTx,
  jobId: string,
  { limit, now }: { limit: number; now: number },
): Promise<Foreseen[]> {
  const by = await openJudge(tx, now)
  const found: Foreseen[] = []
  for (const row of await store.listRead(tx, jobId, limit)) {
    const verdict = await judge(tx, by, row)
    const isPayout = verdict.state === 'paid_out'
    const isMatched = verdict.state === 'matched'
    found.push({
      line: {
        ...presentLine(row),
        state: isPayout ? 'matched' : verdict.state,
        reason: isMatched || isPayout ? null : verdict.reason,
      },
      order: isMatched ? await orderOf(tx, verdict.payment.order_id) : undefined,
      payout: isPayout ? await payoutOf(tx, verdict.payout.id) : undefined,
    })
  }
  return found
}

/** @throws Problem not_found */
export async function orderOf(tx: ReadTx, orderId: string): Promise<OrderOfLine> {
  const { id, event_id, reference, buyer } = await orders.get(tx, orderId)
  return { id, event_id, reference, buyer: buyer.name }
}
