import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { openRaw, readRaw, sendRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const CHUNK = '2\r\n{}\r\n0\r\n\r\n'

/** The version, and the headers that say how the body is sent. */
const refused: [version: string, ...headers: string[]][] = [
  ['1.1', 'Transfer-Encoding: gzip, chunked'],
  ['1.1', 'Transfer-Encoding: GZIP,Chunked'],
  ['1.1', 'Transfer-Encoding: chunked, chunked'],
  ['1.1', 'Transfer-Encoding: chunked, gzip'],
  ['1.1', 'Transfer-Encoding: identity'],
  ['1.1', 'Transfer-Encoding: identity, chunked'],
  ['1.1', 'Transfer-Encoding: gzip'],
  ['1.1', 'Transfer-Encoding: ,chunked'],
  ['1.1', 'Transfer-Encoding: chunked,'],
  ['1.1', 'Transfer-Encoding: chunked;q=1'],
  ['1.1', 'Transfer-Encoding: "chunked"'],
  ['1.1', 'Transfer-Encoding: xchunked'],
  ['1.1', 'Transfer-Encoding: chunkedx'],
  ['1.1', 'Transfer-Encoding: chun\x0bked'],
  ['1.1', 'Transfer-Encoding: \xa0chunked'],
  ['1.1', 'Transfer-Encoding:'],
  ['1.1', 'Transfer-Encoding: ', 'Content-Length: 2'],
  ['1.1', 'Transfer-Encoding: gzip', 'Content-Length: 2'],
  ['1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked'],
  ['1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['1.1', 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
  ['1.1', 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
  ['1.1', 'Transfer-Encoding: ', 'Transfer-Encoding: chunked'],
  // The parser keeps 2,000 headers unless it is told not to.
  [
    '1.1',
    ...Array.from({ length: 2_100 }, () => 'a:'),
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: chunked',
  ],
  ['1.0', 'Transfer-Encoding: chunked'],
  ['1.0', 'Transfer-Encoding: Chunked', 'Connection: keep-alive'],
  ['1.0', 'Transfer-Encoding: gzip, chunked'],
  ['1.1', 'Content-Length: 2', 'Content-Length: 2'],
  ['1.1', 'Content-Length: 2, 2'],
  ['1.1', 'Content-Length: +2'],
  ['1.1', 'Transfer-Encoding : chunked'],
]

test('any transfer coding but chunked, once and in HTTP/1.1, is a 400, and ends the connection with what follows on it', async t => {
  const server = await startSubscribed(t)
  const { app, client, db } = server
  const before = await readState(db)
  const auth = `Authorization: Bearer ${client.key}\r\nContent-Type: application/json\r\n`
  const smuggled = JSON.stringify(newRegistration(server))
  const next = `POST /v1/registrations HTTP/1.1\r\n${auth}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`
  for (const [method, path] of [
    ['POST', '/v1/registrations'],
    ['GET', '/v1/openapi.json'],
  ] as const) {
    for (const [version, ...headers] of refused) {
      const lines = headers.map(line => `${line}\r\n`).join('')
      const { socket, closed } = openRaw(app.url)
      socket.write(
        Buffer.from(
          `${method} ${path} HTTP/${version}\r\nHost: x\r\n${lines}${auth}\r\n${CHUNK}${next}`,
          'latin1',
        ),
      )
      const received = await closed
      const answer = readRaw(received)
      const what = `${method} ${version} ${headers.slice(-2)}`
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'invalid_parameter'], what)
      assert.equal(answer.body.error.message, 'The request is not valid HTTP.')
      assert.equal(answer.headers.connection, 'close')
      assert.equal(received.split('HTTP/1.1 ').length, 2, what)
    }
  }
  assert.deepEqual(await readState(db), before)
})

test('chunked alone is taken, in any letter case, and the connection is kept', async t => {
  const server = await startWithOrganization(t)
  const body = JSON.stringify(newRegistration(server))
  for (const coding of ['chunked', 'Chunked', 'CHUNKED', '\tchunked ']) {
    const { socket } = openRaw(server.app.url)
    const head = `Host: x\r\nAuthorization: Bearer ${server.client.key}\r\nContent-Type: application/json\r\n`
    socket.write(
      `POST /v1/registrations HTTP/1.1\r\n${head}Transfer-Encoding: ${coding}\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    )
    const [created] = await once(socket, 'data')
    assert.match(String(created), /^HTTP\/1\.1 201 [\s\S]*\r\nConnection: keep-alive/)
    socket.write(`GET /v1/events HTTP/1.1\r\n${head}\r\n`)
    const [read] = await once(socket, 'data')
    assert.match(String(read), /^HTTP\/1\.1 200 /)
    socket.destroy()
  }
})

test('an earlier request on the same connection is answered first', async t => {
  const server = await startWithOrganization(t)
  const auth = `Host: x\r\nAuthorization: Bearer ${server.client.key}\r\n`
  const body = JSON.stringify(newRegistration(server))
  const post = `POST /v1/registrations HTTP/1.1\r\n${auth}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  for (const wrong of [
    `POST /v1/check-ins HTTP/1.1\r\n${auth}Transfer-Encoding: gzip, chunked\r\n\r\n${CHUNK}`,
    'hello\r\n\r\n',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
    `POST /v1/check-ins HTTP/1.1\r\n${auth}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz`,
  ]) {
    const { socket, closed } = openRaw(server.app.url)
    socket.write(post + post + wrong)
    const statuses = [...(await closed).matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['201', '201', wrong.startsWith('CONNECT') ? '405' : '400'], wrong)
  }
})

test('the rest of such a body is thrown away, so that its sender can read the answer', async t => {
  const { app } = await startServer(t)
  const answer = await sendRaw(
    app.url,
    `POST /v1/registrations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${`1000\r\n${'a'.repeat(4096)}\r\n`.repeat(500)}`,
  )
  assert.equal(answer.status, 400)
})

test('a request that is not HTTP counts against its address, and past 120 a minute it is a 429', async t => {
  const { app, anonymous, client, log } = await startWithOrganization(t)
  const wrong = [
    'POST /v1/check-ins HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
    'hello\r\n\r\n',
    'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  ]
  const send = (at: number) => sendRaw(app.url, wrong[at % 3] as string)
  for (let at = 0; at < 120; at++) {
    const { status, headers } = await send(at)
    assert.deepEqual([status, headers['x-ratelimit-remaining']], [at % 3 === 2 ? 405 : 400, String(119 - at)])
  }
  for (let at = 0; at < 3; at++) {
    const { status, headers, body } = await send(at)
    assert.deepEqual([status, body.error.code, headers['retry-after']], [429, 'rate_limited', '60'])
    assert.equal(headers.connection, 'close')
  }
  assert.deepEqual([log.at(-1)?.status, log.at(-1)?.code], [429, 'rate_limited'])
  assert.equal((await anonymous.get('/openapi.json')).status, 429)
  assert.equal((await client.get('/events')).status, 200)
})

test('a body that breaks off counts for its key alone', async t => {
  const { app, client, anonymous } = await startWithOrganization(t)
  const head = `POST /v1/check-ins HTTP/1.1\r\nAuthorization: Bearer ${client.key}\r\nContent-Type: application/json\r\n`
  assert.equal((await sendRaw(app.url, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)).status, 400)
  const { headers } = await anonymous.get('/openapi.json')
  assert.equal(headers['x-ratelimit-remaining'], '119')
})

test('the port of the metrics does the same', async t => {
  const { app } = await startServer(t, { settings: { metricsPort: 0 } })
  const { socket, closed } = openRaw(app.metricsUrl as string)
  socket.write(`GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n${CHUNK}`)
  const received = await closed
  assert.match(received, /^HTTP\/1\.1 400 /)
  assert.equal(received.split('HTTP/1.1 ').length, 2)
})
