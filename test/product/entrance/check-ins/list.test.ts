import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const early = '2026-11-21T08:00:00.000Z'
const file = organization({
  event: {
    registrations: [
      registration('scanned', {
        status: 'confirmed',
        created_at: '2026-11-01T10:00:00.000Z',
        quantity: 2,
        attendees: [
          { name: 'Grace', email: 'grace@example.org', seat: 'A1', checked_in_at: early },
          { name: 'Alan', email: null, seat: null, checked_in_at: null },
        ],
      }),
    ],
  },
  events: [
    { slug: 'other', title: 'Other', registration_types: [{ name: 'Standard', price: 0, capacity: 9 }] },
  ],
})

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const server = await startWithOrganization(t, file)
  const other = server.applied.events.other as { id: string; registration_types: Record<string, string> }
  const elsewhere = { eventId: other.id, types: other.registration_types }
  for (const event of [server, elsewhere]) {
    server.clock.advance(1000)
    const { body } = await server.client.post('/registrations', newRegistration(event))
    await server.client.post('/check-ins', { attendee_id: body.attendees[0].id })
  }
  return { ...server, otherId: other.id }
}

test('check-ins are listed newest first, and those of an organization file have the source scanner', async t => {
  const { client, eventId, otherId } = await start(t)
  const { status, body } = await client.get('/check-ins')
  assert.equal(status, 200)
  const shown = body.data.map((row: Record<string, unknown>) => [row.event_id, row.source, row.checked_in_at])
  assert.deepEqual(shown, [
    [otherId, 'api', '2026-11-21T12:00:02.000Z'],
    [eventId, 'api', '2026-11-21T12:00:01.000Z'],
    [eventId, 'scanner', early],
  ])
})

test('a check-in carries its attendee without the code', async t => {
  const { client } = await start(t)
  const answer = await client.get('/check-ins')
  assert.ok(!answer.text.includes('qr_code') && !answer.text.includes('SVC1.'))
  const { attendee, attendee_id } = answer.body.data.at(-1)
  assert.deepEqual(attendee, {
    id: attendee_id,
    object: 'attendee',
    name: 'Grace',
    email: 'grace@example.org',
    seat: 'A1',
    checked_in: true,
    checked_in_at: early,
    voided: false,
  })
})

test('a ticket that an organization file imported as checked in is not admitted again', async t => {
  const { client } = await start(t)
  const { body } = await client.get('/check-ins')
  const again = await client.post('/check-ins', { attendee_id: body.data.at(-1).attendee_id })
  assert.deepEqual([again.status, again.body.error.details], [409, { checked_in_at: early }])
  assert.equal((await client.get('/check-ins')).body.data.length, 3)
})

test('the list is filtered by event, and is empty for an event of another account', async t => {
  const server = await start(t)
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  const count = async (query: string, client = server.client) => {
    const { status, body } = await client.get(`/check-ins${query}`)
    assert.equal(status, 200)
    return body.data.length
  }
  assert.equal(await count(`?event_id=${server.eventId}`), 2)
  assert.equal(await count(`?event_id=${server.otherId.toUpperCase()}`), 1)
  assert.equal(await count(`?event_id=${UNKNOWN_ID}`), 0)
  assert.equal(await count('', stranger), 0)
  assert.equal(await count(`?event_id=${server.eventId}`, stranger), 0)
})

test('an event id that is no UUID is a 400', async t => {
  const { client } = await start(t)
  for (const query of ['event_id=', 'event_id=1', 'event_id=%00']) {
    const { status, body } = await client.get(`/check-ins?${query}`)
    assert.deepEqual(
      [status, body.error.code, body.error.param],
      [400, 'invalid_parameter', 'event_id'],
      query,
    )
  }
})
