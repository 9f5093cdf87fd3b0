import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { openRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

test('the first of several faults is reported, in the order of the checks: path, key, limit, scope, form, existence, state', async t => {
  const server = await startWithOrganization(t, organization({ event: { registration_types: [] } }))
  const { account_id } = server.applied
  const limited = await server.clientOf(account_id, { rateLimit: 1, scopes: [] })
  const reader = await server.clientOf(account_id, { scopes: ['events:read'] })
  await limited.get('/events')
  const everything = { body: '{', headers: { 'idempotency-key': '', 'content-type': 'text/plain' } }
  const code = async (send: Promise<{ body: { error: { code: string } } }>) => (await send).body.error.code
  const { client, anonymous } = server
  assert.equal(await code(anonymous.send('POST', '/nowhere?limit=0', everything)), 'route_not_found')
  assert.equal(await code(anonymous.send('PUT', '/registrations?limit=0', everything)), 'method_not_allowed')
  assert.equal(await code(anonymous.send('POST', '/registrations?limit=0', everything)), 'missing_api_key')
  assert.equal(await code(limited.send('POST', '/registrations?limit=0', everything)), 'rate_limited')
  assert.equal(await code(reader.send('POST', '/registrations?limit=0', everything)), 'insufficient_scope')
  assert.equal(
    await code(client.send('POST', '/registrations?limit=0', everything)),
    'invalid_idempotency_key',
  )
  const plain = { body: '{', headers: { 'content-type': 'text/plain' } }
  assert.equal(await code(client.send('POST', '/registrations?limit=0', plain)), 'unknown_parameter')
  assert.equal(await code(client.send('POST', '/registrations', plain)), 'unsupported_media_type')
  assert.equal(await code(client.send('POST', '/registrations', { body: '{' })), 'malformed_json')
  assert.equal(await code(client.post(`/registrations/${UNKNOWN_ID}/cancel`, [])), 'invalid_parameter')
  assert.equal(await code(client.post('/check-ins', { attendee_id: UNKNOWN_ID, x: 1 })), 'unknown_parameter')
  assert.equal(await code(client.post('/check-ins', { attendee_id: UNKNOWN_ID })), 'not_found')
})

test('every answer has a request id of its own, and the error of it names the same', async t => {
  const { client, anonymous, eventId } = await startWithOrganization(t)
  const answers = [
    await client.get('/events'),
    await client.get(`/events/${eventId}`),
    await client.get('/events?limit=0'),
    await anonymous.get('/events'),
    await anonymous.get('/nowhere'),
    await anonymous.send('PUT', '/events'),
    await anonymous.get('/openapi.json'),
    await client.get('/events', { headers: { 'x-request-id': 'req_mine' } }),
  ]
  const ids = answers.map(answer => answer.headers['x-request-id'])
  assert.equal(new Set(ids).size, answers.length)
  for (const { headers, body, status } of answers) {
    assert.match(headers['x-request-id'] as string, /^req_[0-9a-f]{32}$/)
    if (status >= 400) assert.equal(body.error.request_id, headers['x-request-id'])
  }
})

test('no answer allows another origin, is kept by a cache, or names its machinery', async t => {
  const { client, anonymous } = await startWithOrganization(t)
  const headers = { origin: 'https://example.org' }
  for (const answer of [
    await client.get('/events', { headers }),
    await anonymous.get('/nowhere', { headers }),
  ]) {
    const names = Object.keys(answer.headers)
    assert.deepEqual(
      names.filter(name => /^access-control-|^server$|^x-powered-by$|^set-cookie$|^etag$/.test(name)),
      [],
    )
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('a path is the one of the description, letter for letter: anything else is a 404', async t => {
  const { client, eventId, url } = await startWithOrganization(t).then(server => ({
    ...server,
    url: server.app.url,
  }))
  const paths = [
    '/events/',
    '//events',
    '/events//',
    '/Events',
    '/EVENTS',
    '/%65vents',
    '/events%2F',
    `/events/${eventId}/`,
    `/events//${eventId}`,
    `/events/${eventId}/registration-types/`,
    `/events/${eventId}/Registration-types`,
    `/events/${eventId}/x`,
    '/events;a=b',
    '/registration',
    '/checkins',
    '/check_ins',
    '/openapi',
    '/openapi.JSON',
    '/openapi.json/',
    '/__proto__',
    '/constructor',
  ]
  for (const path of paths) {
    const answer = await client.get(path)
    assert.deepEqual([answer.status, answer.body.error?.code], [404, 'route_not_found'], path)
  }
  for (const path of ['/events', '/v1/v1/events', '/v2/events', '/V1/events']) {
    const response = await fetch(new URL(path, url), { headers: { authorization: `Bearer ${client.key}` } })
    assert.equal(response.status, 404, path)
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'route_not_found')
  }
})

test('a method that a path lacks is a 405 that lists those it has, OPTIONS too', async t => {
  const server = await startSubscribed(t)
  const { client, eventId } = server
  const before = await readState(server.db)
  const paths: [path: string, allowed: string[], refused: string[]][] = [
    ['/events', ['GET', 'HEAD'], ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']],
    [`/events/${eventId}`, ['GET', 'HEAD'], ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
    [`/events/${eventId}/registration-types`, ['GET', 'HEAD'], ['POST', 'DELETE', 'OPTIONS']],
    ['/registrations', ['GET', 'HEAD', 'POST'], ['PUT', 'DELETE', 'PATCH', 'OPTIONS']],
    [`/registrations/${UNKNOWN_ID}`, ['GET', 'HEAD'], ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']],
    [`/registrations/${UNKNOWN_ID}/cancel`, ['POST'], ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']],
    ['/check-ins', ['GET', 'HEAD', 'POST'], ['PUT', 'DELETE', 'PATCH', 'OPTIONS']],
    ['/openapi.json', ['GET', 'HEAD'], ['POST', 'PUT', 'DELETE', 'OPTIONS']],
  ]
  for (const [path, allowed, refused] of paths) {
    for (const method of refused) {
      const answer = await client.send(method, path)
      assert.equal(answer.status, 405, `${method} ${path}`)
      if (method !== 'HEAD') assert.equal(answer.body.error.code, 'method_not_allowed')
      assert.deepEqual((answer.headers.allow as string).split(', ').sort(), allowed, `${method} ${path}`)
    }
  }
  assert.deepEqual(await readState(server.db), before)
})

test('HEAD answers as GET does, without the body', async t => {
  const { client, anonymous, eventId } = await startWithOrganization(t)
  for (const path of ['/events', `/events/${eventId}`, `/events/${UNKNOWN_ID}`, '/registrations?limit=0']) {
    const [head, get] = [await client.send('HEAD', path), await client.get(path)]
    assert.equal(head.text, '')
    assert.equal(head.status, get.status)
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    assert.equal(head.headers['content-length'], get.headers['content-length'])
    // undici decides by itself what becomes of the connection after a HEAD.
    const names = (headers: object) =>
      Object.keys(headers).filter(name => !/^connection$|^keep-alive$/.test(name))
    assert.deepEqual(names(head.headers), names(get.headers))
  }
  assert.equal((await anonymous.send('HEAD', '/events')).status, 401)
  assert.equal((await anonymous.send('HEAD', '/openapi.json')).status, 200)
})

test('the description is served without a key, and is the one of the routes', async t => {
  const { anonymous } = await startWithOrganization(t)
  const { status, body } = await anonymous.get('/openapi.json?any=thing')
  assert.equal(status, 200)
  assert.equal(body.openapi, '3.1.0')
  assert.ok(body.paths['/registrations/{id}/cancel'].post)
})

test('a failure of our own is a 500 that says nothing of itself; its cause is in the log under the request’s id', async t => {
  const server = await startSubscribed(t)
  const { client, data, log } = server
  const created = await client.post('/registrations', newRegistration(server))
  const other = await openRows(t, data)
  await other.run('ALTER TABLE webhook_events RENAME TO elsewhere')
  await other.run('ALTER TABLE check_ins RENAME TO gone')
  const before = log.length
  const failed = [
    await client.get('/check-ins'),
    await client.post('/registrations', newRegistration(server), { headers: { 'idempotency-key': 'a' } }),
    await client.post(`/registrations/${created.body.id}/cancel`),
  ]
  for (const answer of failed) {
    assert.equal(answer.status, 500)
    assert.deepEqual(answer.body.error, {
      type: 'api_error',
      code: 'internal_error',
      message: 'Something went wrong on our side. The request id names it in the log.',
      request_id: answer.headers['x-request-id'],
    })
    assert.equal(answer.headers['x-ratelimit-limit'], '2147483647')
    const lines = log.slice(before).filter(line => line.request_id === answer.headers['x-request-id'])
    assert.equal(lines.length, 2)
    assert.match(JSON.stringify(lines[0]), /no such table|does not exist/)
  }
  await other.run('ALTER TABLE elsewhere RENAME TO webhook_events')
  await other.run('ALTER TABLE gone RENAME TO check_ins')
  const state = await readState(server.db)
  assert.deepEqual(
    [state.registrations.length, state.webhookEvents.length, state.keptAnswers.length],
    [1, 1, 0],
  )
  const again = { headers: { 'idempotency-key': 'a' } }
  const repeated = await client.post('/registrations', newRegistration(server), again)
  assert.deepEqual([repeated.status, repeated.headers['idempotent-replayed']], [201, undefined])
})

test('a failure before the key is known has the headers of the address', async t => {
  const server = await startWithOrganization(t)
  const other = await openRows(t, server.data)
  await other.run('ALTER TABLE api_keys RENAME TO lost')
  const answer = await server.client.get('/events')
  assert.deepEqual([answer.status, answer.headers['x-ratelimit-limit']], [500, '120'])
  await other.run('ALTER TABLE lost RENAME TO api_keys')
  assert.equal((await server.client.get('/events')).status, 200)
})

test('a database that another process holds for too long is a 503, reads go on, and the same request succeeds later', async t => {
  const server = await startSubscribed(t)
  const { client, data } = server
  await client.get('/events')
  const before = await readState(server.db)
  const other = await openRows(t, data)
  const free = await other.hold()
  // Each look at this clock is a second later, so that nobody waits for the five that a write is patient.
  const real = performance.now.bind(performance)
  let ahead = 0
  const patience = t.mock.method(performance, 'now', () => {
    ahead += 1000
    return real() + ahead
  })
  const options = { headers: { 'idempotency-key': 'patient' } }
  const refused = await client.post('/registrations', newRegistration(server), options)
  assert.equal(refused.status, 503)
  assert.deepEqual([refused.body.error.type, refused.body.error.code], ['api_error', 'unavailable'])
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal((await client.get(`/events/${server.eventId}`)).status, 200)
  assert.ok(!server.log.some(line => line.level === 50 && line.request_id === undefined))
  patience.mock.restore()
  await free()
  assert.deepEqual(await readState(server.db), before)
  const later = await client.post('/registrations', newRegistration(server), options)
  assert.deepEqual([later.status, later.headers['idempotent-replayed']], [201, undefined])
})
