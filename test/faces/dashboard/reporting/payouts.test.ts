import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectStripe } from '#product/selling/payments/connections.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import { readCsv } from '#test/support/csv.ts'
import { organization, registration } from '#test/support/organization.ts'
import { type AddedPayout, addPayout } from '#test/support/payout-rows.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

async function start(t: TestContext, { isConnected = true } = {}) {
  const file = organization({ event: { registrations: [registration('A', { amount_total: 5000 })] } })
  const server = await startDashboard(t, file)
  const { db, accountId, clock, app } = server
  const found = { isLive: true, account: 'acct_1', name: 'Ada', at: clock() }
  if (isConnected)
    await db.write(accountId, tx => connectStripe(tx, { ...found, secretKey: 'rk_live_organizer1234' }))
  const paidOut = (changes: Partial<AddedPayout> = {}) =>
    db.write(accountId, tx =>
      addPayout(tx, { id: 'po_1', amount: 123_45, arrivesOn: '2026-11-23', status: 'paid', ...changes }),
    )
  const noteReading = (denied: 'payouts' | 'lines' | null) =>
    db.write(accountId, tx => payouts.noteReading(tx, denied))
  const finance = await server.member('finance')
  const reports = `/manage/a/${accountId}/reports`
  const csv = async (month: string) => {
    const cookie = `session=${finance.cookies.get('session')}`
    const answer = await fetch(`${app.siteUrl}${reports}/payouts.csv?month=${month}`, { headers: { cookie } })
    return { answer, text: Buffer.from(await answer.arrayBuffer()).toString() }
  }
  return { ...server, paidOut, noteReading, finance, reports, csv }
}

test('finance sees the payouts of a month, and what each holds in groups that come to it', async t => {
  const { paidOut, noteReading, finance, reports } = await start(t)
  await noteReading(null)
  await paidOut({
    lines: [
      { amount: 20_000, fee: 325 },
      { kind: 'refund', amount: -5000 },
      { kind: 'fee', type: 'stripe_fee', amount: -2000 },
      { kind: 'adjustment', type: 'reserve_transaction', amount: -330 },
    ],
  })
  await paidOut({ id: 'po_2', amount: 100, arrivesOn: '2026-12-01', status: 'in_transit' })
  const december = await (await finance.open(reports)).follow('Payouts')
  assert.match(december.text, /1 Dec 2026/, 'a payout on its way arrives in the next month')
  assert.doesNotMatch(december.text, /23 Nov 2026/)
  const november = await december.fill({ Month: '2026-11' }).press('Show')
  assert.match(november.text, /Paid out\s*€123\.45/)
  assert.match(november.text, /23 Nov 2026.*Paid out.*4 entries.*Not found yet.*€123\.45/s)
  const page = await november.follow('23 Nov 2026')
  assert.match(page.text, /comes to the payout exactly/)
  assert.match(page.text, /Fees.*-€20\.00.*Adjustments by Stripe.*-€3\.30.*Not from Turnout.*€146\.75/s)
  assert.match(page.text, /Together\s*4 entries\s*€123\.45/)
})

test('a payout that its list does not come to says by how much, and one that was made by hand that there is none', async t => {
  const { paidOut, noteReading, finance, reports, csv } = await start(t)
  await noteReading(null)
  await paidOut({ lines: [{ amount: 12_400, fee: 100 }] })
  await paidOut({ id: 'po_hand', amount: 500, isManual: true })
  const page = await finance.open(`${reports}/payouts/po_1`)
  assert.match(page.text, /comes to €123\.00, which differs from the payout by €0\.45/)
  const byHand = await finance.open(`${reports}/payouts/po_hand`)
  assert.match(byHand.text, /What it holds is not to be had: somebody paid this amount out by hand/)
  assert.doesNotMatch(byHand.text, /Every entry/)
  const { text } = await csv('2026-11')
  const [head = [], ...rows] = readCsv(text)
  const cell = (row: readonly string[] | undefined, name: string) => row?.[head.indexOf(name)]
  const manual = rows.find(row => cell(row, 'payout') === 'po_hand')
  assert.equal(cell(manual, 'list'), 'manual')
  assert.match(String(cell(manual, 'note')), /not to be had/)
  assert.deepEqual([cell(manual, 'line'), cell(manual, 'amount')], ['', ''])
})

