import assert from 'node:assert/strict'
import { type Clock, DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { toReceiptsCsv } from '#product/selling/receipts/csv.ts'
import { setInvoice } from '#product/selling/receipts/invoice.ts'
import { eraseExpired } from '#product/selling/receipts/retention.ts'
import * as receipts from '#product/selling/receipts/rules.ts'

/** Does everything with receipts, each of it once, for an order that is paid for here. */
export async function issueReceipts(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const made = await db.write(accountId, async tx => {
    const [order] = await orders.list(tx, { event_id: eventId, status: 'confirmed' }, { limit: 1 })
    const orderId = order?.id as string
    const [line] = (await orders.getDetails(tx, orderId)).registrations
    const of = [line?.id as string]
    await tx.run('UPDATE attendees SET price = 5000 WHERE position = 0 AND registration_id = $1', of)
    await tx.run('UPDATE registrations SET amount_subtotal = 5000, amount_total = 5000 WHERE id = $1', of)
    await tx.run('UPDATE orders SET amount_total = 5000 WHERE id = $1', [orderId])
    await setInvoice(tx, orderId, { company: 'Lin Ltd', address: null, vat_id: null })
    const paid = { orderId, paymentId: 'payment', amount: 5000, at: clock(), method: 'stripe' }
    const money = {
      eventId,
      of: { orderId },
      currency: 'EUR',
      at: clock(),
      method: 'stripe',
      entryId: 'ch',
    } as const
    await ledger.record(tx, { ...money, kind: 'payment', amount: 5000 })
    const receipt = await receipts.issue(tx, paid)
    await receipts.credit(tx, { ...paid, amount: 1000, refundId: 'refund' })
    await receipts.listUsable(tx, orderId)
    await orders.readAcceptedAt(tx, orderId)
    return receipt
  })
  assert.ok(made)
  const span = { from: clock() - DAY, until: clock() + DAY }
  await db.read(accountId, async tx => {
    await receipts.get(tx, made.id)
    await receipts.findFirst(tx)
    const [one] = await receipts.listPage(tx, { ...span, after: undefined, limit: 1 })
    assert.ok(one)
    await receipts.listPage(tx, { ...span, after: receipts.positionOf(one), limit: 1 })
  })
  for await (const _ of toReceiptsCsv(db, accountId, span));
  await db.write(accountId, tx => eraseExpired(tx, clock() + 12 * 366 * DAY, 1))
}
