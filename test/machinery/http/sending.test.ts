import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { DAY } from '#base/time.ts'
import { breakOffUnframed } from '#machinery/http/breaking-off.ts'
import { bodyOf, streamOf } from '#machinery/http/sending.ts'
import { HttpServer } from '#machinery/http/server.ts'
import { readRest } from '#test/support/slow.ts'

async function open(t: TestContext, listener: RequestListener, bytes = 'GET / HTTP/1.1\r\n\r\n') {
  const http = new HttpServer(pino({ level: 'silent' }))
  http.serve({ listener })
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    socket.destroy()
    return http.close()
  })
  socket.write(bytes)
  return socket
}

function send(response: ServerResponse, body: Buffer | NodeJS.ReadableStream): void {
  if (Buffer.isBuffer(body)) response.end(body)
  else body.pipe(response)
}

const SIZE = 30 * 1024 * 1024

test('an answer that is read too slowly is broken off, whether its length is known or not', async t => {
  const patience = { grace: 20, rate: 1024 ** 3 }
  const large = Buffer.alloc(SIZE)
  async function* chunks() {
    for (let at = 0; at < 300; at++) yield 'x'.repeat(100_000)
  }
  const listeners: RequestListener[] = [
    (_request, response) => {
      response.setHeader('Content-Length', SIZE)
      send(response, bodyOf(response, large, patience))
    },
    (_request, response) => send(response, streamOf(response, chunks(), assert.ifError, patience)),
  ]
  for (const listener of listeners) {
    let closed: Promise<unknown> | undefined
    const socket = await open(t, (request, response) => {
      closed = once(response, 'close')
      listener(request, response)
    })
    await once(socket, 'readable')
    await closed
    const { bytes } = await readRest(socket)
    assert.ok(bytes < 20 * 1024 * 1024, `${bytes} bytes`)
  }
})

test('a client that reads slowly, but reads, gets the whole, and what it saved by reading fast is bounded', async t => {
  const patience = { grace: 2_000, rate: 10 * 1024 * 1024 }
  async function* chunks() {
    for (let at = 0; at < 300; at++) yield 'x'.repeat(100_000)
  }
  const socket = await open(
    t,
    (_request, response) => send(response, streamOf(response, chunks(), assert.ifError, patience)),
    'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
  )
  let bytes = 0
  for (let stops = 0; stops < 10; stops++) {
    await once(socket, 'readable')
    bytes += socket.read()?.length ?? 0
    await pause(10)
  }
  const rest = await readRest(socket)
  assert.ok(rest.error === undefined && bytes + rest.bytes > 30_000_000, `${bytes + rest.bytes} bytes`)
})

test('a part of a large answer is sent only when the client has taken the one before', async t => {
  let sent = 0
  const socket = await open(t, (_request, response) => {
    const body = bodyOf(response, Buffer.alloc(SIZE)) as NodeJS.ReadableStream
    body.on('data', part => {
      sent += part.length
    })
    response.setHeader('Content-Length', SIZE)
    send(response, body)
  })
  await once(socket, 'readable')
  for (let seen = -1; seen !== sent; await pause(20)) seen = sent
  assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes`)
})

test('how fast an answer is read is counted in bytes, not in characters', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  async function* chunks() {
    yield '\u20ac'.repeat(100_000)
  }
  const response = await new Promise<ServerResponse>(resolve => {
    open(t, (_request, response) => resolve(response)).catch(assert.ifError)
  })
  const stream = streamOf(response, chunks(), assert.ifError, { grace: 0, rate: 1_000 })
  stream.resume()
  await once(stream, 'end')
  t.mock.timers.tick(200_000)
  assert.equal(response.destroyed, false)
  t.mock.timers.tick(200_000)
  assert.equal(response.destroyed, true)
})

test('nothing is left waiting for a client that has gone before its answer is made', async t => {
  const bytes = 'GET / HTTP/1.0\r\n\r\n'
  const response = await new Promise<ServerResponse>(resolve => {
    const arrived: RequestListener = (_request, response) => {
      response.once('close', () => resolve(response))
      response.socket?.destroy()
    }
    open(t, arrived, bytes).then(socket => socket.on('error', () => undefined), assert.ifError)
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { mock } = t.mock.method(response, 'destroy')
  async function* chunks() {
    yield 'x'
  }
  bodyOf(response, Buffer.alloc(SIZE))
  streamOf(response, chunks(), assert.ifError)
  breakOffUnframed()
  t.mock.timers.tick(DAY)
  assert.equal(mock.callCount(), 0)
})
