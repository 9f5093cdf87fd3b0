import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { HttpServer, type HttpServerOptions } from '#machinery/http/server.ts'
import { startServer, startWithOrganization } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Opens connections one after the other, so that the first is the oldest, and says nothing on them. */
async function openMany(t: TestContext, url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  for (let at = 0; at < count; at++) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined).resume()
    sockets.push(socket)
    await once(socket, 'connect')
  }
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  return sockets
}

async function ask(socket: Socket, bytes = GET): Promise<string> {
  socket.write(bytes)
  const [chunk] = await once(socket, 'data')
  return String(chunk)
}

/** Returns which of them are closed, in the order in which they came. */
const closedOf = (sockets: Socket[]) => sockets.flatMap((socket, at) => (socket.closed ? [at] : []))

test('a thousand silent connections of an address keep no scanner of the same address out', async t => {
  const { app, client } = await startWithOrganization(t)
  const silent = await openMany(t, app.url, 1_000)
  for (let at = 0; at < 5; at++) assert.equal((await client.get('/events')).status, 200)
  await eventually('the end of the oldest', () => closedOf(silent).length > 0)
  const closed = closedOf(silent)
  // The server closes no more than it needs, and the oldest.
  assert.ok(closed.length <= 5)
  assert.deepEqual(closed, [...closed.keys()])
})

test('nor do a thousand that have asked once and are kept, or have sent a part of a head', async t => {
  const { app, client } = await startWithOrganization(t)
  const crowd = await openMany(t, app.url, 1_000)
  for (const [at, socket] of crowd.entries()) {
    if (at % 2 === 0) assert.match(await ask(socket), /^HTTP\/1\.1 200 /)
    else socket.write('GET /v1/ev')
  }
  assert.equal((await client.get('/events')).status, 200)
  // The first has spoken since the second came.
  await eventually('the end of one', () => closedOf(crowd).length > 0)
  assert.deepEqual(closedOf(crowd), [1])
})

test('the limit of an address is none of a trusted proxy, behind which everybody is', async t => {
  const { app, anonymous } = await startServer(t, { settings: { trustProxy: ['127.0.0.1'] } })
  const crowd = await openMany(t, app.url, 1_100)
  assert.equal((await anonymous.get('/openapi.json')).status, 200)
  for (const socket of [crowd[0], crowd.at(-1)]) assert.match(await ask(socket as Socket), /^HTTP\/1\.1 200 /)
  assert.deepEqual(closedOf(crowd), [])
})

/** Starts a server with small limits that leaves each answer to the test. */
async function listen(t: TestContext, connections: HttpServerOptions['connections']) {
  const http = new HttpServer(pino({ level: 'silent' }), connections === undefined ? {} : { connections })
  const waiting: ServerResponse[] = []
  http.serve({ listener: (_request, response) => waiting.push(response) })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  t.after(() => {
    for (const response of waiting) response.end()
    return http.close()
  })
  return { http, waiting, url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}` }
}

test('a connection with a request in flight makes room for nobody, and where none is silent, the new one has to go', async t => {
  const { http, url, waiting } = await listen(t, { mostOfAddress: 4 })
  const asking = await openMany(t, url, 4)
  for (const socket of asking) socket.write(GET)
  await eventually('the requests', () => waiting.length === 4)
  const [refused] = (await openMany(t, url, 1)) as [Socket]
  await eventually('the end of the new one', () => refused.closed)
  assert.deepEqual(closedOf(asking), [])

  // The third is answered, and so it is silent, and makes room for another.
  const answer = once(asking[2] as Socket, 'data')
  waiting[2]?.end('done')
  assert.match(String(await answer), /^HTTP\/1\.1 200 OK/)
  const [taken] = (await openMany(t, url, 1)) as [Socket]
  taken.write(GET)
  await eventually('its request', () => waiting.length === 5)
  assert.deepEqual([closedOf(asking), taken.closed, http.open], [[2], false, 4])
})

test('a connection is silent from its last answer on, and each of its requests counts', async t => {
  const { url, waiting } = await listen(t, { mostOfAddress: 3 })
  const three = await openMany(t, url, 3)
  three[0]?.write(GET + GET)
  await eventually('the first request', () => waiting.length === 1)
  three[1]?.write(GET)
  await eventually('that of another', () => waiting.length === 2)
  for (const at of [0, 1]) {
    const answer = once(three[at] as Socket, 'data')
    waiting[at]?.end()
    await answer
  }
  await eventually('the second request', () => waiting.length === 3)
  const more = await openMany(t, url, 2)
  await eventually('the end of two', () => closedOf(three).length === 2)
  assert.deepEqual(closedOf(three), [1, 2])
  assert.deepEqual(closedOf(more), [])
})

test('all addresses together have at most as many connections as the server may have', async t => {
  const { http, url } = await listen(t, { most: 3, isProxy: () => true })
  const crowd = await openMany(t, url, 10)
  await eventually('the end of the oldest', () => closedOf(crowd).length === 7)
  assert.deepEqual([closedOf(crowd), http.open], [[0, 1, 2, 3, 4, 5, 6], 3])
})

test('a connection that never sends anything is ended as one whose headers come too slowly', async t => {
  const { http, url } = await listen(t, {})
  http.server.headersTimeout = 20
  const [silent] = (await openMany(t, url, 1)) as [Socket]
  const [answer] = await once(silent, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 408 /)
  await eventually('its end', () => silent.closed && http.open === 0)
})
