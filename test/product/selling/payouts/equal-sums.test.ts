import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import { readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import { voidTickets } from '#product/selling/payments/dispute-decisions.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { inBooks } from '#product/selling/receipts/schemas.ts'
import { stripeClient } from '#test/support/stripe/client.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'
import { openStripeSale } from '#test/support/stripe/stripe-sale.ts'

for (const currency of ['JPY', 'EUR', 'BHD']) {
  test(`in ${currency}, Stripe, the ledger, receipts, the monthly report and the payout come to the same`, async t => {
    const sale = await openStripeSale(t, 'http://127.0.0.1:8080', { currency })
    const { standIn, order, pass, db, accountId, clock } = sale
    const orderIds: string[] = []
    const buy = async () => {
      const { orderId, session } = await order()
      orderIds.push(orderId)
      await standIn.pay(session)
      await pass(2 * MINUTE)
      return session
    }
    await buy()
    await standIn.refund(await buy(), { amount: 1230 })
    const { id: disputeId } = await standIn.dispute(await buy())
    await standIn.closeDispute(disputeId, 'lost')
    await pass(2 * MINUTE)
    const disputed = { orderId: orderIds.at(-1) as string }
    await db.write(accountId, async tx => {
      const refundable = await readRefundable(tx, disputed)
      const ticketIds = refundable.tickets.map(ticket => ticket.id)
      await voidTickets(tx, disputeId, refundable, { ticketIds, isNotified: false })
    })
    // Somebody sells something else by the same account.
    const stripe = stripeClient(standIn, KEY)
    const { id: elsewhere } = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', success_url: 'https://shop.example.org/done' },
      line_items: [
        {
          quantity: 1,
          price_data: {
            ...{ currency: currency.toLowerCase(), unit_amount: 9990 },
            product_data: { name: 'A book' },
          },
        },
      ],
    })
    await standIn.pay(elsewhere)
    await pass(3 * DAY)
    const made = await standIn.payOut({ account: ACCOUNT, currency: currency.toLowerCase() })
    await pass(2 * MINUTE)
    const id = made?.id as string
    const payout = await db.read(accountId, tx => payouts.get(tx, id))
    assert.deepEqual([payout.amount, payout.currency, payout.difference], [made?.amount, currency, 0])
    const sums = new Map(
      (await db.read(accountId, tx => payouts.sumUp(tx, id))).map(({ group, amount }) => [group, amount]),
    )
    const feeOf = (amount: number) => Math.round((amount * 150) / 10_000) + 25
    assert.deepEqual(Object.fromEntries(sums), {
      ...{ payments: 15_000, refunds: -1230, disputes: -5000, fees: -3 * feeOf(5000) - 2000 },
      foreign: 9990 - feeOf(9990),
    })
    const own = payout.amount - (sums.get('foreign') as number)
    const entries = (await Promise.all(orderIds.map(sale.entriesOf))).flat()
    assert.equal(
      entries.reduce((sum, [, amount]) => sum + Number(amount), 0),
      own,
      'the ledger',
    )
    const { data } = await readMonthlyReport(db, accountId, '2026-11', clock())
    const { gross = 0, refunds = 0, processor_fee: fee, currency: of } = data[0] ?? {}
    assert.deepEqual([gross - refunds - Number(fee), of], [own, currency], 'the monthly report')
    const issued = await db.read(accountId, async tx =>
      Promise.all(orderIds.map(orderId => receipts.listByOrder(tx, orderId))),
    )
    assert.equal(
      issued.flat().reduce((sum, receipt) => sum + inBooks(receipt, receipt.total), 0),
      gross - refunds,
      'receipts less credit notes',
    )
    const lines = await db.read(accountId, tx => payouts.listLines(tx, id, 100))
    assert.equal(lines.filter(({ order: found }) => found !== null).length, 5)
    assert.deepEqual(
      lines.filter(({ group }) => group === 'foreign').map(({ amount, order: found }) => [amount, found]),
      [[9990, null]],
    )
  })
}
