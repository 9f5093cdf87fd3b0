import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })

const paid = registration('paid', {
  status: 'confirmed',
  amount_total: 5000,
  created_at: '2026-11-01T10:00:00.000Z',
})
const withPaid = organization({ event: { registrations: [paid] } })

test('a retry with the same key gets the same bytes, marked as replayed, and nothing is done twice', async t => {
  const server = await startSubscribed(t)
  const { client, clock } = server
  const created = await client.post('/registrations', newRegistration(server), keyed('import'))
  const checkIn = await client.post(
    '/check-ins',
    { attendee_id: created.body.attendees[0].id },
    keyed('door'),
  )
  const cancelled = await client.post(`/registrations/${created.body.id}/cancel`, undefined, keyed('cancel'))
  const before = await readState(server.db)
  clock.advance(3_600_000)
  const retries = [
    [created, await client.post('/registrations', newRegistration(server), keyed('import'))],
    [checkIn, await client.post('/check-ins', { attendee_id: created.body.attendees[0].id }, keyed('door'))],
    [cancelled, await client.post(`/registrations/${created.body.id}/cancel`, undefined, keyed('cancel'))],
  ] as const
  for (const [first, again] of retries) {
    assert.equal(first.headers['idempotent-replayed'], undefined)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    assert.equal(again.headers['content-type'], first.headers['content-type'])
    assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id'])
  }
  assert.deepEqual(await readState(server.db), before)
})

test('the same body without a key, or with another, is another registration', async t => {
  const server = await startWithOrganization(t)
  const options = [keyed('a'), keyed('A'), keyed('b'), {}, {}]
  for (const option of options) {
    const { status, headers } = await server.client.post('/registrations', newRegistration(server), option)
    assert.deepEqual([status, headers['idempotent-replayed']], [201, undefined])
  }
  assert.equal((await server.client.get('/registrations')).body.data.length, options.length)
})

test('a refusal that was decided in the transaction is replayed, though it would succeed by now', async t => {
  const server = await startSubscribed(t, withPaid)
  const { client, db, applied } = server
  const { body: full } = await client.post('/registrations', newRegistration(server, { quantity: 99 }))
  const ticket = full.attendees[0]
  server.clock.set('2027-01-01T00:00:00Z')
  const paidId = applied.events['spring-meeting']?.registrations.paid
  const requests: [path: string, body: unknown, status: number, code: string][] = [
    ['/registrations', newRegistration(server), 409, 'sold_out'],
    ['/registrations', newRegistration(server, { event_id: UNKNOWN_ID }), 404, 'not_found'],
    [`/registrations/${paidId}/cancel`, {}, 409, 'refund_required'],
    [`/registrations/${UNKNOWN_ID}/cancel`, undefined, 404, 'not_found'],
    ['/check-ins', { attendee_id: ticket.id }, 422, 'not_valid_today'],
    ['/check-ins', { qr_code: 'forged' }, 422, 'invalid_qr_code'],
    ['/check-ins', { attendee_id: UNKNOWN_ID }, 404, 'not_found'],
  ]
  const first = []
  for (const [at, [path, body, status, code]] of requests.entries()) {
    const answer = await client.post(path, body, keyed(`key-${at}`))
    assert.deepEqual([answer.status, answer.body.error.code], [status, code])
    first.push(answer)
  }
  await db.write(INSTANCE, async tx => {
    await tx.run('UPDATE registration_types SET capacity = 1000')
    await tx.run("UPDATE registrations SET amount_total = 0 WHERE reference = 'paid'")
  })
  server.clock.set('2027-01-01T12:00:00Z')
  const before = await readState(db)
  for (const [at, [path, body]] of requests.entries()) {
    const again = await client.post(path, body, keyed(`key-${at}`))
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([again.status, again.text], [first[at]?.status, first[at]?.text])
    assert.equal(again.body.error.request_id, first[at]?.headers['x-request-id'])
    assert.notEqual(again.headers['x-request-id'], first[at]?.headers['x-request-id'])
  }
  assert.deepEqual(await readState(db), before)
  assert.equal((await client.post(`/registrations/${paidId}/cancel`, {}, keyed('new'))).status, 200)
})

