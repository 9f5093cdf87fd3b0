import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { Client } from '#test/support/client.ts'
import { testClock } from '#test/support/clock.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { answering, dripping, ok, silent, startReceiver } from '#test/support/receiver.ts'
import { startServer } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { allClaimed, eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

test('an attempt that is answered while the server stops counts as it was answered', async t => {
  for (const status of [200, 500]) {
    const server = await startWithWebhooks(t)
    const receiver = await startReceiver(t)
    const { id } = await server.subscribe(receiver, 'registration.created')
    let answer: () => void = () => undefined
    receiver.behave((response, received) => {
      answer = () => answering(status)(response, received)
    })
    await server.register()
    await eventually('the attempt', () => receiver.received.length === 2)
    const stopping = server.app.close()
    await eventually('the stop', () =>
      fetch(server.app.url).then(
        () => false,
        () => true,
      ),
    )
    answer()
    await stopping
    const [delivery] = await readDeliveries(server.db, id)
    assert.equal(delivery?.status, status === 200 ? 'succeeded' : 'pending')
    assert.deepEqual([delivery?.attempts, delivery?.last_status_code], [1, status])
    assert.deepEqual(
      delivery?.attempt_log.map(({ status_code }) => status_code),
      [status],
    )
  }
})

test('a server that is stopped cuts slow attempts off, ends by itself, counts none of them, and sends them again at its next start', {
  timeout: 60_000,
}, async t => {
  const { data, accountId, eventId, typeId, key } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const receivers = [await startReceiver(t), await startReceiver(t)]
  const endpoints: string[] = []
  for (const { url } of receivers) {
    const input = { url, types: ['registration.created'] as const }
    endpoints.push((await db.write(accountId, tx => webhooks.addEndpoint(tx, input))).id)
  }
  const process = await startServerProcess(t, data, { flags: ['--allow-insecure-webhooks'] })
  await eventually('the pings', () => receivers.every(({ received }) => received.length === 1))
  receivers[0]?.behave(silent)
  receivers[1]?.behave(dripping)
  const client = new Client(process.url, key)
  const buyer = { name: 'Grace', email: 'grace@example.org' }
  const body = { event_id: eventId, registration_type_id: typeId, buyer }
  await Promise.all(Array.from({ length: 6 }, () => client.post('/registrations', body)))
  await client.close()
  await eventually('four in flight to each', () => receivers.every(({ received }) => received.length === 5))
  await allClaimed({ db, clock: Date.now })
  process.kill('SIGTERM')
  const { code, signal, stderr } = await process.ended
  assert.deepEqual([code, signal, stderr], [0, null, ''])

  const stopped = Date.now()
  for (const id of endpoints) {
    const sent = (await readDeliveries(db, id)).filter(({ type }) => type === 'registration.created')
    assert.equal(sent.length, 6)
    for (const delivery of sent) {
      assert.deepEqual([delivery.status, delivery.attempts, delivery.attempt_log], ['pending', 0, []])
      // The claim was given back, so not even the lease has to pass.
      assert.ok(Date.parse(delivery.next_attempt_at as string) <= stopped)
    }
  }
  for (const receiver of receivers) receiver.behave(ok)
  const clock = testClock(new Date(stopped).toISOString())
  const { app } = await startServer(t, { data, clock, settings: { allowInsecureWebhooks: true } })
  await app.settled('webhooks')
  for (const { received } of receivers) {
    assert.equal(received.length, 5 + 6)
    const again = received.slice(5).map(({ body: bytes }) => bytes)
    assert.ok(received.slice(1, 5).every(({ body: bytes }) => again.includes(bytes)))
  }
})
