import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { receiptDefaults } from '#product/administration/accounts/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { titleOf } from '#product/selling/receipts/receipt-text.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { type Sale, startSale } from '#test/support/people/sale.ts'

const ADDRESS = 'Postal address'
const BUY = 'Order with obligation to pay'

/** Starts a sale of seats for 50.00 at the door by somebody who makes invoices, from 250 with an address. */
async function startInvoiced(
  t: TestContext,
  { account = {}, event = {} }: { account?: object; event?: object } = {},
) {
  const seats = {
    registration_types: [{ name: 'Seat', price: 5000, capacity: 90 }],
    codes: [],
    questions: [],
  }
  const sale = await startSale(t, { ...seats, ...event }, { terms: null, payment_ways: 'door' })
  await sale.db.write(sale.accountId, tx => accounts.update(tx, { tax_id: 'B12345678', ...account }))
  await sale.change({ payment_ways: 'door' })
  const listed = () =>
    sale.db.read(sale.accountId, tx => orders.list(tx, { event_id: sale.eventId }, { limit: 9 }))
  return { ...sale, listed }
}

async function openForm(sale: Sale, seats: number) {
  const form = await sale.visitor().open(sale.formPath({ Seat: seats }))
  sale.clock.advance(5 * SECOND)
  return form.fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' })
}

/** Pays the only order, and returns what its receipt is called. */
async function pay({ db, accountId }: Sale, orderId: string): Promise<string> {
  return db.write(accountId, async tx => {
    const [payment] = await payments.listByOrder(tx, orderId)
    await payments.markPaid(tx, payment?.id as string)
    const [receipt] = await receipts.listByOrder(tx, orderId)
    assert.ok(receipt)
    return titleOf(receipt, 'en')
  })
}

test('an order of 250 euros needs the buyer’s address for its invoice, which stands open on the form', async t => {
  const sale = await startInvoiced(t)
  const form = await openForm(sale, 5)
  assert.match(form.text, /Your address for the invoice/)
  assert.equal(form.document.querySelector('details [name="invoice.address"]'), null, 'nothing is folded')
  const refused = await form.press('Continue')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Postal address: (Fill|This)/)
  assert.deepEqual(await sale.listed(), [])
  const review = await refused.fill({ [ADDRESS]: 'Calle Mayor 1\n28001 Madrid' }).press('Continue')
  assert.match(review.text, /Calle Mayor 1/)
  const placed = await review.press(BUY)
  assert.equal(placed.status, 200)
  const [order] = await sale.listed()
  assert.equal(order?.invoice.address, 'Calle Mayor 1\n28001 Madrid')
  const edit = await sale.visitor().open(`${placed.path.replace(/\?.*/, '')}/invoice`)
  const emptied = await edit.fill({ [ADDRESS]: '' }).press('Save')
  assert.equal(emptied.status, 422, 'nor can it be taken out again')
  assert.equal(await pay(sale, order?.id as string), 'Invoice')
})

test('below it nobody needs an address, and the paper is a simplified invoice; with one it is an invoice', async t => {
  const sale = await startInvoiced(t)
  const form = await openForm(sale, 4)
  assert.doesNotMatch(form.text, /Your address for the invoice/)
  const review = await form.press('Continue')
  await review.press(BUY)
  const [order] = await sale.listed()
  assert.equal(await pay(sale, order?.id as string), 'Simplified invoice')
  const other = await (await openForm(sale, 1)).fill({ [ADDRESS]: 'Calle Mayor 1' }).press('Continue')
  await other.press(BUY)
  const named = (await sale.listed()).find(({ invoice }) => invoice.address !== null)
  assert.equal(await pay(sale, named?.id as string), 'Invoice')
})

for (const [why, options] of [
  ['makes no invoices, having no tax number', { account: { tax_id: null } }],
  ['has said that none needs one', { account: { invoice_from: null } }],
  ['has set a higher amount', { account: { invoice_from: 400 } }],
  ['sells in another currency than the own one', { event: { currency: 'CHF' } }],
] as const)
  test(`nobody is asked for an address by a seller who ${why}`, async t => {
    const sale = await startInvoiced(t, options)
    const review = await (await openForm(sale, 5)).press('Continue')
    assert.equal((await review.press(BUY)).status, 200)
    assert.equal((await sale.listed()).length, 1)
  })

test('the rule refuses too what a form without the field sends, once the seller has set a lower amount', async t => {
  const sale = await startInvoiced(t, { account: { invoice_from: null } })
  const review = await (await openForm(sale, 5)).press('Continue')
  await sale.db.write(sale.accountId, tx => accounts.update(tx, { invoice_from: 100 }))
  await sale.db.write(sale.accountId, tx => events.update(tx, sale.eventId, { venue: 'Here' }))
  const refused = await review.press(BUY)
  assert.equal(refused.status, 422)
  assert.deepEqual(await sale.listed(), [])
  assert.match(refused.text, /Your address for the invoice|needs your postal address/)
})

test('an account in euros begins with 250, and one in another currency asks for none', () => {
  assert.deepEqual(
    ['EUR', 'CHF', 'JPY'].map(currency => receiptDefaults(currency).invoice_from),
    [250, null, null],
  )
})
