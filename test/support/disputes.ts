import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as disputes from '#product/selling/payments/disputes.ts'

/** Records a dispute of 25.00 over a payment, as the processor reports it. @param now milliseconds */
export function noteDispute(payment: Parameters<typeof disputes.note>[2], now: number) {
  return async (
    tx: WriteTx,
    status: disputes.Dispute['status'],
    /** The amount that came back, in minor units. */
    back: number,
  ) => {
    const taken = { id: 'txn_taken', at: now, amount: -2_500, fee: null }
    const returned = { id: 'txn_back', at: now, amount: back, fee: null }
    const facts = {
      ...{ id: 'du_1', chargeId: 'ch_1', status, reason: 'fraudulent', currency: 'EUR', amount: 2_500 },
      ...{ dueBy: now + 7 * DAY, openedAt: now, movements: back === 0 ? [taken] : [taken, returned] },
    }
    return disputes.note(tx, facts, payment)
  }
}
