import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { printCreditorReference } from '#base/creditor-reference.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { sellByTransfer } from '#test/support/banked.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

const file = (email?: string) =>
  organization({
    ...(email === undefined ? {} : { email }),
    event: {
      ...{ status: 'published', starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
      registration_types: [
        { name: 'Standard', price: 5000, capacity: 10 },
        { name: 'Free', price: 0, capacity: 50 },
      ],
    },
  })

async function start(t: TestContext) {
  const server = await startDashboard(t, file())
  const { db, clock, accountId, eventId, types } = server
  const sale = await sellByTransfer({ db, clock, accountId, eventId, types })
  const stateOf = async (id: string) => {
    const { status, failed_for, waits_for } = await db.read(accountId, tx => orders.get(tx, id))
    return failed_for ?? waits_for ?? status
  }
  const owed = async (id: string) => {
    const made = await db.read(accountId, tx => refunds.listByOrder(tx, id))
    return made.map(({ reason, amount }) => [reason, amount])
  }
  const path = `/manage/e/${eventId}`
  return { ...server, ...sale, stateOf, owed, path, pathOf: (id: string) => `${path}/orders/${id}` }
}

test('an order that waits for its transfer says so, and is marked as paid after a question, once', async t => {
  const { member, order, pathOf, stateOf, db, accountId } = await start(t)
  const placed = await order({ Standard: 2 })
  const finance = await member('finance')
  const page = await finance.open(pathOf(placed.id))
  assert.match(page.text, /Waits for the payment/)
  assert.match(page.text, /€100\.00, Bank transfer/)
  assert.ok(page.text.includes(printCreditorReference(placed.payment.reference as string)))
  const confirmation = await page.follow('Mark as paid…')
  assert.equal(confirmation.heading, 'Has Ada Lovelace paid €100.00?')
  assert.match(confirmation.text, /The order is confirmed: 2 tickets become valid/)
  assert.equal(await stateOf(placed.id), 'payment', 'asking does nothing')
  for (const _ of ['once', 'twice']) {
    const done = await confirmation.press('Mark as paid')
    assert.match(done.text, /Confirmed/)
  }
  assert.equal(await stateOf(placed.id), 'confirmed')
  const entries = await db.read(accountId, tx => accessLog.list(tx, 9))
  assert.deepEqual(
    entries
      .filter(({ action }) => action === 'payment.paid')
      .map(({ target_id, details }) => [target_id, details]),
    [[placed.id, { payment: placed.payment.id }]],
  )
  const again = await finance.open(`${pathOf(placed.id)}`)
  assert.doesNotMatch(again.text, /Mark as paid/)
})

test('the overview counts the orders that wait for money and leads to them, for whoever sees orders', async t => {
  const { member, order, path } = await start(t)
  const finance = await member('finance')
  assert.doesNotMatch((await finance.open(path)).text, /Orders to be paid/)
  await order({ Standard: 2 })
  const overview = await finance.open(path)
  assert.match(overview.text, /Orders to be paid ?1/)
  assert.ok(overview.document.querySelector(`main a[href="${path}/orders?state=payment"]`))
  assert.doesNotMatch((await (await member('door')).open(path)).text, /Orders to be paid/)
})

test('who may only look, checks in or reviews marks nothing, nor does another account', async t => {
  const server = await start(t)
  const { member, order, path, stateOf, apply } = server
  const { id, payment } = await order({ Standard: 1 })
  const other = await apply(file('bob@example.org'))
  const foreign = await member('owner', { email: 'x@example.org', accountId: other.account_id })
  for (const [reader, status] of [
    [await member('door'), 403],
    [await member('chair'), 403],
    [await member('reviewer'), 403],
    [foreign, 404],
  ] as const) {
    for (const what of ['paid', 'accept', 'return']) {
      const page = await reader.open(`${path}/payments/${payment.id}/${what}`)
      assert.equal(page.status, status, what)
    }
  }
  assert.equal(await stateOf(id), 'payment')
})

test('the list of orders has those that wait for money alone, and finds one by any of its references', async t => {
  const { member, order, path, db, accountId } = await start(t)
  const waiting = await order({ Standard: 1 }, { name: 'Waits' })
  const paid = await order({ Standard: 1 }, { name: 'Paid', email: 'PAID@example.org' })
  await db.write(accountId, tx => payments.markPaid(tx, paid.payment.id))
  const manager = await member('manager')
  const all = await manager.open(`${path}/orders`)
  assert.equal(all.rows().length, 2)
  const open = await all.follow('Waiting for payment')
  assert.equal(open.rows().length, 1)
  assert.match(open.rows()[0] as string, /^Waits.*Waits for the payment/)
  const find = async (q: string) => (await manager.open(`${path}/orders?q=${encodeURIComponent(q)}`)).rows()
  const reference = waiting.payment.reference as string
  for (const q of [
    reference,
    ` ${printCreditorReference(reference).toLowerCase()} `,
    waiting.reference,
    waiting.reference.replace('-', '').toLowerCase(),
  ]) {
    const found = await find(q)
    assert.equal(found.length, 1, q)
    assert.match(found[0] as string, /^Waits/)
  }
  assert.match((await find('paid@EXAMPLE.org'))[0] as string, /^Paid/)
  assert.deepEqual(await find('RF18 5390 0754 7034'), [])
  assert.match((await manager.open(`${path}/orders?q=%3Cb%3E`)).text, /No order of this event is named so/)
})

test('an order that waits for its payment is cancelled, and one that waits for approval declined, after a page that says so', async t => {
  const { member, order, pathOf, stateOf, db, accountId, eventId } = await start(t)
  const unpaid = await order({ Standard: 1 })
  const manager = await member('manager')
  const asks = await (await manager.open(pathOf(unpaid.id))).follow('Cancel the order…')
  assert.match(asks.heading, /^Cancel the order of /)
  assert.equal(await stateOf(unpaid.id), 'payment', 'nothing is done by looking')
  const cancelled = await asks.press('Cancel it and tell the buyer')
  assert.match(cancelled.messages.join(), /is cancelled/)
  assert.match(cancelled.text, /Ended by the organizer/)
  assert.doesNotMatch(cancelled.text, /Cancel the order…|Decline…/)
  await db.write(accountId, tx => events.update(tx, eventId, { requires_approval: true }))
  const asked = await order({ Standard: 1 })
  const page = await manager.open(pathOf(asked.id))
  assert.doesNotMatch(page.text, /Cancel the order…/)
  const declined = await (await page.follow('Decline…')).press('Decline and tell the buyer')
  assert.match(declined.messages.join(), /is declined/)
})

test('an amount that is not what was asked needs somebody: it is taken all the same, or paid back', async t => {
  const { member, order, came, pathOf, stateOf, owed } = await start(t)
  const one = await order({ Standard: 1 })
  const two = await order({ Standard: 1 })
  await came(one.payment.id, 'line-1', 4900)
  await came(two.payment.id, 'line-2', 100)
  const manager = await member('manager')
  const home = await manager.open('/manage/')
  assert.match(home.text, /2 payments are not what was asked for/)
  const page = await manager.open(pathOf(one.id))
  assert.match(page.text, /€49\.00 came, and €50\.00 were asked for/)
  const accept = await page.follow('Confirm all the same…')
  assert.match(accept.text, /It was asked for €50\.00/)
  await accept.press('Confirm it')
  assert.equal(await stateOf(one.id), 'confirmed')
  assert.deepEqual(await owed(one.id), [])
  const back = await (await manager.open(pathOf(two.id))).follow('Pay it back…')
  assert.equal(back.heading, 'Pay €1.00 back?')
  assert.match(back.text, /You pay it back by hand/)
  await back.press('Pay it back and end the order')
  assert.equal(await stateOf(two.id), 'declined')
  assert.deepEqual(await owed(two.id), [['organizer', 100]])
  const after = await manager.open('/manage/')
  assert.doesNotMatch(after.text, /not what was asked for/)
  assert.match(after.text, /1 refund needs you/)
})

test('a question about a payment is asked again where something else has come meanwhile', async t => {
  const { member, order, came, path, stateOf } = await start(t)
  const { id, payment } = await order({ Standard: 2 })
  const manager = await member('manager')
  const confirmation = await manager.open(`${path}/payments/${payment.id}/paid`)
  await came(payment.id, 'line-1', 3000)
  const again = await confirmation.press('Mark as paid')
  assert.equal(again.heading, 'Has Ada Lovelace paid €70.00?')
  assert.equal(await stateOf(id), 'payment')
})

test('money for an order that has ended is noted: it stands again, or the money is owed back', async t => {
  const { member, order, pathOf, stateOf, owed, db, accountId } = await start(t)
  const late = await order({ Standard: 1 })
  const declined = await order({ Standard: 1 })
  for (const [{ id }, reason] of [
    [late, 'unpaid'],
    [declined, 'declined'],
  ] as const)
    await db.write(accountId, tx => orders.fail(tx, id, reason))
  const manager = await member('manager')
  const note = async (id: string) => {
    const confirmation = await (await manager.open(pathOf(id))).follow('Mark as paid…')
    return [confirmation.text, (await confirmation.press('Mark as paid')).text]
  }
  const [will, done] = await note(late.id)
  assert.match(will as string, /While there is still room it is confirmed/)
  assert.match(done as string, /is paid and confirmed/)
  assert.equal(await stateOf(late.id), 'confirmed')
  const [wont, kept] = await note(declined.id)
  assert.match(wont as string, /The order stays as it is/)
  assert.match(kept as string, /the money is owed back/)
  assert.equal(await stateOf(declined.id), 'declined')
  assert.deepEqual(await owed(declined.id), [['late', 5000]])
})

test('approving an order that costs something says until when it has to be paid, and sends no ticket', async t => {
  const { member, order, pathOf, stateOf, db, accountId, eventId } = await start(t)
  await db.write(accountId, tx => events.update(tx, eventId, { requires_approval: true }))
  const placed = await order({ Standard: 1 }, { method: undefined })
  const manager = await member('manager')
  const confirmation = await (await manager.open(pathOf(placed.id))).follow('Approve…')
  assert.match(confirmation.text, /€50\.00 have to be paid from then on, until 28 Nov 2026/)
  assert.doesNotMatch(confirmation.text, /becomes? valid/)
  const done = await confirmation.press('Approve and ask for the payment')
  assert.equal(await stateOf(placed.id), 'payment')
  assert.match(done.text, /The buyer has not chosen yet how to pay/)
  assert.match(done.text, /To be paid/)
})

test('at the door somebody who checks in notes the cash, and the ticket is good from then on', async t => {
  const { member, order, path, stateOf, db, accountId, clock } = await start(t)
  clock.set('2027-02-01T10:00:00Z')
  const { id, payment } = await order({ Standard: 2 }, { method: 'door', email: 'cash@example.org' })
  const transfer = await order({ Standard: 1 }, { email: 'transfer@example.org' })
  const details = await db.read(accountId, tx => orders.getDetails(tx, id))
  const [ticket] = details.registrations[0]?.attendees ?? []
  const door = await member('door')
  const printed = (await door.open(`${path}/check-in/list`)).rows()
  const { reference } = details
  assert.equal(printed.filter(row => row.endsWith(`order ${reference} pays €100.00 here`)).length, 2)
  assert.equal(printed.filter(row => row.includes('pays')).length, 2, 'a transfer is not paid at the door')
  assert.equal(printed.filter(row => row.endsWith('Not confirmed')).length, 1)
  // The buyer was told to say one of these.
  const said = [reference, payment.reference as string].flatMap(text => [
    text,
    text.toLowerCase(),
    text.replace('-', ''),
  ])
  for (const q of [...said, printCreditorReference(payment.reference as string)]) {
    const found = await door.open(`${path}/check-in?q=${encodeURIComponent(q)}`)
    assert.equal(found.document.querySelectorAll('#found tbody tr').length, 2, q)
    assert.match(found.text, /Paid…/, q)
  }
  const nobody = await door.open(`${path}/check-in?q=ABCD-EFGH`)
  assert.equal(nobody.document.querySelectorAll('#found tbody tr').length, 0)
  const scan = await door.open(`${path}/check-in`)
  const refused = await scan
    .fill({ 'Scan a ticket, or look for somebody': ticket?.qr_code as string })
    .press('Go')
  assert.match(refused.text, /Not admitted/)
  const confirmation = await refused.follow('Paid…')
  assert.equal(confirmation.heading, 'Was €100.00 paid?')
  assert.equal(await stateOf(id), 'payment')
  const found = await confirmation.press('Yes, it is paid')
  assert.equal(await stateOf(id), 'confirmed')
  assert.equal(found.rows().length >= 2, true)
  assert.doesNotMatch((await door.open(`${path}/check-in/list`)).text, /pays/)
  const admitted = await found.press('Check in Holder 0')
  assert.match(admitted.text, /Admitted/)
  const listed = await door.open(`${path}/check-in?q=transfer%40example.org`)
  assert.doesNotMatch(listed.text, /Paid…|Pays/, 'a transfer is nothing that the door takes')
  const [other] = (await db.read(accountId, tx => orders.getDetails(tx, transfer.id))).registrations
  const page = await door.open(`${path}/check-in/${other?.attendees[0]?.id}/paid`)
  assert.equal(page.status, 409)
  assert.equal(await stateOf(transfer.id), 'payment')
})

test('the screens of payments are in Spanish for whoever reads that', async t => {
  const { member, order, came, path, pathOf } = await start(t)
  const { id, payment } = await order({ Standard: 1 })
  await came(payment.id, 'line-1', 100)
  const manager = await member('manager', { language: 'es' })
  for (const at of [
    ...['paid', 'accept', 'return'].map(what => `${path}/payments/${payment.id}/${what}`),
    pathOf(id),
    `${path}/orders?state=payment`,
  ]) {
    const page = await manager.open(at)
    assert.equal(page.status, 200, at)
    assert.doesNotMatch(page.text, /\b(paid|order|payment|back|the)\b/i, at)
  }
})
