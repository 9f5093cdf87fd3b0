import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOutbox, readSold, readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const LATER = '2026-11-21T13:00:00.000Z'
const BEFORE = '2026-11-01T10:00:00.000Z'

/** A registration in each state that an organization file can bring. */
const history = {
  pending: { status: 'pending', amount_total: 15_000, quantity: 3 },
  failed: { status: 'failed', amount_total: 5000 },
  refunded: { status: 'refunded', amount_total: 5000, refunded_at: BEFORE, refunded_amount: 5000 },
  cancelled: { status: 'cancelled', amount_total: 0, cancelled_at: BEFORE },
  paid: { status: 'confirmed', amount_total: 5000 },
  free: { status: 'confirmed', amount_total: 0, quantity: 2 },
}

async function startWithHistory(t: Parameters<typeof startWithOrganization>[0]) {
  const registrations = Object.entries(history).map(([reference, changes]) =>
    registration(reference, { created_at: BEFORE, ...changes }),
  )
  const server = await startSubscribed(t, organization({ event: { registrations } }))
  const ids = server.applied.events['spring-meeting']?.registrations as Record<keyof typeof history, string>
  server.clock.set(LATER)
  return { ...server, ids }
}

test('a cancel voids the tickets, gives the capacity back and answers with the registration as it is read afterwards', async t => {
  const server = await startWithOrganization(t)
  const { client } = server
  const created = await client.post('/registrations', newRegistration(server, { quantity: 3 }))
  const kept = await client.post('/registrations', newRegistration(server))
  server.clock.set(LATER)
  const answer = await client.post(`/registrations/${created.body.id}/cancel`)
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    ...created.body,
    status: 'cancelled',
    cancelled_at: LATER,
    attendees: created.body.attendees.map((ticket: object) => ({ ...ticket, voided: true })),
  })
  assert.deepEqual((await client.get(`/registrations/${created.body.id}`)).body, answer.body)
  assert.deepEqual((await client.get(`/registrations/${kept.body.id}`)).body, kept.body)
  assert.equal(await readSold(server.db, server.types.Standard), 1)
})

test('a cancel writes its webhook event, with the registration as it is read', async t => {
  const server = await startWithHistory(t)
  await server.client.post(`/registrations/${server.ids.free}/cancel`)
  const read = await server.client.get(`/registrations/${server.ids.free}`)
  const outbox = await readOutbox(server.db)
  assert.deepEqual(
    outbox.map(({ type, created, data }) => ({ type, created, data })),
    [{ type: 'registration.cancelled', created: Date.parse(LATER) / 1000, data: { object: read.body } }],
  )
})

test('a pending registration may be cancelled, whatever its checkout would have cost', async t => {
  const server = await startWithHistory(t)
  const before = (await readSold(server.db, server.types.Standard)) as number
  const { status, body } = await server.client.post(`/registrations/${server.ids.pending}/cancel`)
  assert.deepEqual(
    [status, body.status, body.confirmed_at, body.cancelled_at],
    [200, 'cancelled', null, LATER],
  )
  assert.equal(await readSold(server.db, server.types.Standard), before - 3)
})

test('a registration that cannot be cancelled is a 409 with its reason, and stays as it is', async t => {
  const server = await startWithHistory(t)
  const before = await readState(server.db)
  const cases = [
    ['paid', 'refund_required'],
    ['cancelled', 'already_cancelled'],
    ['failed', 'not_cancellable'],
    ['refunded', 'not_cancellable'],
  ] as const
  for (const [name, code] of cases) {
    const read = await server.client.get(`/registrations/${server.ids[name]}`)
    const refused = await server.client.post(`/registrations/${server.ids[name]}/cancel`)
    assert.equal(refused.status, 409)
    assert.deepEqual([refused.body.error.type, refused.body.error.code], ['conflict_error', code])
    assert.deepEqual((await server.client.get(`/registrations/${server.ids[name]}`)).body, read.body)
  }
  assert.deepEqual(await readState(server.db), before)
})