test('a refusal before the write is not kept: the same key serves the request once it is right', async t => {
  const server = await startSubscribed(t)
  const { account_id } = server.applied
  const limited = await server.clientOf(account_id, { rateLimit: 1 })
  const reader = await server.clientOf(account_id, { scopes: ['registrations:read'] })
  await limited.get('/events')
  const good = newRegistration(server)
  const refused: [status: number, send: (key: string) => Promise<{ status: number }>][] = [
    [400, key => server.client.post('/registrations', { ...good, quantity: 0 }, keyed(key))],
    [400, key => server.client.post('/registrations', '{', keyed(key))],
    [400, key => server.client.post('/registrations', { ...good, quantiy: 5 }, keyed(key))],
    [401, key => server.anonymous.post('/registrations', good, keyed(key))],
    [403, key => reader.post('/registrations', good, keyed(key))],
    [413, key => server.client.post('/registrations', ' '.repeat(1024 * 1024 + 1), keyed(key))],
    [
      415,
      key =>
        server.client.post('/registrations', good, {
          headers: { 'idempotency-key': key, 'content-type': 'text/plain' },
        }),
    ],
    [429, key => limited.post('/registrations', good, keyed(key))],
  ]
  for (const [at, [status, send]] of refused.entries()) {
    assert.equal((await send(`key-${at}`)).status, status)
    assert.deepEqual((await readState(server.db)).keptAnswers.length, at)
    const { status: then, headers } = await server.client.post('/registrations', good, keyed(`key-${at}`))
    assert.deepEqual([then, headers['idempotent-replayed']], [201, undefined], String(status))
  }
})

test('a key that comes with another body, path or method of the path is a 422, and changes nothing', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const body = newRegistration(server)
  const first = await client.post('/registrations', body, keyed('once'))
  const other = await client.post('/registrations', body)
  const before = await readState(server.db)
  const { id } = first.body
  const requests: [path: string, body: unknown][] = [
    ['/registrations', { ...body, quantity: 1 }],
    ['/registrations', `${JSON.stringify(body)} `],
    ['/registrations', Object.fromEntries(Object.entries(body).reverse())],
    ['/registrations', { ...body, event_id: UNKNOWN_ID }],
    [`/registrations/${id}/cancel`, undefined],
    [`/registrations/${other.body.id}/cancel`, {}],
    ['/check-ins', { attendee_id: first.body.attendees[0].id }],
  ]
  for (const [path, changed] of requests) {
    const answer = await client.post(path, changed, keyed('once'))
    const { type, code } = answer.body.error
    assert.deepEqual([answer.status, type, code], [422, 'idempotency_error', 'idempotency_key_reused'], path)
    assert.equal(answer.headers['idempotent-replayed'], undefined)
  }
  assert.deepEqual(await readState(server.db), before)
  assert.equal((await client.post('/registrations', body, keyed('once'))).text, first.text)
})

test('the path is part of the request: the same nothing, sent to cancel another registration, is a 422', async t => {
  const server = await startWithOrganization(t)
  const { client } = server
  const import_ = async () => (await client.post('/registrations', newRegistration(server))).body.id as string
  const [one, other] = [await import_(), await import_()]
  assert.equal((await client.post(`/registrations/${one}/cancel`, undefined, keyed('cancel'))).status, 200)
  const refused = await client.post(`/registrations/${other}/cancel`, undefined, keyed('cancel'))
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'idempotency_key_reused'])
  assert.equal((await client.get(`/registrations/${other}`)).body.status, 'confirmed')
})

