import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('the registration types of an event come all at once, with every field', async t => {
  const window = { sales_start: '2026-10-01T00:00:00.000Z', sales_end: '2026-11-01T00:00:00.000Z' }
  const { client, eventId, types } = await startWithOrganization(
    t,
    organization({
      event: {
        currency: 'USD',
        registration_types: [
          { name: 'Standard', description: 'With lunch', price: 5000, capacity: 300, ...window },
          { name: 'Closed', price: 0, capacity: 0, active: false },
        ],
      },
    }),
  )
  const answer = await client.get(`/events/${eventId}/registration-types`)
  assert.equal(answer.status, 200)
  const common = { object: 'registration_type', event_id: eventId, currency: 'USD', sold: 0 }
  assert.deepEqual(answer.body, {
    object: 'list',
    data: [
      {
        ...common,
        id: types.Standard,
        name: 'Standard',
        description: 'With lunch',
        price: 5000,
        capacity: 300,
        available: 300,
        active: true,
        ...window,
      },
      {
        ...common,
        id: types.Closed,
        name: 'Closed',
        description: null,
        price: 0,
        capacity: 0,
        available: 0,
        active: false,
        sales_start: null,
        sales_end: null,
      },
    ],
    has_more: false,
    next_cursor: '',
  })
})

test('types come newest first, and those of one instant in the order of the file', async t => {
  const { client, eventId, apply, clock } = await startWithOrganization(t, organization())
  const type = (name: string) => ({ name, price: 0, capacity: 1 })
  const names = async () =>
    (await client.get(`/events/${eventId}/registration-types`)).body.data.map(
      ({ name }: { name: string }) => name,
    )
  assert.deepEqual(await names(), ['Standard', 'Free'])
  clock.advance(1)
  await apply(organization({ event: { registration_types: ['C', 'A', 'B'].map(type) } }))
  assert.deepEqual(await names(), ['C', 'A', 'B', 'Standard', 'Free'])
})

test('more types than a page has come at once too', async t => {
  const registration_types = Array.from({ length: 120 }, (_, at) => ({
    name: `Type ${at}`,
    price: 0,
    capacity: 1,
  }))
  const { client, eventId } = await startWithOrganization(t, organization({ event: { registration_types } }))
  const { body } = await client.get(`/events/${eventId}/registration-types`)
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    registration_types.map(({ name }) => name),
  )
  assert.equal(body.has_more, false)
})

test('query parameters are ignored, for the row of the specification has no 400', async t => {
  const { client, eventId } = await startWithOrganization(t)
  for (const path of [`/events/${eventId}`, `/events/${eventId}/registration-types`]) {
    const plain = await client.get(path)
    for (const query of ['limit=0', 'limit=1&limit=2', 'starting_after=', 'surprise=1', '%zz=%']) {
      const answer = await client.get(`${path}?${query}`)
      assert.equal(answer.status, 200, query)
      assert.deepEqual(answer.body, plain.body, query)
    }
  }
})

test('sold counts the tickets of pending and confirmed registrations, and no others', async t => {
  const at = '2026-11-01T10:00:00.000Z'
  const tickets = (quantity: number, status: string, changes: object = {}) =>
    registration(status, { status, quantity, amount_total: 0, created_at: at, ...changes })
  const server = await startWithOrganization(
    t,
    organization({
      event: {
        registrations: [
          tickets(1, 'pending'),
          tickets(2, 'confirmed'),
          tickets(4, 'failed'),
          tickets(8, 'cancelled', { cancelled_at: at }),
          tickets(16, 'refunded', { amount_total: 80_000, refunded_at: at, refunded_amount: 80_000 }),
        ],
      },
    }),
  )
  const read = async () => {
    const { body } = await server.client.get(`/events/${server.eventId}/registration-types`)
    const type = body.data.find((row: { name: string }) => row.name === 'Standard')
    return [type.capacity, type.sold, type.available]
  }
  assert.deepEqual(await read(), [100, 3, 97])
  const created = await server.client.post('/registrations', newRegistration(server, { quantity: 5 }))
  assert.deepEqual(await read(), [100, 8, 92])
  await server.client.post(`/registrations/${created.body.id}/cancel`)
  assert.deepEqual(await read(), [100, 3, 97])
})
