import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import { readState } from '#test/support/observations.ts'
import { openRaw } from '#test/support/raw.ts'
import { newRegistration } from '#test/support/requests.ts'
import { readNothing, readRest, requestOf } from '#test/support/slow.ts'
import { eventually, startSubscribed } from '#test/support/webhooks.ts'

const MEBIBYTE = 1024 * 1024

/** Starts a server with a registration of 12 MB, which no system takes from it at once. */
async function startWithLargeAnswer(t: TestContext) {
  const memory = new MemoryBudget()
  const server = await startSubscribed(t, undefined, { tuning: { memory } })
  const { client, app, db } = server
  const { body } = await client.post('/registrations', newRegistration(server, { quantity: 2 }))
  const answers = JSON.stringify({ essay: 'x'.repeat(12_000_000) })
  await db.write(INSTANCE, async tx => {
    await tx.run('UPDATE registrations SET answers = $1', [answers])
    await tx.run(
      "INSERT INTO answer_keys SELECT account_id, event_id, 'essay', created_at, created_at FROM registrations",
    )
  })
  const tickets = body.attendees.map(({ id }: { id: string }) => id)
  const path = `/registrations/${body.id}`
  const released = () => eventually('everything is released', () => memory.kept === 0 && memory.holders === 0)
  const readSlowly = (key = client.key) =>
    readNothing(app.url, `${requestOf(path, key)}Connection: close\r\n\r\n`)
  return { ...server, memory, path, tickets, released, readSlowly }
}

test('unread answers bound what else a key gets; small answers always come, and other keys go on', async t => {
  const server = await startWithLargeAnswer(t)
  const { client, memory, path, tickets, released, readSlowly } = server
  const { socket } = await readSlowly()
  assert.ok(memory.kept > 12_000_000, `${memory.kept} bytes`)
  const refused = await client.get(path)
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
  assert.equal(refused.headers['retry-after'], '1')
  assert.match(refused.body.error.message, /still on its way/)
  assert.equal((await client.get('/events')).status, 200)
  assert.equal((await client.post('/check-ins', { attendee_id: tickets[0] })).status, 201)
  assert.equal((await client.post('/registrations', newRegistration(server))).status, 201)
  const other = await server.clientOf(server.applied.account_id)
  assert.equal((await other.get(path)).status, 200)

  const { bytes, error } = await readRest(socket)
  assert.ok(bytes > 11_900_000 && error === undefined, `${bytes} bytes, ${error}`)
  await released()
  assert.equal((await client.get(path)).status, 200)
})

test('an address is bounded over all of its keys, and all of them together', async t => {
  const { applied, clientOf, readSlowly, path } = await startWithLargeAnswer(t)
  const clients = await Promise.all([1, 2, 3].map(() => clientOf(applied.account_id)))
  for (const { key } of clients.slice(0, 2)) assert.equal((await readSlowly(key)).status, 200)
  assert.equal((await clients[2]?.get(path))?.status, 429)

  const budget = new MemoryBudget({ ofAll: 3 * MEBIBYTE })
  const add = (name: string) => budget.add(2 * MEBIBYTE, [[name, 4 * MEBIBYTE]])
  add('one')
  assert.throws(() => add('other'), { code: 'unavailable' })
  budget.remove(2 * MEBIBYTE, [['one', 0]])
  add('other')
})

test('visitors of many addresses leave room for keys, people and devices', () => {
  const budget = new MemoryBudget({ ofVisitors: 3 * MEBIBYTE, ofAll: 5 * MEBIBYTE })
  const open = (key: string | undefined, address: string) =>
    budget.open(new ServerResponse(new IncomingMessage(new Socket())), key, address)
  open(undefined, '192.0.2.1').keep('answer', 2 * MEBIBYTE)
  assert.throws(() => open(undefined, '192.0.2.2').keep('answer', 2 * MEBIBYTE), { code: 'unavailable' })
  open('key', '192.0.2.1').keep('answer', 2 * MEBIBYTE)
  assert.equal(budget.kept, 4 * MEBIBYTE)
})

