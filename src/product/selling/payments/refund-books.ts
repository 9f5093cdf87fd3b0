import type { WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { RefundReason, RefundRow } from './refund-store.ts'

/** Money for these reasons went straight back, so no receipt includes it. */
const WITHOUT_RECEIPT: readonly RefundReason[] = ['late', 'twice', 'excess', 'line_cancelled', 'orphan']

/** Makes the credit note of a completed refund, if a receipt includes its money. */
export async function creditRefund(tx: WriteTx, row: RefundRow, at: number): Promise<void> {
  const { id: refundId, order_id: orderId, payment_id: paymentId, amount } = row
  if (orderId === null || paymentId === null || WITHOUT_RECEIPT.includes(row.reason)) return
  const tickets = row.tickets === null ? undefined : Object.keys(JSON.parse(row.tickets) as object)
  await receipts.credit(tx, { orderId, paymentId, refundId, amount, at, tickets })
}

/** Records in the ledger that the money of a refund went back, or that it came back as the refund failed. */
export async function recordRefund(
  tx: WriteTx,
  row: RefundRow,
  kind: 'refund' | 'refund_reversal',
  entryId: string,
  at: number,
): Promise<void> {
  await ledger.record(tx, {
    eventId: row.event_id,
    of: row.order_id === null ? { registrationId: row.registration_id as string } : { orderId: row.order_id },
    ...{ kind, entryId, at, amount: row.amount, currency: row.currency, method: row.method },
    ...{ paymentId: row.payment_id, refundId: row.id },
  })
}