test('a second cancel is refused with the instant of the first, and gives no capacity back twice', async t => {
  const server = await startWithHistory(t)
  const path = `/registrations/${server.ids.free}/cancel`
  await server.client.post(path)
  const before = await readState(server.db)
  server.clock.advance(60_000)
  const again = await server.client.post(path)
  assert.deepEqual([again.status, again.body.error.code], [409, 'already_cancelled'])
  assert.deepEqual(again.body.error.details, { cancelled_at: LATER })
  assert.deepEqual(await readState(server.db), before)
})

test('checked-in tickets do not prevent a cancel, and stay checked in', async t => {
  const server = await startWithOrganization(t)
  const { client } = server
  const { body } = await client.post('/registrations', newRegistration(server, { quantity: 2 }))
  const checkIn = await client.post('/check-ins', { attendee_id: body.attendees[0].id })
  assert.equal(checkIn.status, 201)
  const cancelled = await client.post(`/registrations/${body.id}/cancel`)
  assert.equal(cancelled.status, 200)
  const states = cancelled.body.attendees.map((ticket: Record<string, unknown>) => [
    ticket.checked_in,
    ticket.checked_in_at,
    ticket.voided,
  ])
  assert.deepEqual(states, [
    [true, checkIn.body.checked_in_at, true],
    [false, null, true],
  ])
  const { body: listed } = await client.get('/check-ins')
  assert.deepEqual(listed.data, [{ ...checkIn.body, attendee: { ...checkIn.body.attendee, voided: true } }])
})

test('a cancel takes no body or an empty object, and nothing else', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const create = async () => (await client.post('/registrations', newRegistration(server))).body.id as string
  const id = await create()
  const before = await readState(server.db)
  const refused: [unknown, string][] = [
    [{ reason: 'ill' }, 'unknown_parameter'],
    ['{"__proto__":{}}', 'unknown_parameter'],
    ['[]', 'invalid_parameter'],
    ['[1]', 'invalid_parameter'],
    ['null', 'invalid_parameter'],
    ['"{}"', 'invalid_parameter'],
    ['0', 'invalid_parameter'],
    ['{', 'malformed_json'],
    [' ', 'malformed_json'],
  ]
  for (const [body, code] of refused) {
    const answer = await client.post(`/registrations/${id}/cancel`, body)
    assert.deepEqual([answer.status, answer.body.error.code], [400, code], String(body))
  }
  assert.deepEqual(await readState(server.db), before)
  assert.equal((await client.post(`/registrations/${id}/cancel`)).status, 200)
  assert.equal((await client.post(`/registrations/${await create()}/cancel`, {})).status, 200)
  assert.equal((await client.post(`/registrations/${await create()}/cancel`, ' {\n} ')).status, 200)
  const empty = { headers: { 'content-type': 'text/plain', 'content-length': '0' } }
  assert.equal(
    (await client.send('POST', `/registrations/${await create()}/cancel?surprise=1`, empty)).status,
    200,
  )
})

test('a registration of another account is the same 404 as an unknown one, to read and to cancel', async t => {
  const server = await startWithHistory(t)
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  const before = await readState(server.db)
  for (const [method, suffix] of [
    ['GET', ''],
    ['POST', '/cancel'],
  ] as const) {
    const unknown = await stranger.send(method, `/registrations/${UNKNOWN_ID}${suffix}`)
    assert.equal(unknown.status, 404)
    for (const id of [server.ids.free, server.ids.cancelled, server.ids.paid, 'no-uuid']) {
      const answer = await stranger.send(method, `/registrations/${id}${suffix}`)
      assert.equal(answer.status, 404)
      assert.equal(withoutRequestId(answer), withoutRequestId(unknown))
    }
  }
  assert.deepEqual(await readState(server.db), before)
})
