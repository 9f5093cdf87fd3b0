import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { type TestContext, test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { openRaw, sendRaw } from '#test/support/raw.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

async function startWithHttpServer(t: TestContext) {
  const server = await startSubscribed(t)
  let found: Server | undefined
  const see = (message: unknown) => {
    found = (message as { server: Server }).server
  }
  diagnostics.subscribe('http.server.request.start', see)
  await server.client.get('/events')
  diagnostics.unsubscribe('http.server.request.start', see)
  return { ...server, http: found as Server }
}

test('the server gives a client 10 seconds for its headers, 30 for a request, and 65 between two', async t => {
  const { http } = await startWithHttpServer(t)
  assert.equal(http.headersTimeout, 10_000)
  assert.equal(http.requestTimeout, 30_000)
  assert.equal(http.keepAliveTimeout, 65_000)
  assert.ok(http.timeout > 0, 'a connection on which nothing moves ends too')
  assert.ok(Number.isInteger(http.maxConnections))
})

test('headers and bodies that come too slowly are a 408, and others are served meanwhile', async t => {
  const { http, app, client, db } = await startWithHttpServer(t)
  const before = await readState(db)
  http.headersTimeout = 20
  http.requestTimeout = 20
  const auth = `Authorization: Bearer ${client.key}`
  const slow = [
    'POST /v1/registr',
    `GET /v1/events HTTP/1.1\r\n${auth}\r\nX-Slow: `,
    `POST /v1/check-ins HTTP/1.1\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"atten`,
    `POST /v1/check-ins HTTP/1.1\r\n${auth}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"at`,
  ]
  const pending = Promise.all(slow.map(bytes => sendRaw(app.url, bytes)))
  assert.equal((await client.get('/events')).status, 200)
  for (const answer of await pending) {
    assert.equal(answer.status, 408)
    assert.deepEqual(
      [answer.body.error.type, answer.body.error.code],
      ['invalid_request_error', 'request_timeout'],
    )
    assert.equal(answer.body.error.request_id, answer.headers['x-request-id'])
    assert.equal(answer.headers.connection, 'close')
  }
  assert.deepEqual(await readState(db), before)
})

test('headers past 16 KiB are a 431, up to 10 MB of them, and their sender can read the answer', async t => {
  const { app, client } = await startWithOrganization(t)
  const request = (size: number) =>
    `GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: close\r\nX-Large: ${'a'.repeat(size)}\r\n\r\n`
  for (const size of [17_000, 100_000, 10_000_000]) {
    const answer = await sendRaw(app.url, request(size))
    assert.deepEqual([answer.status, answer.body.error.code], [431, 'headers_too_large'])
    assert.equal(answer.body.error.request_id, answer.headers['x-request-id'])
    assert.equal(answer.headers['x-ratelimit-limit'], '120')
  }
  const fine = openRaw(app.url)
  fine.socket.write(request(15_000))
  assert.match(await fine.closed, /^HTTP\/1\.1 200 /)
  assert.equal((await client.get('/events')).status, 200)
})

test('a path that is too long, and a thousand headers, are refused too', async t => {
  const { app, client } = await startWithOrganization(t)
  const long = await sendRaw(
    app.url,
    `GET /v1/events?${'a'.repeat(20_000)} HTTP/1.1\r\nConnection: close\r\n\r\n`,
  )
  assert.equal(long.status, 431)
  const many = Array.from({ length: 3000 }, (_, at) => `X-${at}: 1\r\n`).join('')
  assert.equal(
    (await sendRaw(app.url, `GET /v1/events HTTP/1.1\r\nConnection: close\r\n${many}\r\n`)).status,
    431,
  )
  assert.equal((await client.get('/events')).status, 200)
})

test('a request that is not HTTP is a 400 in the form of every error, and the connection ends', async t => {
  const { app, client, db } = await startSubscribed(t)
  const before = await readState(db)
  const garbage: (string | Buffer)[] = [
    'hello\r\n\r\n',
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    'get /v1/events HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /v1/events HTTP/9.9\r\nHost: x\r\n\r\n',
    'GET /v1/events HTTP/1.1\r\nHost x\r\n\r\n',
    'GET /v1/events HTTP/1.1\r\nX: a\u0000b\r\n\r\n',
    'GET /v1/\u0001 HTTP/1.1\r\nbad header\r\n\r\n',
    'POST /v1/check-ins HTTP/1.1\r\nContent-Length: x\r\n\r\n',
    'POST /v1/check-ins HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'POST /v1/check-ins HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ]
  for (const bytes of garbage) {
    const answer = await sendRaw(app.url, bytes)
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'invalid_parameter'], String(bytes))
    assert.equal(answer.body.error.message, 'The request is not valid HTTP.')
    assert.equal(answer.headers.connection, 'close')
  }
  assert.equal((await client.get('/events')).status, 200)
  assert.deepEqual(await readState(db), before)
})

test('chunks that are broken end the request, and nothing is done', async t => {
  const { app, client, db } = await startSubscribed(t)
  const before = await readState(db)
  const head = `POST /v1/check-ins HTTP/1.1\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const answer = await sendRaw(app.url, `${head}zz\r\n{}\r\n0\r\n\r\n`)
  assert.equal(answer.status, 400)
  assert.deepEqual(await readState(db), before)
})

test('CONNECT and an upgrade are not taken: the one is a 405, the other an ordinary request', async t => {
  const { app, client } = await startWithOrganization(t)
  const connect = await sendRaw(app.url, 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
  assert.deepEqual([connect.status, connect.body.error.code], [405, 'method_not_allowed'])
  const { socket, closed } = openRaw(app.url)
  socket.write(
    `GET /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
  )
  const received = await closed
  assert.match(received, /^HTTP\/1\.1 200 /)
})

test('a client that goes away in the middle of its body leaves nothing behind, and the server up', async t => {
  const { app, client, db, log } = await startSubscribed(t)
  const before = await readState(db)
  const { socket } = openRaw(app.url)
  const head = `POST /v1/registrations HTTP/1.1\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n`
  const begun = new Promise(resolve => diagnostics.subscribe('http.server.request.start', resolve))
  socket.write(`${head}{"event_id":`)
  await begun
  socket.destroy()
  while (!log.some(line => line.route === '/registrations'))
    await new Promise(resolve => setTimeout(resolve, 1))
  assert.equal((await client.get('/events')).status, 200)
  assert.deepEqual(await readState(db), before)
  assert.ok(!log.some(line => Number(line.level) >= 50))
})

test('two servers’ worth of Host headers, or none, make no difference: the address is the server’s own', async t => {
  const { app, client } = await startWithOrganization(t)
  for (const host of ['', 'Host: evil.example\r\n', 'Host: \r\n']) {
    const { socket, closed } = openRaw(app.url)
    socket.write(
      `GET /v1/events HTTP/1.1\r\n${host}Authorization: Bearer ${client.key}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(await closed, /^HTTP\/1\.1 200 /)
  }
})
