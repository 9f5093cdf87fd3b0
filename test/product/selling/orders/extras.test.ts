import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Problem } from '#base/problem.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { validExtras, validTickets } from '#product/selling/orders/documents.ts'
import { rename } from '#product/selling/orders/names.ts'
import { hasTicket } from '#product/selling/orders/schemas.ts'
import { openShop } from '#test/support/payments.ts'

const TYPES = [
  { name: 'Standard', price: 5000, capacity: 10, tax_basis_points: 1900 },
  { name: 'Free', price: 0, capacity: 10 },
  { name: 'Dinner', kind: 'extra', price: 3000, capacity: 3, tax_basis_points: 700 },
  { name: 'Shirt', kind: 'extra', price: 0, capacity: 5 },
  { name: 'Donation', kind: 'extra', price: 0, capacity: 100, open_price: true },
]

const start = (t: TestContext) =>
  openShop(t, { event: { registration_types: TYPES, codes: [{ code: 'HALF', percent: 50 }] } })

test('an extra is a line of the order beside the tickets: price, tax, capacity, code and receipt are as of any', async t => {
  const shop = await start(t)
  const order = await shop.buy(
    { Standard: 1, Dinner: 2, Donation: 1 },
    { code: 'half', given: { Donation: 1500 } },
  )
  assert.equal(order.amount_total, 2500 + 2 * 1500 + 1500)
  const lines = order.registrations.map(({ registration_type_name, quantity, status }) => [
    registration_type_name,
    quantity,
    status,
  ])
  assert.deepEqual(lines, [
    ['Standard', 1, 'confirmed'],
    ['Dinner', 2, 'confirmed'],
    ['Donation', 1, 'confirmed'],
  ])
  assert.deepEqual(await shop.sold(), { Standard: 1, Free: 0, Dinner: 2, Shirt: 0, Donation: 1 })
  const dinner = order.registrations[1]?.attendees ?? []
  assert.deepEqual(
    dinner.map(({ name, email }) => [name, email]),
    [
      ['Ada', null],
      ['Ada', null],
    ],
    'an extra is the buyer’s',
  )
  assert.deepEqual(order.prices.get(dinner[0]?.id ?? ''), {
    ...{ price: 3000, discount: 1500, tax: 98, tax_basis_points: 700 },
  })
  assert.deepEqual(await shop.damage(), [])
})

for (const wanted of [{ Dinner: 1 }, { Donation: 1 }, { Shirt: 2, Dinner: 1 }]) {
  test(`${Object.keys(wanted).join(' and ')} without a ticket is refused, and leaves nothing behind`, async t => {
    const shop = await start(t)
    await assert.rejects(shop.order(wanted), (problem: Problem) => problem.code === 'ticket_needed')
    assert.deepEqual(Object.values(await shop.sold()), [0, 0, 0, 0, 0])
    assert.deepEqual(await shop.mails(), [])
  })
}

test('an extra that is sold out refuses the whole order', async t => {
  const shop = await start(t)
  await assert.rejects(
    shop.order({ Standard: 1, Dinner: 4 }),
    (problem: Problem) => problem.code === 'sold_out' && problem.details?.name === 'Dinner',
  )
  assert.equal((await shop.sold()).Standard, 0)
})

test('the ticket cancelled, the extra stays: its places, its money and its code, and the order stands with it alone', async t => {
  const shop = await start(t)
  const { id, registrations: lines } = await shop.buy({ Free: 1, Dinner: 1 })
  await shop.db.write(shop.accountId, tx => cancelRegistration(tx, lines[0]?.id as string))
  const order = await shop.get(id)
  assert.deepEqual(
    order.registrations.map(({ status }) => status),
    ['cancelled', 'confirmed'],
  )
  assert.deepEqual([order.status, hasTicket(order)], ['confirmed', false])
  assert.deepEqual(await shop.sold(), { Standard: 0, Free: 0, Dinner: 1, Shirt: 0, Donation: 0 })
  const types = await shop.db.read(shop.accountId, tx => registrationTypes.listDetails(tx, shop.eventId))
  assert.deepEqual([validTickets(order, types).length, validExtras(order, types).length], [0, 1])
  assert.deepEqual(await shop.damage(), [])
  await shop.db
    .write(shop.accountId, tx => cancelRegistration(tx, lines[1]?.id as string))
    .catch(() => undefined)
  assert.deepEqual(await shop.damage(), [])
})

test('an order that nobody pays gives back its extras with its tickets', async t => {
  const shop = await start(t)
  await shop.order({ Standard: 1, Dinner: 2 })
  shop.clock.advance(2 * 60 * 60 * 1000)
  await shop.reconciler.settle()
  const { orderExpiry } = await import('#product/selling/orders/expiry.ts')
  const { openLog } = await import('#base/log.ts')
  const log = openLog('silent', { write: () => undefined })
  await orderExpiry({ db: shop.db, clock: shop.clock, log }).look()
  await shop.reconciler.settle()
  assert.deepEqual(Object.values(await shop.sold()), [0, 0, 0, 0, 0])
})

test('nobody is named on an extra', async t => {
  const shop = await start(t)
  const order = await shop.order({ Free: 1, Shirt: 1 })
  const { registrations: lines, event } = await shop.get(order.id)
  const shirt = lines[1]?.attendees[0]?.id as string
  const holders = [{ id: shirt, name: 'Bob', email: 'bob@example.org' }]
  await assert.rejects(
    shop.db.write(shop.accountId, tx => rename(tx, order.id, event, holders)),
    (problem: Problem) => problem.code === 'not_found',
  )
})

test('what somebody has bought stays a ticket or an extra; before that it may change', async t => {
  const shop = await start(t)
  const change = (name: string, kind: 'ticket' | 'extra') =>
    shop.db.write(shop.accountId, tx =>
      registrationTypes.update(tx, shop.eventId, shop.types[name] as string, { kind }),
    )
  await shop.buy({ Free: 1, Dinner: 1 })
  for (const [name, kind] of [
    ['Free', 'extra'],
    ['Dinner', 'ticket'],
  ] as const)
    await assert.rejects(change(name, kind), (problem: Problem) => problem.code === 'in_use')
  assert.equal((await change('Standard', 'extra')).kind, 'extra')
})

test('the API shows an extra as any registration, with its attendees', async t => {
  const shop = await start(t)
  const order = await shop.buy({ Free: 1, Dinner: 2 })
  const dinner = await shop.db.read(shop.accountId, tx =>
    registrations.get(tx, order.registrations[1]?.id as string),
  )
  assert.deepEqual([dinner.quantity, dinner.attendees.length, dinner.amount_total], [2, 2, 6000])
  assert.ok(!('kind' in dinner))
})
