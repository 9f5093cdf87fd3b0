import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`

const file = organization({
  event: {
    registrations: [
      registration('a', { status: 'confirmed', amount_total: 5000, created_at: at(1) }),
      registration('b', { status: 'pending', amount_total: 5000, created_at: at(5) }),
      registration('c', { status: 'failed', amount_total: 5000, created_at: at(3) }),
      registration('d', {
        status: 'cancelled',
        amount_total: 0,
        created_at: at(2),
        cancelled_at: at(4),
        buyer: { name: 'Alan', email: 'Alan.T+1@Example.org' },
      }),
    ],
  },
  events: [
    {
      slug: 'other',
      title: 'Other',
      registration_types: [{ name: 'Standard', price: 5000, capacity: 9 }],
      registrations: [
        registration('e', {
          status: 'refunded',
          amount_total: 5000,
          refunded_amount: 5000,
          created_at: at(4),
          refunded_at: at(6),
          buyer: { name: 'Alan', email: 'alan.t+1@example.ORG' },
        }),
      ],
    },
  ],
})

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const server = await startWithOrganization(t, file)
  const ids = new Map(
    Object.values(server.applied.events).flatMap(event =>
      Object.entries(event.registrations).map(([reference, id]) => [id, reference] as const),
    ),
  )
  const references = async (query: string) => {
    const answer = await server.client.get(`/registrations${query}`)
    assert.equal(answer.status, 200, query)
    return answer.body.data.map((row: { id: string }) => ids.get(row.id)).join('')
  }
  return { ...server, references }
}

test('registrations are listed newest first, by their creation', async t => {
  const { references } = await start(t)
  assert.equal(await references(''), 'becda')
})

test('a listed registration is the one that is read, with its attendees', async t => {
  const server = await start(t)
  await server.client.post(
    '/registrations',
    newRegistration(server, { attendees: [{ name: 'Z' }, { name: 'A' }] }),
  )
  const { body } = await server.client.get('/registrations')
  assert.equal(body.data.length, 6)
  for (const row of body.data) {
    assert.deepEqual(row, (await server.client.get(`/registrations/${row.id}`)).body)
    assert.equal(row.attendees.length, row.quantity)
  }
  assert.deepEqual(
    body.data[0].attendees.map((ticket: { name: string }) => ticket.name),
    ['Z', 'A'],
  )
})

test('the list is filtered by event, status and e-mail, each alone and together', async t => {
  const server = await start(t)
  const other = server.applied.events.other?.id
  const queries: [string, string][] = [
    [`?event_id=${server.eventId}`, 'bcda'],
    [`?event_id=${server.eventId.toUpperCase()}`, 'bcda'],
    [`?event_id=${other}`, 'e'],
    [`?event_id=${UNKNOWN_ID}`, ''],
    ['?status=confirmed', 'a'],
    ['?status=pending', 'b'],
    ['?status=failed', 'c'],
    ['?status=cancelled', 'd'],
    ['?status=refunded', 'e'],
    ['?email=alan.t%2B1@example.org', 'ed'],
    ['?email=%20ALAN.T%2B1@EXAMPLE.ORG%20', 'ed'],
    ['?email=alan.t@example.org', ''],
    ['?email=lan.t%2B1@example.org', ''],
    ['?email=grace@example.org', 'bca'],
    ['?email=grace@example.org&status=failed', 'c'],
    [`?email=alan.t%2B1@example.org&event_id=${other}`, 'e'],
    [`?status=refunded&event_id=${server.eventId}`, ''],
    [`?status=cancelled&event_id=${server.eventId}&email=alan.t%2B1@example.org`, 'd'],
  ]
  for (const [query, expected] of queries) assert.equal(await server.references(query), expected, query)
})

test('the e-mail is that of the buyer, not of an attendee', async t => {
  const server = await start(t)
  await server.client.post(
    '/registrations',
    newRegistration(server, { attendees: [{ name: 'Ann', email: 'ann@example.org' }] }),
  )
  assert.deepEqual((await server.client.get('/registrations?email=ann@example.org')).body.data, [])
})

test('a filter with an impossible value is a 400 that names it', async t => {
  const { client } = await start(t)
  const refused: [string, string][] = [
    ['event_id=', 'event_id'],
    ['event_id=spring-meeting', 'event_id'],
    ['event_id=null', 'event_id'],
    ['status=', 'status'],
    ['status=Confirmed', 'status'],
    ['status=paid', 'status'],
    ['status=pending,failed', 'status'],
    ['email=', 'email'],
    ['email=grace', 'email'],
    ['email=a%00@example.org', 'email'],
    ['email=%ff@example.org', 'email'],
  ]
  for (const [query, param] of refused) {
    const { status, body } = await client.get(`/registrations?${query}`)
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_parameter', param], query)
  }
})

test('an account lists nothing of another, not even by the id of its event', async t => {
  const server = await start(t)
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  for (const query of ['', `?event_id=${server.eventId}`, '?email=grace@example.org', '?status=pending']) {
    const { status, body } = await stranger.get(`/registrations${query}`)
    assert.deepEqual([status, body], [200, { object: 'list', data: [], has_more: false, next_cursor: '' }])
  }
})

test('a registration of an organization file has its source, its sums and its instants', async t => {
  const { client } = await start(t)
  const { body } = await client.get('/registrations')
  const shown = body.data.map((row: Record<string, unknown>) => [
    row.status,
    row.source,
    row.amount_total,
    row.created_at,
    row.confirmed_at,
    row.cancelled_at,
  ])
  assert.deepEqual(shown, [
    ['pending', 'checkout', 5000, at(5), null, null],
    ['refunded', 'checkout', 5000, at(4), at(4), null],
    ['failed', 'checkout', 5000, at(3), null, null],
    ['cancelled', 'api', 0, at(2), at(2), at(4)],
    ['confirmed', 'checkout', 5000, at(1), at(1), null],
  ])
})
