import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { answering, endlessBody, ok, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const DAY = 86_400_000

function countRows(db: Parameters<typeof readDeliveries>[0]) {
  return db.read(INSTANCE, async tx => {
    const count = async (table: string) =>
      (await tx.one<{ count: number }>(`SELECT count(*) AS count FROM ${table}`))?.count
    return [await count('webhook_events'), await count('webhook_deliveries'), await count('webhook_attempts')]
  })
}

test('attempts are deleted 30 days after they began, ended deliveries with them, and pending ones never', async t => {
  const server = await startWithWebhooks(t)
  const { db, clock } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await server.register()
  await onceSettled(
    server,
    'webhooks',
    'a success',
    async () => (await readDeliveries(db, id))[0]?.status === 'succeeded',
  )
  receiver.behave(answering(500))
  const waiting = await server.register()
  await onceSettled(
    server,
    'webhooks',
    'a failure',
    async () => (await readDeliveries(db, id))[0]?.attempts === 1,
  )
  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, false))
  // Its endpoint is removed, and so it goes to nobody.
  const other = await startReceiver(t)
  const { id: removed } = await server.subscribe(other, 'registration.created')
  const nobody = await server.register()
  await webhooks.removeEndpoint(db, server.applied.account_id, removed)
  assert.deepEqual(await countRows(db), [5, 3, 3])

  clock.advance(30 * DAY)
  await cleanUp(db, clock, 365)
  assert.deepEqual(await countRows(db), [5, 3, 3])

  clock.advance(1)
  await cleanUp(db, clock, 365)
  assert.deepEqual(await countRows(db), [1, 1, 0])
  const [pending] = await readDeliveries(db, id)
  assert.deepEqual([pending?.status, pending?.attempts, pending?.attempt_log], ['pending', 1, []])

  receiver.behave(ok)
  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, true))
  await onceSettled(server, 'webhooks', 'what waited', () => receiver.received.length === 4)
  const sent = receiver.received.at(-1)?.event
  assert.equal(sent.data.object.id, waiting.id)
  assert.notEqual(sent.data.object.id, nobody.id)
  assert.equal(sent.id, pending?.event_id)
})

test('an old delivery keeps its attempts of the last 30 days', async t => {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const { db, clock } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  receiver.behave(answering(500))
  await server.register()
  await onceSettled(
    server,
    'webhooks',
    'the first',
    async () => (await readDeliveries(db, id))[0]?.attempts === 1,
  )
  clock.advance(DAY)
  receiver.behave(ok)
  await db.write(INSTANCE, tx => tx.now())
  await onceSettled(
    server,
    'webhooks',
    'the second',
    async () => (await readDeliveries(db, id))[0]?.status === 'succeeded',
  )
  clock.advance(29 * DAY + 1)
  await cleanUp(db, clock, 365)
  const [delivery] = await readDeliveries(db, id)
  assert.deepEqual(
    [delivery?.attempts, delivery?.attempt_log.map(({ number, response }) => [number, response])],
    [2, [[2, 'thanks']]],
  )
  assert.deepEqual(await countRows(db), [1, 1, 1])
})

test('an endless body is a success after its first 16 KiB: the connection is closed, and 1 KiB is kept', async t => {
  const server = await startWithWebhooks(t)
  const { db } = server
  const sent = { bytes: 0 }
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  receiver.behave(endlessBody(200, sent))
  await server.register()
  const [delivery] = await onceSettled(server, 'webhooks', 'the success', async () => {
    const found = await readDeliveries(db, id)
    return found[0]?.status === 'succeeded' && found
  })
  await eventually('the end of the connection', () => receiver.open() === 0)
  assert.equal(delivery?.attempt_log[0]?.response, 'x'.repeat(1024))
  assert.equal(delivery?.attempt_log[0]?.error, null)
  // The sender also filled the buffers of the system, but sent nothing like an endless amount.
  assert.ok(sent.bytes >= 16 * 1024 && sent.bytes < 64 * 1024 * 1024)
})

test('the kept text of an answer has whole characters, and no NUL', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  const cases = [
    ['a'.repeat(1023) + 'é'.repeat(10), 'a'.repeat(1023)],
    ['a\u0000b', 'a\ufffdb'],
    ['', ''],
    ['é'.repeat(512), 'é'.repeat(512)],
  ] as const
  for (const [at, [body, kept]] of cases.entries()) {
    receiver.behave(answering(200, { 'content-type': 'text/plain' }, body))
    await server.register()
    const [delivery] = await onceSettled(server, 'webhooks', 'the end', async () => {
      const found = await readDeliveries(server.db, id)
      return found.length === at + 2 && found[0]?.status === 'succeeded' && found
    })
    assert.equal(delivery?.attempt_log[0]?.response, kept)
  }
})