test('the memory of a request is released however it ends', async t => {
  const { app, client, memory, path, released, readSlowly, eventId } = await startWithLargeAnswer(t)
  const gone = await readSlowly()
  gone.socket.destroy()
  await released()
  const reset = await readSlowly()
  reset.socket.resetAndDestroy()
  await released()
  assert.equal((await client.get(path)).status, 200)
  await released()
  assert.equal((await client.send('HEAD', path)).status, 200)
  await released()
  assert.equal((await client.get('/registrations/unknown')).status, 404)

  // Those behind another are not begun before it is over, and then their client has gone.
  const report = requestOf(`/reports/registrations?event_id=${eventId}`, client.key)
  const piped = await readNothing(app.url, `${requestOf(path, client.key)}\r\n${`${report}\r\n`.repeat(2)}`)
  await eventually('the first of them', () => memory.kept >= 12_000_000)
  assert.ok(memory.kept < 12_000_000 + 2 * MEBIBYTE)
  piped.socket.destroy()
  await released()
})

test('nothing is kept for a client that has gone before its answer is made, at whatever step', async t => {
  const { app, client, path, released } = await startWithLargeAnswer(t)
  for (let turns = 0; turns < 30; turns++) {
    const { socket, closed } = openRaw(app.url)
    socket.write(`${requestOf(path, client.key)}\r\n`)
    for (let turn = 0; turn < turns; turn++) await nextTurn()
    socket.resetAndDestroy()
    await closed
  }
  await released()
  assert.equal((await client.get(path)).status, 200)
})

test('a body counts from the start where its length is told, as it comes where not, and is refused before it is read', async t => {
  const server = await startWithLargeAnswer(t)
  const { app, client, db, memory, released, tickets } = server
  const before = await readState(db)
  const head = `${requestOf('/registrations', client.key, { method: 'POST' })}Content-Type: application/json\r\n`
  const long = `${head}Content-Length: 1000000\r\n\r\n{`
  const chunked = (size: number) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`

  for (const [bytes, least, most] of [
    [long, 2_000_000, 2_000_000],
    [chunked(70_000), 140_000, 600_000],
  ] as const) {
    const { socket } = openRaw(app.url)
    socket.write(bytes)
    await eventually('the body counts', () => memory.kept >= least)
    assert.ok(memory.kept <= most, `${memory.kept} bytes`)
    socket.destroy()
    await released()
  }

  const open = Array.from({ length: 8 }, () => openRaw(app.url).socket)
  for (const socket of open) socket.write(long)
  await eventually('all but one', () => memory.kept === 16_000_000)
  assert.equal((await readNothing(app.url, long)).status, 429)
  assert.equal((await readNothing(app.url, chunked(500_000))).status, 429)
  assert.equal((await client.post('/check-ins', { attendee_id: tickets[0] })).status, 201)
  for (const socket of open) socket.destroy()
  await released()
  assert.deepEqual((await readState(db)).registrations, before.registrations)
})

test('a write whose answer has no room is not done, and neither is its replay answered', async t => {
  const server = await startWithLargeAnswer(t)
  const { client, db, memory, path, readSlowly, released } = server
  const keyed = { headers: { 'idempotency-key': 'cancel-1' } }
  const { socket } = await readSlowly()
  const before = await readState(db)
  const refused = await client.post(`${path}/cancel`, undefined, keyed)
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'rate_limited'])
  assert.deepEqual(await readState(db), before)
  socket.destroy()
  await released()
  assert.equal((await client.post(`${path}/cancel`, undefined, keyed)).status, 200)
  await released()
  const other = await readSlowly()
  assert.equal((await client.post(`${path}/cancel`, undefined, keyed)).status, 429)
  other.socket.destroy()
  await released()
  const replayed = await client.post(`${path}/cancel`, undefined, keyed)
  assert.deepEqual([replayed.status, replayed.headers['idempotent-replayed']], [200, 'true'])
  assert.ok(memory.kept >= 0)
})

test('a key makes few reports at a time, whatever is in them', async t => {
  const { client, memory, eventId, app, released } = await startWithLargeAnswer(t)
  const report = `/reports/registrations?event_id=${eventId}`
  const slow = await Promise.all(
    Array.from({ length: 8 }, () => readNothing(app.url, `${requestOf(report, client.key)}\r\n`)),
  )
  assert.equal(memory.kept, 16 * MEBIBYTE)
  for (const path of [report, `${report}&format=csv`, '/reports/monthly'])
    assert.equal((await client.get(path)).status, 429)
  for (const { socket } of slow) socket.destroy()
  await released()
  assert.equal((await client.get('/reports/monthly')).status, 200)
})
