import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { addEndpoint } from '#product/administration/webhooks/rules.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { ok, type Receiver, startReceiver } from '#test/support/receiver.ts'
import { startServer } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { allClaimed, eventually, startWithWebhooks } from '#test/support/webhooks.ts'

const LEASE = 20_000
const EVENTS = 12

/** Copies the files of the database as they are on the disk, which is what a kill -9 at this moment would leave. */
function copyFiles(t: TestContext, data: string): string {
  const copy = temporaryFolder(t)
  for (const suffix of ['', '-wal']) {
    cpSync(join(data, `turnout.db${suffix}`), join(copy, `turnout.db${suffix}`))
  }
  return copy
}

/** Starts twelve deliveries whose first attempts never end: four are in flight, and eight are claimed. */
async function startInTheMiddle(t: TestContext) {
  const server = await startWithWebhooks(t, { tuning: { webhookDeadline: 600_000 } })
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  let atFirst: string | undefined
  receiver.behave(() => {
    atFirst ??= copyFiles(t, server.data)
  })
  await Promise.all(Array.from({ length: EVENTS }, () => server.register()))
  await eventually('four in flight', () => receiver.received.length === 1 + 4)
  await allClaimed(server)
  return { ...server, receiver, endpointId: id, atFirst: atFirst as string }
}

interface DeliveryRow {
  event_id: string
  status: string
  attempts: number
  next_attempt_at: number
  body: string
}

function readRows(data: string, endpointId: string): DeliveryRow[] {
  const connection = new SqliteConnection(join(data, 'turnout.db'), { readonly: true })
  try {
    const rows = connection.prepare(
      `SELECT d.event_id, d.status, d.attempts, d.next_attempt_at, v.body
       FROM webhook_deliveries d JOIN webhook_events v ON v.id = d.event_id WHERE d.endpoint_id = ? AND d.type <> 'ping'`,
    )
    return rows.all(endpointId) as DeliveryRow[]
  } finally {
    connection.close()
  }
}

/** Starts a server on what a crash left, at a time after it, and says which events do not reach their receiver whole. */
async function findLost(t: TestContext, data: string, endpointId: string, receiver: Receiver, time: number) {
  const expected = readRows(data, endpointId)
  const before = receiver.received.length
  receiver.behave(ok)
  const clock = testClock(new Date(time).toISOString())
  const server = await startServer(t, { data, clock, settings: { allowInsecureWebhooks: true } })
  await onceSettled(server, 'webhooks', 'all that will be sent for now', () =>
    readRows(data, endpointId).every(row => row.status === 'succeeded' || row.next_attempt_at > time + LEASE),
  )
  await server.app.close()
  const sent = receiver.received.slice(before)
  return expected
    .filter(({ event_id: id, body }) => {
      const found = sent.filter(({ headers }) => headers['svc-event-id'] === id)
      return found.length !== 1 || found[0]?.body !== body
    })
    .map(({ event_id: id }) => id)
}

test('a claim is in the database before anything is sent, and counts as no attempt', async t => {
  const { clock, endpointId, atFirst, receiver } = await startInTheMiddle(t)
  const claimed = readRows(atFirst, endpointId).find(row => row.event_id === receiver.received[1]?.event.id)
  assert.deepEqual(
    [claimed?.status, claimed?.attempts, claimed?.next_attempt_at],
    ['pending', 0, clock() + LEASE],
  )
  await receiver.close()
})

test('after kill -9 in the middle of attempts each event is sent again, the same bytes under the same id, and none is lost', async t => {
  const { clock, data, endpointId, receiver } = await startInTheMiddle(t)
  const cut = receiver.received.slice(1).map(({ event, body }) => [event.id, body])
  const copy = copyFiles(t, data)
  assert.equal(readRows(copy, endpointId).length, EVENTS)
  const before = receiver.received.length
  assert.deepEqual(await findLost(t, copy, endpointId, receiver, clock() + LEASE), [])
  const again = new Map(receiver.received.slice(before).map(({ event, body }) => [event.id, body]))
  assert.equal(receiver.received.length, before + EVENTS)
  for (const [id, body] of cut) assert.equal(again.get(id), body)
  await receiver.close()
})

test('a claim that a crash left is not sent again until its lease has ended', async t => {
  const { clock, data, endpointId, receiver, applied } = await startInTheMiddle(t)
  const copy = copyFiles(t, data)
  const before = receiver.received.length
  const early = testClock(new Date(clock() + LEASE - 1).toISOString())
  const server = await startServer(t, { data: copy, clock: early, settings: { allowInsecureWebhooks: true } })
  const canary = await startReceiver(t)
  const input = { url: canary.url, types: ['ping'] as const }
  await server.db.write(applied.account_id, tx => addEndpoint(tx, input))
  await server.app.settled('webhooks')
  assert.equal(canary.received.length, 1)
  assert.equal(receiver.received.length, before)
  assert.ok(readRows(copy, endpointId).every(row => row.next_attempt_at === clock() + LEASE))
  await receiver.close()
})

test('the search for lost events sees a claim that is never undone, and one that ended unsent', async t => {
  const { clock, data, endpointId, receiver } = await startInTheMiddle(t)
  const damages = [
    `next_attempt_at = next_attempt_at + ${2 * LEASE}`,
    "next_attempt_at = NULL, status = 'succeeded'",
  ]
  for (const damage of damages) {
    const copy = copyFiles(t, data)
    const victim = readRows(copy, endpointId)[0]?.event_id
    const connection = new SqliteConnection(join(copy, 'turnout.db'))
    const statement = connection.prepare(`UPDATE webhook_deliveries SET ${damage} WHERE event_id = ?`)
    assert.equal(statement.run(victim).changes, 1)
    connection.close()
    assert.deepEqual(await findLost(t, copy, endpointId, receiver, clock() + LEASE), [victim], damage)
  }
  await receiver.close()
})
