import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { noteDispute } from '#test/support/disputes.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

test('a dispute is shown on its order and among what needs you, until when it is to be answered, and how it ended', async t => {
  const server = await startDashboard(t, ordered())
  const { db, accountId, eventId, member, clock } = server
  const order = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>("SELECT id FROM orders WHERE reference = '2345-WXYZ'"),
  )
  const of = { id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e42', event_id: eventId, order_id: order?.id as string }
  const open = noteDispute(of, clock())
  await db.write(accountId, tx => open(tx, 'needs_response', 0))
  const finance = await member('finance')
  const home = await finance.open(`/manage/a/${accountId}`)
  assert.match(home.text, /A buyer disputes €25\.00/)
  const path = `/manage/e/${eventId}/orders/${order?.id}`
  assert.ok(home.html.includes(`href="${path}"`))
  const page = await finance.open(path)
  assert.match(page.text, /Disputes/)
  assert.match(page.text, /Needs your answer/)
  assert.match(page.text, /Answer it in Stripe’s dashboard until/)
  assert.match(page.text, /Taken by a dispute\s?€25\.00/)
  assert.match(page.text, /The buyer says that they did not pay it/)
  const spanish = await member('finance', { email: 'finanzas@example.org', language: 'es' })
  assert.match((await spanish.open(path)).text, /Quien compró dice que no lo pagó/)
  await db.write(accountId, tx => open(tx, 'won', 2_500))
  const won = await finance.open(path)
  assert.match(won.text, /Won/)
  assert.doesNotMatch(won.text, /Answer it in Stripe|Taken by a dispute/)
  assert.doesNotMatch((await finance.open(`/manage/a/${accountId}`)).text, /disputes/)
  const door = await member('door', { email: 'door2@example.org' })
  assert.doesNotMatch((await door.open(`/manage/a/${accountId}`)).text, /disputes/)
})

test('a dispute and a payment by Stripe lead to their pages there, of the connected account and its mode', async t => {
  const { db, accountId, eventId, member, clock } = await startDashboard(t, ordered())
  const order = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>("SELECT id FROM orders WHERE reference = '2345-WXYZ'"),
  )
  const paymentId = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e42'
  const of = { id: paymentId, event_id: eventId, order_id: order?.id as string }
  const open = noteDispute(of, clock())
  await db.write(accountId, async tx => {
    await open(tx, 'needs_response', 0)
    await tx.run(
      `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, charge_id, looks, ended_at,
         created_at, updated_at)
       VALUES ($2, $1, $3, $4, 'stripe', 'confirmed', 'EUR', 2500, 2500, 'ch_1', 0, 1, 1, 1)`,
      [tx.accountId, paymentId, eventId, order?.id as string],
    )
  })
  const finance = await member('finance')
  const path = `/manage/e/${eventId}/orders/${order?.id}`
  const linksOf = async () => {
    const { document } = await finance.open(path)
    return [...document.querySelectorAll('a[href^="https://dashboard.stripe.com/"]')].map(a =>
      a.getAttribute('href'),
    )
  }
  assert.deepEqual(await linksOf(), [], 'nobody knows which account it was')
  const account = { secretKey: 'rk_test_1', isLive: false, account: 'acct_1', name: 'Ada', at: clock() }
  await db.write(accountId, tx => connections.connectStripe(tx, account as never))
  assert.deepEqual(await linksOf(), [
    'https://dashboard.stripe.com/acct_1/test/payments/ch_1',
    'https://dashboard.stripe.com/acct_1/test/disputes/du_1',
  ])
})

test('a lost dispute asks what becomes of its tickets: void with a credit note, or valid', async t => {
  const server = await startDashboard(t, ordered())
  const { db, accountId, eventId, member, clock } = server
  const order = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>("SELECT id FROM orders WHERE reference = '2345-WXYZ'"),
  )
  const of = { id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e42', event_id: eventId, order_id: order?.id as string }
  const finance = await member('finance')
  const page = `/manage/e/${eventId}/orders/${order?.id}`
  const path = `${page}/disputes/du_1`
  const noted = noteDispute(of, clock())
  await db.write(accountId, tx => noted(tx, 'needs_response', 0))
  assert.equal((await finance.open(path)).status, 409, 'the bank has not decided')
  await db.write(accountId, tx => noted(tx, 'lost', 0))
  const home = await finance.open(`/manage/a/${accountId}`)
  assert.match(home.text, /A dispute of €25\.00 is lost/)
  assert.ok(home.html.includes(`href="${path}"`))
  const form = await finance.open(path)
  assert.match(form.text, /No refund is made/)
  const untold = await form.press('Save the decision')
  assert.equal(untold.status, 422)
  assert.match(untold.text, /Choose one of those there are/)
  const kept = await untold.fill({ 'Leave them valid': true }).press('Save the decision')
  assert.match(kept.text, /The tickets stay valid/)
  assert.match(kept.text, /Its tickets were left valid/)
  assert.doesNotMatch((await finance.open(`/manage/a/${accountId}`)).text, /is lost/)
  const again = await (await finance.open(page)).follow('Decide about the tickets…')
  const voided = await again
    .fill({ 'Void the tickets and make a credit note': true })
    .press('Save the decision')
  assert.match(voided.text, /Its tickets were voided/)
  assert.equal((await finance.open(path)).status, 409, 'it is decided')
  const log = await db.read(accountId, tx =>
    tx.all<{ details: string }>(
      "SELECT details FROM access_log WHERE account_id = $1 AND action = 'dispute.decide'",
      [tx.accountId],
    ),
  )
  assert.equal(log.length, 2)
  const door = await member('door', { email: 'door2@example.org' })
  assert.equal((await door.open(path)).status, 403)
  assert.equal((await finance.open(`${page}/disputes/du_2`)).status, 404)
})
