import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { readOutbox, readSold, readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const NOW = '2026-11-21T12:00:00.000Z'

test('an import is a confirmed registration with every field, and charges nothing', async t => {
  const server = await startWithOrganization(t)
  const { client, eventId, types } = server
  const answer = await client.post(
    '/registrations',
    newRegistration(server, {
      quantity: 2,
      attendees: [{ name: 'Grace', email: 'grace@example.org', seat: 'A1' }, { name: 'Alan' }],
      answers: { diet: 'vegan' },
      language: 'es',
    }),
  )
  assert.equal(answer.status, 201)
  const { id, attendees, ...rest } = answer.body
  assert.deepEqual(rest, {
    object: 'registration',
    event_id: eventId,
    status: 'confirmed',
    registration_type_id: types.Standard,
    registration_type_name: 'Standard',
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: 2,
    amount_subtotal: 10_000,
    amount_total: 0,
    currency: 'EUR',
    answers: { diet: 'vegan' },
    source: 'api',
    created_at: NOW,
    confirmed_at: NOW,
    cancelled_at: null,
  })
  const state = { checked_in: false, checked_in_at: null, voided: false, answers: {} }
  const shown = attendees.map(({ id: _, qr_code: __, ...attendee }: Record<string, unknown>) => attendee)
  assert.deepEqual(shown, [
    { object: 'attendee', name: 'Grace', email: 'grace@example.org', seat: 'A1', ...state },
    { object: 'attendee', name: 'Alan', email: null, seat: null, ...state },
  ])
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal(
    new Set(attendees.flatMap((ticket: Record<string, unknown>) => [ticket.id, ticket.qr_code])).size,
    4,
  )
  assert.equal(await readSold(server.db, types.Standard), 2)
})

test('the answer to an import, the registration as it is read, and the event in the outbox are the same object', async t => {
  const server = await startSubscribed(t)
  const created = await server.client.post('/registrations', newRegistration(server, { quantity: 3 }))
  const read = await server.client.get(`/registrations/${created.body.id}`)
  assert.equal(read.status, 200)
  assert.deepEqual(created.body, read.body)
  const [envelope, ...others] = await readOutbox(server.db)
  assert.deepEqual(others, [])
  assert.match(envelope.id, /^evt_/)
  assert.deepEqual(envelope, {
    id: envelope.id,
    object: 'event',
    type: 'registration.created',
    created: Date.parse(NOW) / 1000,
    data: { object: read.body },
  })
})

test('a registration without attendees gives every ticket the name and e-mail of its buyer', async t => {
  const server = await startWithOrganization(t)
  const { body } = await server.client.post('/registrations', newRegistration(server, { quantity: 3 }))
  const holders = body.attendees.map((ticket: Record<string, unknown>) => [
    ticket.name,
    ticket.email,
    ticket.seat,
  ])
  assert.deepEqual(holders, Array(3).fill(['Grace', 'grace@example.org', null]))
})

test('the quantity defaults to the number of attendees, and else to 1', async t => {
  const server = await startWithOrganization(t)
  const attendees = [{ name: 'A' }, { name: 'B', email: null, seat: null }, { name: 'C' }]
  const counted = await server.client.post('/registrations', newRegistration(server, { attendees }))
  assert.deepEqual([counted.body.quantity, counted.body.attendees.length], [3, 3])
  assert.deepEqual(
    counted.body.attendees.map((ticket: { name: string }) => ticket.name),
    ['A', 'B', 'C'],
  )
  const single = await server.client.post('/registrations', newRegistration(server))
  assert.deepEqual([single.body.quantity, single.body.attendees.length], [1, 1])
  assert.deepEqual(single.body.answers, {})
  assert.equal(await readSold(server.db, server.types.Standard), 4)
})

test('the language is kept for the e-mails, and defaults to English', async t => {
  const server = await startWithOrganization(t)
  for (const language of ['es', undefined, 'en']) {
    await server.client.post('/registrations', newRegistration(server, { language }))
  }
  const rows = await server.db.read(INSTANCE, tx =>
    tx.all<{ language: string }>('SELECT language FROM registrations ORDER BY created_at, id'),
  )
  assert.deepEqual(
    rows.map(row => row.language),
    ['es', 'en', 'en'],
  )
})

test('a registration has at most a hundred tickets, and can take the last of the capacity', async t => {
  const server = await startWithOrganization(t)
  const { status, body } = await server.client.post(
    '/registrations',
    newRegistration(server, { quantity: 100 }),
  )
  assert.deepEqual([status, body.attendees.length, body.amount_subtotal], [201, 100, 500_000])
  assert.equal(await readSold(server.db, server.types.Standard), 100)
})

test('a registration past the capacity is sold out, whole, and leaves nothing behind', async t => {
  const server = await startSubscribed(t)
  await server.client.post('/registrations', newRegistration(server, { quantity: 98 }))
  const before = await readState(server.db)
  const refused = await server.client.post('/registrations', newRegistration(server, { quantity: 3 }))
  assert.equal(refused.status, 409)
  assert.equal(refused.body.error.type, 'conflict_error')
  assert.equal(refused.body.error.code, 'sold_out')
  assert.deepEqual(refused.body.error.details, { requested: 3, available: 2 })
  assert.deepEqual(await readState(server.db), before)
  assert.equal(
    (await server.client.post('/registrations', newRegistration(server, { quantity: 2 }))).status,
    201,
  )
})

test('one sold-out type leaves the other types of the event alone', async t => {
  const registration_types = [
    { name: 'Standard', price: 0, capacity: 0 },
    { name: 'Free', price: 0, capacity: 1 },
  ]
  const server = await startWithOrganization(t, organization({ event: { registration_types } }))
  const { client, types } = server
  assert.equal((await client.post('/registrations', newRegistration(server))).status, 409)
  const free = newRegistration(server, { registration_type_id: types.Free })
  assert.equal((await client.post('/registrations', free)).status, 201)
  assert.equal((await client.post('/registrations', free)).status, 409)
})

test('neither the sales window, nor an inactive type, nor a past or cancelled event prevents an import', async t => {
  const past = { starts_at: '2020-01-01T09:00:00Z', ends_at: '2020-01-02T09:00:00Z', status: 'cancelled' }
  const registration_types = [
    { name: 'Standard', price: 100, capacity: 9, active: false },
    {
      name: 'Ended',
      price: 0,
      capacity: 9,
      sales_start: '2019-01-01T00:00:00Z',
      sales_end: '2019-02-01T00:00:00Z',
    },
    { name: 'Early', price: 0, capacity: 9, sales_start: '2036-01-01T00:00:00Z' },
  ]
  const server = await startWithOrganization(t, organization({ event: { ...past, registration_types } }))
  for (const id of Object.values(server.types)) {
    const { status } = await server.client.post(
      '/registrations',
      newRegistration(server, { registration_type_id: id }),
    )
    assert.equal(status, 201)
  }
})

test('an event or a type that is not the account’s is a 404 that names the field, and leaves nothing behind', async t => {
  const file = organization({
    events: [
      { slug: 'other', title: 'Other', registration_types: [{ name: 'Standard', price: 0, capacity: 5 }] },
    ],
  })
  const server = await startSubscribed(t, file)
  const foreign = (await server.apply(organization({ email: 'bob@example.org' }))).events['spring-meeting']
  const sibling = server.applied.events.other
  const before = await readState(server.db)
  const cases: [object, string][] = [
    [{ event_id: UNKNOWN_ID }, 'event_id'],
    [{ event_id: foreign?.id }, 'event_id'],
    [{ event_id: foreign?.id, registration_type_id: foreign?.registration_types.Standard }, 'event_id'],
    [{ registration_type_id: UNKNOWN_ID }, 'registration_type_id'],
    [{ registration_type_id: foreign?.registration_types.Standard }, 'registration_type_id'],
    [{ registration_type_id: sibling?.registration_types.Standard }, 'registration_type_id'],
    [{ event_id: sibling?.id }, 'registration_type_id'],
    // The check for the type comes before that for places.
    [{ registration_type_id: UNKNOWN_ID, quantity: 100 }, 'registration_type_id'],
  ]
  const bodies = new Set<string>()
  for (const [changes, param] of cases) {
    const { status, body } = await server.client.post('/registrations', newRegistration(server, changes))
    assert.deepEqual([status, body.error.code, body.error.param], [404, 'not_found', param])
    bodies.add(JSON.stringify({ ...body.error, request_id: '' }))
  }
  assert.equal(bodies.size, 2)
  assert.deepEqual(await readState(server.db), before)
})

test('ids are taken in either case', async t => {
  const server = await startWithOrganization(t)
  const { status, body } = await server.client.post(
    '/registrations',
    newRegistration(server, {
      event_id: server.eventId.toUpperCase(),
      registration_type_id: server.types.Standard?.toUpperCase(),
    }),
  )
  assert.equal(status, 201)
  assert.deepEqual([body.event_id, body.registration_type_id], [server.eventId, server.types.Standard])
})
