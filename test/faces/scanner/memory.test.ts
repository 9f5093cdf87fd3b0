import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { DOOR, DoorClient, secretOf } from '#test/support/door/door.ts'
import { openRaw } from '#test/support/raw.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { readNothing } from '#test/support/slow.ts'
import { eventually } from '#test/support/webhooks.ts'

test('what a scanner sends counts for itself alone: neither visitors nor another scanner behind its address hold it up', async t => {
  const memory = new MemoryBudget({ ofAddress: 2_100_000, ofVisitors: 2_100_000 })
  const server = await startWithOrganization(t, undefined, { tuning: { memory } })
  const { app, db, applied, eventId, clock } = server
  const accountId = applied.account_id
  const scanner = async (name: string) => {
    const device = { ...DOOR, name, event_id: eventId }
    const { pairing_url } = await db.write(accountId, tx => doors.add(tx, device, app.url))
    const client = new DoorClient(new URL(app.url).origin, clock)
    assert.equal((await client.pair(secretOf(pairing_url))).status, 201)
    return client
  }
  const [one, other] = [await scanner('One'), await scanner('Other')]
  const longTo = (path: string, token?: string) =>
    `POST /door${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n${
      token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
    }\r\n{`
  const refused = async (path: string, token?: string) => {
    const { socket, status } = await readNothing(app.url, longTo(path, token))
    socket.destroy()
    return status
  }
  /** Sends as much as is counted. */
  const send = async (client: DoorClient) => {
    const scans = Array.from({ length: 200 }, (_, n) => ({
      ...{ scan_id: `${n}`, kind: 'scan', code: 'x'.repeat(200), at: new Date(clock()).toISOString() },
      ...{ offset: 0, shown: null, reason: null },
    }))
    return (await client.ask('POST', '/scans', { waiting: 0, scans })).status
  }
  // Nobody knows whom a pairing comes from before it is read: it is a visitor's.
  const visitor = openRaw(app.url).socket
  visitor.write(longTo('/pair'))
  await eventually('the visitor counts', () => memory.kept === 2_000_000)
  assert.equal(await refused('/pair'), 429)
  assert.deepEqual([await send(one), await send(other)], [200, 200])

  const open = Array.from({ length: 8 }, () => openRaw(app.url).socket)
  for (const socket of open) socket.write(longTo('/scans', one.token))
  await eventually('all that one may have', () => memory.kept === 18_000_000)
  assert.equal(await refused('/scans', one.token), 429)
  assert.equal(await send(other), 200)
  for (const socket of [visitor, ...open]) socket.destroy()
  await eventually('everything is released', () => memory.kept === 0 && memory.holders === 0)
  assert.equal(await send(one), 200)
})