test('the CSV has a row for each entry, amounts with a point, a mark for Excel and no formula', async t => {
  const { paidOut, noteReading, csv } = await start(t)
  await noteReading(null)
  await paidOut({
    ...{ id: '=po', amount: 11_500 },
    lines: [
      { id: '=1+1', amount: 12_000, fee: 200, sourceId: '@x' },
      { id: 'b', kind: 'fee', type: '-fee', amount: -300, sourceId: null },
    ],
  })
  const { answer, text } = await csv('2026-11')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="payouts-2026-11.csv"')
  assert.ok(text.startsWith('\uFEFF'))
  const [head, ...rows] = readCsv(text)
  assert.deepEqual(head, [
    ...['payout', 'arrives_on', 'status', 'currency', 'payout_amount', 'bank_date', 'list', 'note', 'line'],
    ...['moved_at', 'group', 'type', 'amount', 'fee', 'net', 'source', 'order', 'order_id'],
  ])
  assert.equal(rows.length, 2)
  const [fee, payment] = rows
  assert.deepEqual(payment?.slice(0, 7), ["'=po", '2026-11-23', 'paid', 'EUR', '115.00', '', 'complete'])
  assert.deepEqual(payment?.slice(8, 9), ["'=1+1"])
  assert.deepEqual(payment?.slice(10), ['foreign', 'charge', '120.00', '2.00', '118.00', "'@x", '', ''])
  assert.deepEqual(fee?.slice(10, 15), ['fees', "'-fee", '-3.00', '0.00', '-3.00'])
})

test('a key that lacks a permission is named with it, and the page says how to add it', async t => {
  const { noteReading, finance, reports, paidOut } = await start(t)
  assert.match((await finance.open(`${reports}/payouts`)).text, /being fetched/)
  await noteReading('payouts')
  const page = await finance.open(`${reports}/payouts`)
  assert.match(page.text, /lacks the permission “Payouts: Read \(payout_read\)”/)
  assert.match(page.text, /Add it to the key at Stripe/)
  await paidOut()
  await noteReading('lines')
  assert.match((await finance.open(`${reports}/payouts`)).text, /lacks the permission “Balance: Read/)
})

test('without Stripe nobody sees payouts, and those that were paid out stay when it is disconnected', async t => {
  const { finance, reports, paidOut } = await start(t, { isConnected: false })
  assert.doesNotMatch((await finance.open(reports)).text, /Payouts/)
  assert.equal((await finance.open(`${reports}/payouts`)).status, 404)
  await paidOut()
  const page = await (await finance.open(reports)).follow('Payouts')
  assert.match(page.text, /not connected any more/)
  assert.match(page.text, /23 Nov 2026/)
})

test('who sees no reports, or not all events, sees no payouts', async t => {
  const { member, reports, paidOut, eventId } = await start(t)
  await paidOut()
  for (const [role, eventIds] of [
    ['door', null],
    ['manager', [eventId]],
  ] as const) {
    const browser = await member(role, { eventIds: eventIds && [...eventIds] })
    for (const path of ['payouts', 'payouts/po_1', 'payouts.csv'])
      assert.notEqual((await browser.open(`${reports}/${path}`)).status, 200, `${role} ${path}`)
  }
})

test('a long payout is read page by page, and an unknown place in it is not found', async t => {
  const { finance, reports, paidOut } = await start(t)
  const lines = Array.from({ length: 150 }, (_, at) => ({ amount: 1, sourceId: `ch_${at}` }))
  await paidOut({ amount: 150, lines })
  const first = await finance.open(`${reports}/payouts/po_1`)
  const second = await first.follow('Next')
  const rows = [first, second].map(page => page.document.querySelectorAll('tbody tr th[scope=row]').length)
  assert.equal(rows[0], 100 + 2)
  assert.equal(rows[1], 50 + 2)
  assert.equal((await finance.open(`${reports}/payouts/po_1?after=txn_other`)).status, 404)
})
