import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { createHttpServer } from '../../src/http/server.ts'
import { readRest } from '../support/slow.ts'
import { eventually } from '../support/webhooks.ts'

/** Sends so many requests in one packet to a server that keeps their answers to itself. */
async function sendTogether(t: TestContext, count: number, { isServing = true } = {}) {
  const http = createHttpServer(pino({ level: 'silent' }))
  const responses: ServerResponse[] = []
  const listener = (_request: unknown, response: ServerResponse) => responses.push(response)
  const serve = () => http.serve({ listener })
  if (isServing) serve()
  http.server.listen(0, '127.0.0.1')
  await once(http.server, 'listening')
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1')
  t.after(() => {
    socket.destroy()
    return http.close()
  })
  socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(count))
  return { http, socket, responses, serve }
}

test('sixteen requests that one client sends together are answered in their order; with one more the connection ends', async t => {
  const { socket, responses } = await sendTogether(t, 16)
  await eventually('all of them', () => responses.length === 16)
  for (const [at, response] of [...responses.entries()].reverse()) response.end(String(at))
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  const answers = () => received.split('HTTP/1.1 200 OK').slice(1)
  await eventually('all answers', () => answers().length === 16 && received.endsWith('15'))
  assert.deepEqual(
    answers().map(answer => Number(answer.split('\r\n\r\n')[1])),
    responses.map((_, at) => at),
  )

  const many = await sendTogether(t, 1_000)
  await readRest(many.socket)
  assert.equal(many.responses.length, 16)
})

test('those who waited behind an answer are told too when their client goes', async t => {
  const { socket, responses } = await sendTogether(t, 5)
  await eventually('all of them', () => responses.length === 5)
  const closed = responses.map(response => once(response, 'close'))
  socket.destroy()
  await Promise.all(closed)
  assert.ok(responses.every(response => response.destroyed))
})

test('a client that goes before the server serves is forgotten', async t => {
  const { http, socket, responses, serve } = await sendTogether(t, 5, { isServing: false })
  await eventually('the connection', () => http.open === 1)
  socket.destroy()
  await eventually('its end', () => http.open === 0)
  await new Promise(resolve => setImmediate(resolve))
  serve()
  assert.equal(responses.length, 0)
})
