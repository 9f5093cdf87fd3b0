import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '#test/support/organization.ts'
import { UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('an event has every field of the specification, and its instants are UTC with milliseconds', async t => {
  const file = organization({ event: { starts_at: '2026-11-21T10:00:00+01:00' } })
  const { client, eventId } = await startWithOrganization(t, file)
  const answer = await client.get(`/events/${eventId}`)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    id: eventId,
    object: 'event',
    slug: 'spring-meeting',
    title: 'Spring Meeting',
    starts_at: '2026-11-21T09:00:00.000Z',
    ends_at: '2026-11-22T18:00:00.000Z',
    venue: 'Main Hall',
    city: 'Madrid',
    currency: 'EUR',
    status: 'published',
    visibility: 'public',
    requires_approval: false,
    created_at: '2026-11-21T12:00:00.000Z',
  })
})

test('a field that the organizer left open is null, and flags are booleans', async t => {
  const left = { starts_at: null, ends_at: null, venue: null, city: null, visibility: null }
  const { client, eventId } = await startWithOrganization(
    t,
    organization({ event: { ...left, status: 'draft', requires_approval: true } }),
  )
  const { body } = await client.get(`/events/${eventId}`)
  const { starts_at, ends_at, venue, city, visibility, status, requires_approval } = body
  assert.deepEqual({ starts_at, ends_at, venue, city, visibility }, left)
  assert.deepEqual([status, requires_approval], ['draft', true])
})

test('an id in upper case names the same event', async t => {
  const { client, eventId } = await startWithOrganization(t)
  const answer = await client.get(`/events/${eventId.toUpperCase()}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.body.id, eventId)
})

test('an unknown id, one that is no UUID and one of another account are the same 404, byte for byte', async t => {
  const server = await startWithOrganization(t)
  const other = await server.apply(organization({ email: 'bob@example.org' }))
  const foreign = other.events['spring-meeting']?.id as string
  const encoded = `%${server.eventId.charCodeAt(0).toString(16)}${server.eventId.slice(1)}`
  const stranger = await server.clientOf(other.account_id)
  assert.equal((await stranger.get(`/events/${foreign}`)).status, 200)
  for (const suffix of ['', '/registration-types']) {
    const unknown = await server.client.get(`/events/${UNKNOWN_ID}${suffix}`)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.body.error.code, 'not_found')
    const noIds = [
      '1',
      'null',
      `${server.eventId}x`,
      '%00',
      'a%2Fb',
      '%F0%9F%98%80',
      '%',
      '%zz',
      '%E0%A4%A',
      "'--",
      '..%2f..',
    ]
    for (const id of [foreign, encoded, ...noIds]) {
      const answer = await server.client.get(`/events/${id}${suffix}`)
      assert.equal(answer.status, 404, id)
      assert.equal(withoutRequestId(answer), withoutRequestId(unknown), id)
    }
  }
})

test('an account lists its own events, newest first', async t => {
  const file = organization({
    events: [
      { slug: 'second', title: 'Second', registration_types: [] },
      { slug: 'third', title: 'Third', registration_types: [] },
    ],
  })
  const server = await startWithOrganization(t, file)
  await server.apply(organization({ email: 'bob@example.org', event: { title: 'Not yours' } }))
  server.clock.advance(1000)
  await server.apply({ ...file, events: [...file.events, { slug: 'fourth', title: 'Fourth' }] })
  const { status, body } = await server.client.get('/events')
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map((event: { slug: string }) => event.slug),
    ['fourth', 'third', 'second', 'spring-meeting'],
  )
  assert.deepEqual({ ...body, data: [] }, { object: 'list', data: [], has_more: false, next_cursor: '' })
  assert.deepEqual(body.data.at(-1), (await server.client.get(`/events/${server.eventId}`)).body)
})

test('an account without events lists none', async t => {
  const server = await startWithOrganization(t)
  const { account_id } = await server.apply({
    account: { ...organization().account, email: 'new@example.org' },
  })
  const { body } = await (await server.clientOf(account_id)).get('/events')
  assert.deepEqual(body, { object: 'list', data: [], has_more: false, next_cursor: '' })
})
