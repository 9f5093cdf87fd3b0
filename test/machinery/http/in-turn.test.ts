import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { inTurn } from '#machinery/http/in-turn.ts'
import { openRaw } from '#test/support/raw.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { eventually } from '#test/support/webhooks.ts'

test('requests that are sent without waiting are answered in their order, up to a hundred', async t => {
  const { app, client, db } = await startWithOrganization(t)
  const head = `Host: x\r\nAuthorization: Bearer ${client.key}\r\n`
  const body = '{"attendee_id":"0197a0b4-0000-7000-8000-00000000dead"}'
  const form = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const round = [
    `GET /v1/events?limit=1 HTTP/1.1\r\n${head}\r\n`,
    `POST /v1/check-ins HTTP/1.1\r\n${head}${form}\r\n${body}`,
    `GET /v1/events?limit=0 HTTP/1.1\r\n${head}\r\n`,
  ]
  const { socket, closed } = openRaw(app.url)
  const last = `HEAD /v1/events HTTP/1.1\r\n${head}Connection: close\r\n\r\n`
  socket.write(`${round.join('').repeat(33)}${last}`)
  const statuses = [...(await closed).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  assert.deepEqual(statuses, [...Array.from({ length: 33 }, () => [200, 404, 400]).flat(), 200])
  const kept = await db.read(INSTANCE, tx =>
    tx.all("SELECT id FROM access_log WHERE action = 'check_in.create'"),
  )
  assert.equal(kept.length, 33)
})

test('a connection that sends thousands of requests at once is cut, and hardly any of them is looked at', async t => {
  const { app, client, log } = await startWithOrganization(t)
  const { socket, closed } = openRaw(app.url)
  socket.write('GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5_000))
  await closed
  assert.equal((await client.get('/events')).status, 200)
  assert.ok(log.length <= 10, `${log.length} requests were answered`)
})

test('a connection may have a few requests waiting while thousands wait on others, and more once those have gone', async t => {
  let begun = 0
  const server = createServer(
    inTurn(() => {
      begun++
    }),
  )
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise(listening => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  let cut = 0
  const open = async (requests: number) => {
    const before = begun
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined).on('close', () => cut++)
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
    await eventually('its first request', () => begun > before)
    return socket
  }
  const many = []
  for (let count = 0; count < 50; count++) many.push(await open(101))
  assert.equal(cut, 0)
  await open(6)
  await eventually('its end', () => cut === 1)
  await open(5)
  for (const socket of many) socket.destroy()
  await eventually('theirs', () => cut === 51)
  await open(101)
  await new Promise(turn => setTimeout(turn, 50))
  assert.equal(cut, 51)
})
