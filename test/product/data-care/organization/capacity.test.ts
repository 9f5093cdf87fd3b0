import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { everything } from './everything.ts'
import { assertEmpty, open } from './open.ts'

test('a registration takes capacity by its state, and gets tickets that are void where it is over', async t => {
  const { apply, db } = await open(t)
  const { account_id: accountId, events } = await apply(everything())
  const event = events['spring-meeting']
  const types = await db.read(INSTANCE, tx =>
    tx.all('SELECT name, sold FROM registration_types ORDER BY name'),
  )
  assert.deepEqual(types, [
    { name: 'Dinner', sold: 0 },
    { name: 'Standard', sold: 3 },
    { name: '__proto__', sold: 0 },
  ])
  const tickets: Record<string, string> = {}
  for (const [reference, id] of Object.entries(event?.registrations ?? {})) {
    const { attendees } = await db.read(accountId, tx => registrations.get(tx, id))
    tickets[`of ${reference}`] = attendees
      .map(({ voided, checked_in }) => `${voided} ${checked_in}`)
      .join(', ')
  }
  assert.deepEqual(tickets, {
    'of confirmed': 'false true, false false',
    'of __proto__': 'false false',
    'of failed': 'true false',
    'of refunded in part': 'true true',
    'of cancelled': 'true false, true false, true false',
    'of given up': 'true false',
  })
  const checkIns = await db.read(INSTANCE, tx =>
    tx.all('SELECT source, created_at FROM check_ins ORDER BY created_at'),
  )
  assert.deepEqual(checkIns, [
    { source: 'scanner', created_at: Date.parse('2026-11-21T08:00:00Z') },
    { source: 'scanner', created_at: Date.parse('2026-11-21T08:30:00Z') },
  ])
})

test('a file that oversells a type is refused whole, and names the type', async t => {
  const server = await open(t)
  const file = organization({
    events: [
      {
        slug: 'small',
        title: 'Small',
        registration_types: [{ name: 'Seat', price: 0, capacity: 2 }],
        registrations: [
          registration('one', { registration_type: 'Seat', quantity: 2 }),
          registration('void', { registration_type: 'Seat', quantity: 5, status: 'cancelled' }),
          registration('two', { registration_type: 'Seat', status: 'pending' }),
        ],
      },
    ],
  })
  await assert.rejects(server.apply(file), {
    code: 'invalid_parameter',
    param: 'events.1.registration_types.0.capacity',
    message:
      'events.1.registration_types.0.capacity is too small: "Seat" has a capacity of 2, and the file brings 3 tickets.',
  })
  await assertEmpty(server)
})

test('a capacity below what is sold is refused, and stays as it was', async t => {
  const { apply, db } = await open(t)
  const type = { name: 'Standard', price: 0, capacity: 3 }
  const file = (capacity: number, title: string) =>
    organization({
      event: {
        title,
        registration_types: [{ ...type, capacity }],
        registrations: [registration('three', { quantity: 3 })],
      },
    })
  await apply(file(3, 'Before'))
  await assert.rejects(apply(file(2, 'After')), { param: 'events.0.registration_types.0.capacity' })
  const row = await db.read(INSTANCE, tx =>
    tx.one('SELECT e.title, t.capacity, t.sold FROM registration_types t JOIN events e ON e.id = t.event_id'),
  )
  assert.deepEqual(row, { title: 'Before', capacity: 3, sold: 3 })
})

test('a file may bring registrations to a type that only the database knows, as far as there is room', async t => {
  const { apply, count } = await open(t)
  await apply(organization({ event: { registration_types: [{ name: 'Standard', price: 10, capacity: 1 }] } }))
  const more = (...references: string[]) =>
    organization({
      event: { registration_types: [], registrations: references.map(name => registration(name)) },
    })
  await assert.rejects(apply(more('one', 'two')), { param: 'events.0.registrations' })
  assert.equal(await count('registrations'), 0)
  assert.equal((await apply(more('one'))).created, 1)
  await assert.rejects(
    apply(organization({ event: { registrations: [registration('x', { registration_type: 'Nope' })] } })),
    { param: 'events.0.registrations.0.registration_type' },
  )
})

test('the currency of an event is fixed once it has registrations', async t => {
  const { apply } = await open(t)
  const file = (currency: string, registrations: object[]) =>
    organization({ event: { currency, registrations } })
  await apply(file('EUR', []))
  assert.equal((await apply(file('USD', [registration('one')]))).updated, 1)
  await assert.rejects(apply(file('EUR', [])), { param: 'events.0.currency' })
})
