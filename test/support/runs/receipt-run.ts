import assert from 'node:assert/strict'
import type { Database } from '../../src/db/port.ts'
import * as ledger from '../../src/ledger/rules.ts'
import * as orders from '../../src/orders/rules.ts'
import { toReceiptsCsv } from '../../src/receipts/csv.ts'
import { setInvoice } from '../../src/receipts/invoice.ts'
import { eraseExpired } from '../../src/receipts/retention.ts'
import * as receipts from '../../src/receipts/rules.ts'
import { type Clock, DAY } from '../../src/time.ts'

/** What is done with receipts, each of it once: of an order that is paid for here. */
export async function issueReceipts(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const made = await db.write(accountId, async tx => {
    const [order] = await orders.list(tx, accountId, { event_id: eventId, status: 'confirmed' }, { limit: 1 })
    const orderId = order?.id as string
    const [line] = (await orders.getDetails(tx, accountId, orderId)).registrations
    const of = [line?.id as string]
    await tx.run('UPDATE attendees SET price = 5000 WHERE position = 0 AND registration_id = $1', of)
    await tx.run('UPDATE registrations SET amount_subtotal = 5000, amount_total = 5000 WHERE id = $1', of)
    await tx.run('UPDATE orders SET amount_total = 5000 WHERE id = $1', [orderId])
    await setInvoice(tx, accountId, orderId, { company: 'Lin Ltd', address: null, vat_id: null })
    const paid = { orderId, paymentId: 'payment', amount: 5000, at: clock(), method: 'stripe' }
    const money = {
      eventId,
      of: { orderId },
      currency: 'EUR',
      at: clock(),
      method: 'stripe',
      entryId: 'ch',
    } as const
    await ledger.record(tx, accountId, { ...money, kind: 'payment', amount: 5000 })
    const receipt = await receipts.issue(tx, accountId, paid)
    await receipts.credit(tx, accountId, { ...paid, amount: 1000, refundId: 'refund' })
    return receipt
  })
  assert.ok(made)
  const span = { from: clock() - DAY, until: clock() + DAY }
  await db.read(async tx => {
    await receipts.get(tx, accountId, made.id)
    await receipts.findFirst(tx, accountId)
    const [one] = await receipts.listPage(tx, accountId, { ...span, after: undefined, limit: 1 })
    assert.ok(one)
    await receipts.listPage(tx, accountId, { ...span, after: receipts.positionOf(one), limit: 1 })
  })
  for await (const _ of toReceiptsCsv(db, accountId, span));
  await db.write(accountId, tx => eraseExpired(tx, accountId, clock() + 12 * 366 * DAY, 1))
}
