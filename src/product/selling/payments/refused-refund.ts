import type { WriteTx } from '#machinery/db/port.ts'
import { hasProcessor, type RefundedCharge } from './processor.ts'
import { cutTo } from './refund-cut.ts'
import * as store from './refund-store.ts'
import * as refunds from './refunds.ts'

/**
 * Looks at a refund that a processor refuses in the light of what was refunded there meanwhile: it is that refund, or it is cut to
 * what is left, or it is dropped.
 *
 * @param charge as the processor has it after the refusal
 * @returns false if enough is left for it, so it was refused for another reason
 */
export async function compareRefused(
  tx: WriteTx,
  was: store.RefundRow,
  charge: RefundedCharge,
): Promise<boolean> {
  const { payment_id: paymentId, order_id: orderId, event_id: eventId, method } = was
  if (paymentId === null || orderId === null || !hasProcessor(method)) return false
  // A refused call is not under way, so a refund that was made there in its place may take its row.
  await store.update(tx, was, { call: null, trouble: was.trouble ?? 'refused' }, await tx.now())
  for (const facts of charge.refunds)
    await refunds.note(tx, method, facts, { id: paymentId, event_id: eventId, order_id: orderId })
  const refund = await store.find(tx, was.id)
  if (refund?.status !== 'requested' || refund.processor_id !== null || refund.amount !== was.amount)
    return true
  if (refund.amount <= charge.left) return false
  await cutTo(tx, refund, Math.max(0, charge.left))
  return true
}
