import type { ReadTx } from '../db/port.ts'
import * as orders from '../orders/rules.ts'
import { judge, openJudge } from './judge.ts'
import { type BankLine, presentLine } from './schemas.ts'
import * as store from './store.ts'

/** The order that a line is of, or may be. */
export interface OrderOfLine {
  id: string
  event_id: string
  reference: string
  buyer: string
}

/** A line that waits to be matched, and what would become of it as things stand. */
export interface Foreseen {
  line: Omit<BankLine, 'state'> & { state: 'matched' | 'unmatched' | 'ignored' }
  order: OrderOfLine | undefined
}

/** The first lines of a file that wait to be matched. */
export async function foresee(
  tx: ReadTx,
  accountId: string,
  jobId: string,
  { limit, now }: { limit: number; now: number },
): Promise<Foreseen[]> {
  const by = await openJudge(tx, accountId, now)
  const found: Foreseen[] = []
  for (const row of await store.listRead(tx, accountId, jobId, limit)) {
    const verdict = await judge(tx, accountId, by, row)
    const isMatched = verdict.state === 'matched'
    found.push({
      line: { ...presentLine(row), state: verdict.state, reason: isMatched ? null : verdict.reason },
      order: isMatched ? await orderOf(tx, accountId, verdict.payment.order_id) : undefined,
    })
  }
  return found
}

/** @throws Problem not_found */
export async function orderOf(tx: ReadTx, accountId: string, orderId: string): Promise<OrderOfLine> {
  const { id, event_id, reference, buyer } = await orders.get(tx, accountId, orderId)
  return { id, event_id, reference, buyer: buyer.name }
}
