import assert from 'node:assert/strict'
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MAX_BODY } from '#machinery/http/json-body.ts'
import { readState } from '#test/support/observations.ts'
import { openRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

test('a body has at most 10,000 values, counted outside of its texts, before it is parsed', async t => {
  const server = await startSubscribed(t)
  const { client } = server
  const before = await readState(server.db)
  const list = (count: number) => `[${Array.from({ length: count }, () => '0').join(', ')}]`
  const parse = t.mock.method(JSON, 'parse')
  for (const body of [
    `{"a":${list(10_000)}}`,
    `{${Array.from({ length: 10_001 }, (_, at) => `"${at}":0`).join()}}`,
    '['.repeat(20_000),
    `{"a\\\\":${list(10_000)}}`,
  ]) {
    const answer = await client.send('POST', '/registrations', { body })
    const { code, message } = answer.body.error
    assert.deepEqual([answer.status, code], [400, 'invalid_parameter'])
    assert.equal(message, 'The body has more than 10,000 values.')
    assert.ok(parse.mock.calls.every(({ arguments: [text] }) => text !== body))
  }
  assert.equal((await client.post('/registrations', `{"a":${list(9_998)}}`)).body.error.param, 'event_id')
  assert.deepEqual(await readState(server.db), before)
  const texts = [`"${'[,{'.repeat(900)}`, `"\\"${',"'.repeat(900)}`].join('')
  const answers = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`",[${at}\\`, texts]))
  const legal = newRegistration(server, { answers })
  assert.equal((await client.post('/registrations', legal)).status, 201)
})

test('a body in chunks of one byte takes no more memory than its bytes', async t => {
  const { app, client } = await startWithOrganization(t)
  let socket: Socket | undefined
  const see = (message: unknown) => {
    socket = (message as { request: IncomingMessage }).request.socket
  }
  diagnostics.subscribe('http.server.request.start', see)
  t.after(() => diagnostics.unsubscribe('http.server.request.start', see))
  const { socket: connection } = openRaw(app.url)
  t.after(() => connection.destroy())
  const head =
    `POST /v1/check-ins HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
  const bytes = Buffer.from(`${head}${'1\r\n \r\n'.repeat(300_000)}`)
  const before = heapAfterCollection()
  connection.write(bytes)
  while ((socket?.bytesRead ?? 0) < bytes.length) await new Promise(resolve => setTimeout(resolve, 1))
  const kept = heapAfterCollection() - before
  assert.ok(kept < 10 * MAX_BODY, `${kept} bytes are kept`)
})

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}
