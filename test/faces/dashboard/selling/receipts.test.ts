import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { readCsv } from '#test/support/csv.ts'
import { idsOf, type PaidTicket, withOrders } from '#test/support/paid.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

const standard: PaidTicket = { type: 'Standard', price: 5000, rate: 1900 }
const meal: PaidTicket = { type: 'Meal', price: 1200, rate: 700 }

async function start(t: TestContext) {
  const buyer = { name: '=1+1', email: 'grace@example.org' }
  const server = await startDashboard(
    t,
    withOrders([
      { reference: 'A', tickets: [standard, meal], changes: { buyer, buyer_vat_id: 'DE1' } },
      { reference: 'B', tickets: [standard] },
    ]) as never,
  )
  const { db, accountId, clock } = server
  await db.write(accountId, tx => accounts.update(tx, { tax_id: 'B1' }))
  const pay = async (reference: string) => {
    const { id: orderId, amount_total: amount } = await idsOf(db, reference)
    const paid = { orderId, paymentId: `pay-${reference}`, amount, at: clock(), method: 'stripe' }
    return db.write(accountId, async tx => {
      const receipt = await receipts.issue(tx, paid)
      await receipts.credit(tx, { ...paid, refundId: `re-${reference}`, amount: 620 })
      return receipt as Receipt
    })
  }
  return { ...server, pay }
}

test('finance sees the receipts of a month, each with its paper and its PDF, and those of an order on its page', async t => {
  const { member, accountId, eventId, pay, clock, app } = await start(t)
  const { id, order_id } = await pay('A')
  clock.advance(20 * DAY)
  await pay('B')
  const browser = await member('finance')
  const reports = await browser.open(`/manage/a/${accountId}/reports`)
  const december = await reports.follow('Receipts')
  assert.match(december.text, /R-000002/)
  assert.doesNotMatch(december.text, /R-000001/)
  const november = await december.fill({ Month: '2026-11' }).press('Show')
  assert.match(november.text, /C-000001\s*=1\+1.*Credit note\s*-€6\.20/s)
  const paper = await november.follow('R-000001')
  assert.match(paper.text, /Simplified invoice\s*R-000001/)
  const order = await paper.follow('Back to the order')
  assert.match(order.text, /VAT ID\s*DE1/)
  assert.match(order.text, /Simplified invoice R-000001.*Credit note C-000001/s)
  const pdf = `/manage/e/${eventId}/orders/${order_id}/receipts/${id}/pdf`
  const cookie = `session=${browser.cookies.get('session')}`
  const answer = await fetch(app.siteUrl + pdf, { headers: { cookie } })
  assert.deepEqual(
    [answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')],
    [200, 'application/pdf', 'attachment; filename="R-000001.pdf"'],
  )
  assert.equal(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
})

test('the file for the tax adviser has a row for each rate, credit notes below zero, and no formula', async t => {
  const { member, accountId, pay, app } = await start(t)
  await pay('A')
  const browser = await member('finance')
  const cookie = `session=${browser.cookies.get('session')}`
  const answer = await fetch(`${app.siteUrl}/manage/a/${accountId}/reports/receipts.csv?month=2026-11`, {
    headers: { cookie },
  })
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="receipts-2026-11.csv"')
  const [head, ...rows] = readCsv(Buffer.from(await answer.arrayBuffer()).toString())
  assert.deepEqual(head, [
    ...['number', 'kind', 'date', 'corrects', 'order', 'event', 'buyer', 'company', 'vat_id', 'paid_by'],
    ...['currency', 'tax_percent', 'net', 'tax', 'gross', 'total'],
  ])
  const who = ['A', 'Spring Meeting', "'=1+1", '', 'DE1', 'stripe', 'EUR']
  const first = ['R-000001', 'receipt', '2026-11-21', '', ...who]
  const back = ['C-000001', 'credit_note', '2026-11-21', 'R-000001', ...who]
  assert.deepEqual(rows, [
    [...first, '19.00', '42.02', '7.98', '50.00', '62.00'],
    [...first, '7.00', '11.21', '0.79', '12.00', '62.00'],
    [...back, '19.00', '-4.20', '-0.80', '-5.00', '-6.20'],
    [...back, '7.00', '-1.12', '-0.08', '-1.20', '-6.20'],
  ])
  const early = await fetch(`${app.siteUrl}/manage/a/${accountId}/reports/receipts.csv?month=2026-10`, {
    headers: { cookie },
  })
  assert.equal(early.status, 404)
})

test('who has only some events sees the receipts of their orders, and not the list of the organization', async t => {
  const { member, accountId, eventId, pay } = await start(t)
  const { id, order_id } = await pay('A')
  const browser = await member('finance', { eventIds: [eventId] })
  const reports = await browser.open(`/manage/a/${accountId}/reports`)
  assert.equal(reports.links().includes('Receipts'), false)
  for (const path of ['receipts', 'receipts.csv']) {
    assert.equal((await browser.open(`/manage/a/${accountId}/reports/${path}`)).status, 403, path)
  }
  const paper = await browser.open(`/manage/e/${eventId}/orders/${order_id}/receipts/${id}`)
  assert.match(paper.text, /R-000001/)
  const { id: other } = await idsOf((await start(t)).db, 'B')
  assert.equal((await browser.open(`/manage/e/${eventId}/orders/${other}/receipts/${id}`)).status, 404)
})

test('settings say what numbers begin with, why there is no tax, and for how long receipts name people', async t => {
  const { db, member, accountId, pay } = await start(t)
  const browser = await member('owner')
  const settings = `/manage/a/${accountId}/settings`
  const page = await browser.open(`${settings}/legal`)
  const filled = { 'What their numbers begin with': 'FEST 1', 'Why there is no tax': 'Exempt' }
  const bad = await page.fill(filled).press('Save')
  assert.match(bad.text, /What their numbers begin with: Use 1 to 10 letters/)
  await bad.fill({ 'What their numbers begin with': 'FEST' }).press('Save')
  const years = await browser.open(`${settings}/personal-data`)
  const short = await years.fill({ 'Years that they are kept with names': '5' }).press('Save')
  assert.match(short.text, /Enter a whole number from 6 to 12/)
  await short.fill({ 'Years that they are kept with names': '12' }).press('Save')
  const { receipt_prefix, receipt_years, tax_exemption } = await db.read(accountId, tx =>
    accounts.getDetails(tx),
  )
  assert.deepEqual([receipt_prefix, receipt_years, tax_exemption], ['FEST', 12, 'Exempt'])
  assert.equal((await pay('B')).number, 'FEST-R-000001')
})
