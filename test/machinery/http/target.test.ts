import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { parseTarget } from '#machinery/http/target.ts'
import { readState } from '#test/support/observations.ts'
import { openRaw, readRaw, sendRaw } from '#test/support/raw.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

/** llhttp lets these through, and they are no targets of ours. */
const invalid = [
  'http://[',
  'http://[?canary',
  'http://[::1/v1/events?canary',
  'http://a:99999999/v1/events?canary',
  'http://a:b/v1/events?canary',
  'http://%/?canary',
  'http://1.2.3.4.5/v1/events?canary',
  'http:///v1/events?canary',
  'http://?canary',
  'http://:80/v1/events',
  'http://canary@host/v1/events',
  'http://user:canary@host/v1/events',
  'http://host/v1/events#canary',
  'ftp://host/v1/events?canary',
  'canary://host/v1/events',
  '/v1/events#canary',
  '/v1/events?status=confirmed#canary',
]

test('a target that is none is a 400 of its own, counted against its address, and nothing of it is in the log', async t => {
  const { app, client, log, db } = await startSubscribed(t)
  const before = await readState(db)
  const warnings: string[] = []
  const warn = (warning: Error) => warnings.push(warning.message)
  process.on('warning', warn)
  t.after(() => process.off('warning', warn))
  const requests = invalid.flatMap(target => [`GET ${target}`, `POST ${target}`, `OPTIONS ${target}`])
  requests.push('GET *', 'POST *')
  for (const [at, request] of requests.entries()) {
    log.length = 0
    const answer = await sendRaw(
      app.url,
      `${request} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: close\r\n\r\n`,
    )
    const { status, headers, body } = answer
    assert.deepEqual([status, body.error.code], [400, 'invalid_parameter'], request)
    assert.equal(body.error.message, 'The request target is no path and no http URL.')
    assert.equal(body.error.request_id, headers['x-request-id'])
    assert.deepEqual(
      [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']],
      ['120', String(119 - at)],
    )
    assert.equal(log.length, 1)
    const { method, route, level } = log[0] ?? {}
    assert.deepEqual([method, route, level], [request.split(' ')[0], null, 30])
    assert.ok(!/canary|http:|\*|#/.test(JSON.stringify([log, answer.text])), request)
  }
  assert.deepEqual([warnings, await readState(db)], [[], before])
})

test('it is a 429 past the limit of the address, for HEAD too, and a good key is not affected', async t => {
  const { app, client } = await startWithOrganization(t)
  const head = `HEAD http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  for (let at = 0; at < 120; at++) {
    const { socket, closed } = openRaw(app.url)
    socket.write(head)
    assert.match(await closed, /^HTTP\/1\.1 400 [\s\S]*\r\n\r\n$/)
  }
  const refused = await sendRaw(app.url, 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await client.get('/events')).status, 200)
})

test('an absolute target is answered as its path is, whatever its host and the case of its scheme are', async t => {
  const { app, client, eventId } = await startWithOrganization(t)
  const statusOf = async (method: string, target: string) => {
    const { socket, closed } = openRaw(app.url)
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: close\r\n\r\n`,
    )
    return Number((await closed).slice(9, 12))
  }
  const targets: [method: string, target: string, status: number][] = [
    ['GET', 'http://host/v1/events', 200],
    ['HEAD', 'HTTP://host/v1/events', 200],
    ['GET', 'hTTps://tickets.example.org:8443/v1/events?limit=5', 200],
    ['GET', `http://[::1]/v1/events/${eventId}`, 200],
    ['GET', 'http://under_score/healthz?', 200],
    ['GET', 'http://host/v1/events?limit=0', 400],
    ['GET', 'http://host/v1/../v1/events', 404],
    ['GET', 'http://host', 302],
    ['GET', 'http://host?x=http://[', 302],
    ['OPTIONS', 'http://host/v1/events', 405],
    // These are other forms of a target, and no mistakes: nothing is at their address.
    ['OPTIONS', '*', 404],
    ['GET', '//evil/v1/events', 404],
    ['GET', '//', 404],
    ['GET', '/%zz', 404],
    ['GET', '/v1/http://host/v1/events', 404],
    ['GET', '/v1/ev"<>{}|^`\\', 404],
  ]
  for (const [method, target, status] of targets) assert.equal(await statusOf(method, target), status, target)
})