test('a key belongs to the account: its other API keys replay it, and other accounts never see it', async t => {
  const server = await startWithOrganization(t)
  const first = await server.client.post('/registrations', newRegistration(server), keyed('shared'))
  const colleague = await server.clientOf(server.applied.account_id, { scopes: ['registrations:write'] })
  const again = await colleague.post('/registrations', newRegistration(server), keyed('shared'))
  assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', first.text])
  const other = await server.apply(organization({ email: 'bob@example.org' }))
  const event = other.events['spring-meeting'] as { id: string; registration_types: Record<string, string> }
  const stranger = await server.clientOf(other.account_id)
  const body = newRegistration({ eventId: event.id, types: event.registration_types })
  const theirs = await stranger.post('/registrations', body, keyed('shared'))
  assert.deepEqual([theirs.status, theirs.headers['idempotent-replayed']], [201, undefined])
  assert.equal((await stranger.post('/registrations', body, keyed('shared'))).text, theirs.text)
  assert.equal(
    (await server.client.post('/registrations', newRegistration(server), keyed('shared'))).text,
    first.text,
  )
})

test('a replay needs a key that is good and has the scope, and counts against its limit', async t => {
  const server = await startWithOrganization(t)
  const body = newRegistration(server)
  await server.client.post('/registrations', body, keyed('once'))
  const { account_id } = server.applied
  const reader = await server.clientOf(account_id, { scopes: ['registrations:read'] })
  const limited = await server.clientOf(account_id, { rateLimit: 2 })
  assert.equal((await server.anonymous.post('/registrations', body, keyed('once'))).status, 401)
  assert.equal((await reader.post('/registrations', body, keyed('once'))).status, 403)
  const remaining = []
  for (let at = 0; at < 3; at++) {
    const answer = await limited.post('/registrations', body, keyed('once'))
    remaining.push([
      answer.status,
      answer.headers['x-ratelimit-remaining'],
      answer.headers['idempotent-replayed'],
    ])
  }
  assert.deepEqual(remaining, [
    [201, '1', 'true'],
    [201, '0', 'true'],
    [429, '0', undefined],
  ])
})

test('an answer is kept for 24 hours, and then the key was never seen', async t => {
  const server = await startWithOrganization(t, organization({ event: { ends_at: '2026-12-31T00:00:00Z' } }))
  const send = () => server.client.post('/registrations', newRegistration(server), keyed('daily'))
  const first = await send()
  server.clock.advance(DAY - 1)
  assert.equal((await send()).text, first.text)
  server.clock.advance(1)
  const second = await send()
  assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, undefined])
  assert.notEqual(second.body.id, first.body.id)
  server.clock.advance(DAY - 1)
  assert.equal((await send()).text, second.text)
  const other = await server.client.post(
    '/registrations',
    newRegistration(server, { quantity: 2 }),
    keyed('daily'),
  )
  assert.equal(other.status, 422)
})

test('the cleaning deletes the answers that are past 24 hours, and no others', async t => {
  const server = await startSubscribed(t)
  const keys = async () => {
    await cleanUp(server.db, server.clock, 365)
    const { keptAnswers } = await readState(server.db)
    return keptAnswers.map(row => (row as { idempotency_key: string }).idempotency_key)
  }
  await server.client.post('/registrations', newRegistration(server), keyed('old'))
  server.clock.advance(1)
  await server.client.post('/registrations', newRegistration(server), keyed('young'))
  server.clock.advance(DAY - 2)
  assert.deepEqual(await keys(), ['old', 'young'])
  server.clock.advance(1)
  assert.deepEqual(await keys(), ['young'])
  server.clock.advance(1)
  assert.deepEqual(await keys(), [])
})

test('an answer in the reader’s own script is replayed byte for byte', async t => {
  const server = await startWithOrganization(t)
  const body = newRegistration(server, {
    buyer: { name: 'מרים 👩‍👩‍👧‍👦 𠜎', email: 'm@example.org' },
    answers: { 'שאלה 🙂': 'é' },
  })
  const first = await server.client.post('/registrations', body, keyed('once'))
  const again = await server.client.post('/registrations', body, keyed('once'))
  assert.equal(again.text, first.text)
  assert.equal(again.headers['content-length'], String(Buffer.byteLength(first.text)))
})
