import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { queueRequested } from '#product/selling/orders/queue-mails.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startPaid } from '#test/support/paid-server.ts'
import { type Sale, startSale } from '#test/support/people/sale.ts'
import { startTicketMail } from '#test/support/ticket-mail.ts'

async function callOff({
  db,
  accountId,
  eventId,
  client,
}: Pick<Sale, 'db' | 'accountId' | 'eventId' | 'client'>) {
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  await client.get('/events')
}

async function startOrdered(t: TestContext) {
  const sale = await startSale(t)
  const order = await sale.take({ Guest: ['Grace Hopper', 'Alan Turing'] })
  return { ...sale, order, path: sale.pathOf(order), ticketPath: await sale.ticketPathOf(order.id, 1) }
}

test('the page of an order of a cancelled event says so first: no code, no file, no way to change it, and what becomes of the money', async t => {
  const sale = await startOrdered(t)
  const before = await sale.visitor().open(sale.path)
  assert.match(before.text, /You are in/)
  assert.ok(before.document.querySelector('.qr') && before.links().includes('Tickets as PDF'))
  await callOff(sale)
  const page = await sale.visitor().open(sale.path)
  assert.equal(page.document.querySelector('.headline')?.textContent, 'This event is cancelled')
  assert.match(
    page.text,
    /Your tickets are no longer valid\. ?They were free, so there is no money to pay back\./,
  )
  assert.doesNotMatch(page.text, /You are in|Show this code/)
  assert.equal(page.document.querySelector('.qr'), null)
  for (const name of ['Tickets as PDF', 'Add to calendar', 'Change names', 'Cancel the order…'])
    assert.ok(!page.links().includes(name), name)
  assert.ok(!/Send the tickets again/.test(page.text))
  assert.equal((await sale.visitor().open(`${sale.path}/tickets.pdf`)).status, 404)
  const spanish = await sale.visitor().open(`${sale.path}?lang=es`)
  assert.match(spanish.text, /Este evento está cancelado ?Tus entradas ya no son válidas\./)
})

test('the page of a ticket of a cancelled event says so first, and shows neither its code nor the link to an online event', async t => {
  const sale = await startOrdered(t)
  await sale.change({ online_url: 'https://meet.example/secret' })
  assert.match((await sale.visitor().open(sale.ticketPath)).html, /meet\.example/)
  await callOff(sale)
  const page = await sale.visitor().open(sale.ticketPath)
  assert.equal(page.document.querySelector('.headline')?.textContent, 'This event is cancelled')
  assert.match(page.text, /The event is cancelled, so this ticket is not valid\./)
  assert.equal(page.document.querySelector('.qr'), null)
  assert.doesNotMatch(page.html, /meet\.example/)
})

test('of a cancelled event nobody is mailed tickets: not by an old page, nor by a mail that had to wait', async t => {
  const sale = await startOrdered(t)
  const { db, accountId, order, path, visitor, clock } = sale
  const mail = await startTicketMail(t, db, clock)
  assert.equal((await mail.take()).length, 1)
  const page = await visitor().open(path)
  await db.write(accountId, async tx => queueRequested(tx, await orders.getDetails(tx, order.id)))
  await callOff(sale)
  const again = await page.press('Send the tickets again')
  assert.doesNotMatch(again.text, /on their way/)
  assert.equal(again.document.querySelector('.headline')?.textContent, 'This event is cancelled')
  assert.deepEqual(
    (await mail.take()).map(({ parsed }) => parsed.subject),
    [],
  )
})

test('who paid for a cancelled event reads whether money went back', async t => {
  const { db, accountId, eventId, client, visitor, pathOf, orderOf } = await startPaid(t)
  const { id } = await orderOf('A')
  await db.write(accountId, tx =>
    tx.run(
      `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, looks, created_at,
         updated_at, ended_at)
       VALUES ('p', $1, $2, $3, 'transfer', 'confirmed', 'EUR', 10000, 10000, 0, 1, 1, 1)`,
      [accountId, eventId, id],
    ),
  )
  await callOff({ db, accountId, eventId, client })
  const page = await visitor().open(await pathOf('A'))
  assert.match(
    page.text,
    /This event is cancelled ?Your tickets are no longer valid\. ?No refund has been made so far\. Ada Events decides on refunds\. ?€100\.00 are paid\./,
  )
  assert.doesNotMatch(page.text, /They were free/)
})

test('who has not paid yet for a cancelled event is asked not to pay, and is led to no payment', async t => {
  const sale = await startSale(
    t,
    { registration_types: [{ name: 'Seat', price: 5000, capacity: 9 }], codes: [], questions: [] },
    {
      ...{ terms: null, payment_ways: 'set_up_and_door' },
    },
  )
  const form = await sale.visitor().open(sale.formPath({ Seat: 1 }))
  sale.clock.advance(1_000)
  const review = await form
    .fill({ 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' })
    .press('Continue')
  const order = await review.press('Order with obligation to pay')
  assert.match(order.text, /You pay when you arrive/)
  await callOff(sale)
  const page = await sale.visitor().open(order.path)
  assert.match(
    page.text,
    /This event is cancelled ?Please do not pay\. If a payment arrives all the same, it goes back/,
  )
  assert.doesNotMatch(page.text, /You pay when you arrive|to be paid until|Your places are kept/)
})