test('an absolute target is the same request as its path to an Idempotency-Key', async t => {
  const { app, client, eventId, types } = await startWithOrganization(t)
  const body = JSON.stringify({
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
  })
  const send = async (target: string) => {
    const { socket, closed } = openRaw(app.url)
    socket.write(
      `POST ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nIdempotency-Key: one\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    )
    return closed
  }
  assert.match(await send('/v1/registrations'), /^HTTP\/1\.1 201 /)
  const again = await send('http://elsewhere.example/v1/registrations')
  assert.match(again, /^HTTP\/1\.1 201 [\s\S]*Idempotent-Replayed: true/)
})

test('bytes past 0x7f, white space and control characters in a target are refused, whoever parses it first', async t => {
  const { app } = await startServer(t)
  for (const target of [
    '/\xe9',
    '/v1/events?\xff',
    'http://\xe9/',
    '/a\x01',
    '/a\tb',
    '/a\x7f',
    'a',
    'a/b',
    '?a',
  ]) {
    const { socket, closed } = openRaw(app.url)
    socket.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'))
    assert.equal(readRaw(await closed).body.error.code, 'invalid_parameter', JSON.stringify(target))
    assert.equal(parseTarget('GET', target), undefined)
  }
})

test('a target that is not percent-encoded is told so, however it arrives, and nothing of it is said or logged', async t => {
  const { app, log } = await startServer(t)
  const end = ' HTTP/1.1\r\nHost: x\r\n\r\n'
  const message =
    'The request is not valid HTTP: its target has a character that is not ASCII. Percent-encode it, as UTF-8.'
  const send = async (...parts: (string | Buffer)[]) => {
    const { socket, closed } = openRaw(app.url)
    for (const part of parts) {
      await new Promise(written => socket.write(part, written))
      await setImmediate()
    }
    return readRaw((await closed).replace(/^HTTP\/1\.1 404 [\s\S]*?(?=HTTP)/, ''))
  }
  const e = Buffer.from('é')
  for (const parts of [
    [`GET /v1/registrations?q=canary-é${end}`],
    ['GET /v1/registrations?q=canary-', `é${end}`],
    ['GET /v1/canary-', e.subarray(0, 1), e.subarray(1), end],
    [Buffer.from(`GET /v1/canary-\xe9${end}`, 'latin1')],
    [`GET http://x/v1/canary-名${end}`],
    // The request comes behind one that is answered first.
    [`GET /nowhere${end}GET /v1/canary-é${end}`],
  ]) {
    const { status, body } = await send(...parts)
    const { code, message: text } = body.error
    assert.deepEqual([status, code, text], [400, 'invalid_parameter', message], String(parts))
  }
  assert.ok(!/canary|é|名/.test(JSON.stringify(log)))
  // The other faults of a target, or of a header, stay faults.
  for (const bytes of [`GET /\u0001${end}`, `GET a${end}`, `GÉT /${end}`, 'GET / HTTP/1.1\r\né: x\r\n\r\n'])
    assert.equal((await send(bytes)).body.error.message, 'The request is not valid HTTP.', bytes)
})

test('the port of the metrics reads a target with the same care', async t => {
  const { app, log } = await startServer(t, { settings: { metricsPort: 0 } })
  const url = app.metricsUrl as string
  const statusOf = async (target: string) => {
    const { socket, closed } = openRaw(url)
    socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    return Number((await closed).slice(9, 12))
  }
  for (const target of invalid) assert.equal(await statusOf(target), 400, target)
  for (const target of ['/metrics', '/metrics?a=b', 'http://host/metrics', 'http://[::1]:9464/healthz'])
    assert.equal(await statusOf(target), 200, target)
  for (const target of ['/', '//metrics', '/metrics/', '/v1/events', 'http://host/v1/events'])
    assert.equal(await statusOf(target), 404, target)
  assert.deepEqual(log, [])
})
