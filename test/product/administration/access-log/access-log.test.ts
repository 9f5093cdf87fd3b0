import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as keys from '#product/administration/keys/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const paid = registration('paid', {
    status: 'confirmed',
    amount_total: 5000,
    created_at: '2026-11-01T10:00:00.000Z',
  })
  const server = await startWithOrganization(t, organization({ event: { registrations: [paid] } }))
  const [key] = await server.db.read(server.applied.account_id, tx => keys.list(tx))
  /** Returns what API keys did, oldest first. */
  const entries = async (accountId = server.applied.account_id) => {
    const all = await server.db.read(accountId, tx => accessLog.list(tx, 1000))
    return all.filter(entry => entry.actor !== 'cli').reverse()
  }
  return { ...server, entries, actor: `key:${key?.id}` }
}

test('every write is in the access log: who, from where, what, under which request, how it ended', async t => {
  const server = await start(t)
  const { client, actor } = server
  const created = await client.post('/registrations', newRegistration(server))
  const [ticket] = created.body.attendees
  const checkedIn = await client.post('/check-ins', { qr_code: ticket.qr_code })
  const cancelled = await client.post(`/registrations/${created.body.id}/cancel`)
  const common = { at: '2026-11-21T12:00:00.000Z', actor, address: '127.0.0.1' }
  const expected = [
    ['registration.create', 'registration', created.body.id, created, 201],
    ['check_in.create', 'attendee', ticket.id, checkedIn, 201],
    ['registration.cancel', 'registration', created.body.id, cancelled, 200],
  ] as const
  assert.deepEqual(
    await server.entries(),
    expected.map(([action, target_type, target_id, answer, status]) => ({
      ...common,
      action,
      target_type,
      target_id,
      request_id: answer.headers['x-request-id'],
      details: { status },
    })),
  )
})

test('a refused scan is kept with its reason, under the ticket where the code named one', async t => {
  const server = await start(t)
  const { client, clock } = server
  const created = await client.post('/registrations', newRegistration(server, { quantity: 2 }))
  const [first, second] = created.body.attendees
  await client.post('/check-ins', { attendee_id: first.id })
  await client.post('/check-ins', { qr_code: first.qr_code })
  clock.set('2027-01-01T00:00:00Z')
  await client.post('/check-ins', { attendee_id: second.id })
  await client.post(`/registrations/${created.body.id}/cancel`)
  await client.post('/check-ins', { qr_code: second.qr_code })
  await client.post('/check-ins', { qr_code: 'forged' })
  await client.post('/check-ins', { attendee_id: UNKNOWN_ID })
  const scans = (await server.entries()).filter(entry => entry.action === 'check_in.create')
  const window = { valid_from: '2026-11-20T23:00:00.000Z', valid_until: '2026-11-23T05:00:00.000Z' }
  assert.deepEqual(
    scans.map(entry => [entry.target_id, entry.details]),
    [
      [first.id, { status: 201 }],
      [first.id, { status: 409, code: 'already_checked_in', checked_in_at: '2026-11-21T12:00:00.000Z' }],
      [second.id, { status: 422, code: 'not_valid_today', ...window }],
      [second.id, { status: 409, code: 'registration_cancelled' }],
      [null, { status: 422, code: 'invalid_qr_code' }],
      [null, { status: 404, code: 'not_found' }],
    ],
  )
})

test('refused imports and cancels are kept with their reason', async t => {
  const server = await start(t)
  const paid = server.applied.events['spring-meeting']?.registrations.paid as string
  await server.client.post('/registrations', newRegistration(server, { quantity: 100 }))
  await server.client.post(`/registrations/${paid}/cancel`)
  assert.deepEqual(
    (await server.entries()).map(entry => [entry.action, entry.target_id, entry.details]),
    [
      ['registration.create', null, { status: 409, code: 'sold_out', requested: 100, available: 99 }],
      ['registration.cancel', paid, { status: 409, code: 'refund_required' }],
    ],
  )
})

test('a write to what can be no id is carried out to its 404: it is kept once, under no target, and replayed', async t => {
  const server = await start(t)
  const headers = { 'idempotency-key': 'once' }
  const cancel = () => server.client.send('POST', '/registrations/nonsense/cancel', { headers })
  const [first, again] = [await cancel(), await cancel()]
  assert.deepEqual([first.status, first.body.error.code], [404, 'not_found'])
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  const decided = await server.client.post('/abstracts/nonsense/decision', { decision: 'accepted' })
  assert.equal(decided.status, 404)
  assert.equal((await server.client.post('/abstracts/nonsense/decision', { decision: 'no' })).status, 400)
  assert.deepEqual(
    (await server.entries()).map(({ action, target_id, details }) => [action, target_id, details]),
    [
      ['registration.cancel', null, { status: 404, code: 'not_found' }],
      ['abstract.decide', null, { decision: 'accepted', status: 404, code: 'not_found' }],
    ],
  )
})

test('reads, requests that were refused before the write, and replays are not in it', async t => {
  const server = await start(t)
  const headers = { 'idempotency-key': 'once' }
  await server.client.post('/registrations', newRegistration(server), { headers })
  const before = await server.entries()
  assert.equal(before.length, 1)
  await server.client.post('/registrations', newRegistration(server), { headers })
  await server.client.post('/registrations', newRegistration(server, { quantity: 2 }), { headers })
  await server.client.post('/registrations', newRegistration(server, { quantity: 0 }))
  await server.client.post('/registrations', newRegistration(server), { key: null })
  const reader = await server.clientOf(server.applied.account_id, { scopes: ['registrations:read'] })
  await reader.post('/registrations', newRegistration(server))
  await server.client.get('/registrations')
  assert.deepEqual(await server.entries(), before)
})

test('an account’s log tells only of that account', async t => {
  const server = await start(t)
  await server.client.post('/registrations', newRegistration(server))
  const other = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(other.account_id)
  await stranger.post('/check-ins', { attendee_id: UNKNOWN_ID })
  assert.equal((await server.entries()).length, 1)
  assert.deepEqual(
    (await server.entries(other.account_id)).map(entry => entry.action),
    ['check_in.create'],
  )
})

test('names, e-mails, codes and keys are not in it', async t => {
  const server = await start(t)
  const { body } = await server.client.post('/registrations', newRegistration(server))
  await server.client.post('/check-ins', { qr_code: body.attendees[0].qr_code })
  await server.client.post('/check-ins', { qr_code: `${body.attendees[0].qr_code}A` })
  await server.client.post(`/registrations/${body.id}/cancel`)
  const text = JSON.stringify(await server.entries())
  for (const secret of ['Grace', 'grace@example.org', 'SVC1.', server.client.key as string]) {
    assert.ok(!text.includes(secret), secret)
  }
})

test('behind a trusted proxy the address is the client’s, and otherwise what a client claims is not believed', async t => {
  const seen = async (settings: Record<string, unknown>) => {
    const server = await startServer(t, { settings })
    const { account_id } = await server.apply(organization())
    const client = await server.clientOf(account_id)
    const headers = { 'x-forwarded-for': '198.51.100.1, 2001:DB8::0:1' }
    await client.post('/check-ins', { attendee_id: UNKNOWN_ID }, { headers })
    const [entry] = await server.db.read(account_id, tx => accessLog.list(tx, 1))
    return entry?.address
  }
  assert.equal(await seen({ trustProxy: ['127.0.0.1'] }), '2001:db8::1')
  assert.equal(await seen({ trustProxy: ['10.0.0.0/8'] }), '127.0.0.1')
  assert.equal(await seen({}), '127.0.0.1')
})
