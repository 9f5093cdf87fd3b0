import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { startSale } from '#test/support/people/sale.ts'

const types = [
  { name: 'Guest', price: 0, capacity: 100 },
  { name: 'Dinner', kind: 'extra', price: 0, capacity: 3 },
  { name: 'Shirt', kind: 'extra', price: 0, capacity: 3 },
]
const questions = [
  { key: 'diet', label: 'What do you eat?', kind: 'text', asked_for: 'ticket' },
  {
    key: 'size',
    label: 'Which size?',
    kind: 'text',
    asked_for: 'ticket',
    registration_types: ['Shirt'],
    required: true,
  },
]

const start = (t: TestContext) =>
  startSale(t, { registration_types: types, questions, codes: [] }, { terms: null })

const ME = { 'Your name': 'Grace', 'Your e-mail': 'grace@example.org' }

test('an extra stands below the tickets, and whoever takes it alone is told to take a ticket as well', async t => {
  const { visitor, path } = await start(t)
  const page = await visitor().open(path)
  assert.match(page.text, /Guest[\s\S]*Extras[\s\S]*You can take these with a ticket\.[\s\S]*Dinner/)
  page.fill({ 'How many of Guest': '0', 'How many of Dinner': '2' })
  const refused = await page.press('Register')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /“Dinner” comes only with a ticket: choose a ticket as well\./)
})

test('who takes more in all than one order has is told that extras count with tickets', async t => {
  const { visitor, formPath } = await start(t)
  const refused = await visitor().open(formPath({ Guest: 18, Dinner: 3 }))
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Choose from 1 to 20, tickets and extras together\./)
  const alone = await visitor().open(formPath({ Guest: 21 }))
  assert.match(alone.text, /Choose from 1 to 20 tickets\./)
})

test('the form asks no name on an extra, and only what names it; the order lists it with a code for each', async t => {
  const { visitor, formPath, clock, db, accountId, eventId } = await start(t)
  const form = await visitor().open(formPath({ Guest: 1, Dinner: 2, Shirt: 1 }))
  assert.match(form.text, /2 × Dinner/)
  assert.doesNotMatch(form.text, /Name on the ticket/)
  const labels = [...form.document.querySelectorAll('legend, label')].map(({ textContent }) => textContent)
  assert.equal(labels.filter(text => text?.startsWith('What do you eat?')).length, 1, 'of the ticket alone')
  assert.equal(labels.filter(text => text?.startsWith('Which size?')).length, 1, 'of the shirt alone')
  clock.advance(SECOND)
  const review = await form.fill({ ...ME, 'Which size?': 'M' }).press('Continue')
  assert.equal(review.heading, 'Is this right?', review.text)
  assert.match(review.text, /Shirt\s*Which size\? ?M/)
  const order = await review.press('Register')
  assert.match(order.text, /You are in/)
  const heads = [...order.document.querySelectorAll('h2')].map(({ textContent }) => textContent)
  assert.ok(heads.includes('2 × Dinner') && heads.includes('1 × Shirt'), String(heads))
  assert.equal(heads.filter(text => text === 'Grace').length, 1, 'one ticket')
  const names = [...order.document.querySelectorAll('[role=img]')].map(each =>
    each.getAttribute('aria-label'),
  )
  assert.deepEqual(names, [
    'The code of the ticket of Grace',
    'The code for Dinner, 1 of 2',
    'The code for Dinner, 2 of 2',
    'The code for Shirt',
  ])
  const pdf = await order.follow('Tickets as PDF').catch(() => undefined)
  assert.ok(pdf === undefined || pdf.status === 200)
  const [{ id } = { id: '' }] = await db.read(accountId, tx =>
    orders.list(tx, { event_id: eventId }, { limit: 1 }),
  )
  const placed = await db.read(accountId, tx => orders.getDetails(tx, id))
  assert.deepEqual(
    placed.registrations.map(line => line.attendees.map(({ answers }) => answers)),
    [[{}], [{}, {}], [{ size: 'M' }]],
  )
})

test('an extra has no page of its own, and no waitlist, and nobody is asked whom to give it to', async t => {
  const sale = await start(t)
  const { visitor, formPath, clock, db, accountId, eventId, types: ids, path, change, pathOf } = sale
  const form = await visitor().open(formPath({ Guest: 1, Dinner: 3 }))
  clock.advance(SECOND)
  await (await form.fill(ME).press('Continue')).press('Register')
  const [{ id } = { id: '' }] = await db.read(accountId, tx =>
    orders.list(tx, { event_id: eventId }, { limit: 1 }),
  )
  const order = await db.read(accountId, tx => orders.getDetails(tx, id))
  const { cursor_secret: secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )) as { cursor_secret: string }
  const pageOf = (line: number) =>
    visitor().open(
      ticketUrl({ baseUrl: '', secret }, order, order.registrations[line]?.attendees[0]?.id as string),
    )
  assert.equal((await pageOf(0)).status, 200)
  assert.equal((await pageOf(1)).status, 404)
  await change({ give_on: true })
  const giveOf = (line: number) =>
    visitor().open(`${pathOf(order)}/give/${order.registrations[line]?.attendees[0]?.id}`)
  assert.equal((await giveOf(0)).status, 200)
  assert.equal((await giveOf(1)).status, 404)
  const page = await visitor().open(path)
  assert.match(page.text, /Dinner[\s\S]*Sold out/)
  assert.doesNotMatch(page.text, /waitlist/)
  assert.equal((await visitor().open(`${path}waitlist?type=${ids.Dinner}`)).status, 404)
})

test('whose ticket is cancelled sees what is left, and no link to the event online', async t => {
  const sale = await start(t)
  const { visitor, formPath, clock, db, accountId, eventId, change, client } = sale
  const starts_at = sale.clock() + 20 * DAY
  await change({ online_url: 'https://meet.example.org/room', starts_at, ends_at: starts_at + HOUR })
  const form = await visitor().open(formPath({ Guest: 1, Dinner: 1 }))
  clock.advance(SECOND)
  const page = await (await form.fill(ME).press('Continue')).press('Register')
  assert.match(page.text, /meet\.example\.org/)
  assert.match(page.text, /Add to calendar/)
  const [{ id } = { id: '' }] = await db.read(accountId, tx =>
    orders.list(tx, { event_id: eventId }, { limit: 1 }),
  )
  const order = await db.read(accountId, tx => orders.getDetails(tx, id))
  await db.write(accountId, tx => cancelRegistration(tx, order.registrations[0]?.id as string))
  await client.post('/check-ins', { attendee_id: id })
  const left = await visitor().open(sale.pathOf(order))
  assert.match(left.text, /Your tickets are cancelled[\s\S]*1 × Dinner/)
  assert.doesNotMatch(left.text, /meet\.example\.org|Change names|Add to calendar/)
})
