import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as keys from '#product/administration/keys/rules.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('each request is one line: its id, what was asked, how it ended, how long it took, by which key', async t => {
  const server = await startWithOrganization(t)
  const { client, anonymous, log, eventId } = server
  const [key] = await server.db.read(server.applied.account_id, tx => keys.list(tx))
  const key_id = key?.id
  log.length = 0
  const answers = [
    await client.get(`/events/${eventId}`),
    await client.post('/registrations', newRegistration(server)),
    await client.post('/check-ins', { qr_code: 'forged' }),
    await client.get('/registrations?limit=0'),
    await anonymous.get('/registrations'),
    await anonymous.get('/nowhere/at/all'),
    await anonymous.send('DELETE', '/events'),
    await anonymous.get('/openapi.json'),
  ]
  const shown = log.map(({ request_id, method, route, status, code, key_id }) => ({
    request_id,
    method,
    route,
    status,
    code,
    key_id,
  }))
  const expected = [
    ['GET', '/events/{id}', 200, undefined, key_id],
    ['POST', '/registrations', 201, undefined, key_id],
    ['POST', '/check-ins', 422, 'invalid_qr_code', key_id],
    ['GET', '/registrations', 400, 'invalid_parameter', key_id],
    ['GET', '/registrations', 401, 'missing_api_key', undefined],
    ['GET', null, 404, 'route_not_found', undefined],
    ['DELETE', null, 405, 'method_not_allowed', undefined],
    ['GET', '/openapi.json', 200, undefined, undefined],
  ].map(([method, route, status, code, key_id], at) => ({
    request_id: answers[at]?.headers['x-request-id'],
    method,
    route,
    status,
    code,
    key_id,
  }))
  assert.deepEqual(shown, expected)
  for (const line of log) {
    assert.equal(typeof line.duration_ms, 'number')
    assert.equal(line.level, 30)
  }
})

test('the log has no names, e-mails, codes, keys, ids of people or query strings', async t => {
  const server = await startWithOrganization(t)
  const { client, log } = server
  const { body } = await client.post('/registrations', newRegistration(server))
  await client.post('/registrations', newRegistration(server), {
    headers: { 'idempotency-key': 'secret-import-17' },
  })
  await client.get('/registrations?email=grace@example.org&status=confirmed')
  await client.get('/registrations?email=grace@&surprise=grace')
  await client.get(`/registrations/${body.id}`)
  await client.post('/check-ins', { qr_code: body.attendees[0].qr_code })
  await client.post('/check-ins', { qr_code: 'SVC1.FORGED' })
  await client.post(
    '/registrations',
    newRegistration(server, { buyer: { name: 'Grace\n', email: 'grace@' } }),
  )
  await client.get('/grace@example.org?key=x')
  await client.get('/events', { headers: { 'x-api-key': 'svc_wrong', 'user-agent': 'Grace/1.0' } })
  await client.get(`/events/${UNKNOWN_ID}?api_key=${client.key}`)
  const text = JSON.stringify(log)
  assert.equal(log.length, 11)
  const secrets = [
    'Grace',
    'grace',
    'example.org',
    'SVC1',
    'svc_',
    client.key as string,
    'secret-import',
    'status=',
  ]
  for (const secret of [...secrets, body.id, body.attendees[0].id, UNKNOWN_ID, '?']) {
    assert.ok(!text.includes(secret), secret)
  }
})
