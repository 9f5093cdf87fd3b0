import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answering,
  closedAddress,
  dripping,
  endlessHints,
  type Receiver,
  silent,
  startReceiver,
} from '#test/support/receiver.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const EVENTS = 1_000
/** Longer than any test: what is slow is held until its receiver is closed. */
const NEVER = 600_000

test('1,000 events reach a healthy receiver, each once, while ten bad ones beside it are slow, dead or failing', {
  timeout: 180_000,
}, async t => {
  const server = await startWithWebhooks(t, { tuning: { webhookDeadline: NEVER } })
  const slow: Receiver[] = []
  for (const behaviour of [
    silent,
    dripping,
    endlessHints,
    silent,
    dripping,
    endlessHints,
    silent,
    dripping,
  ]) {
    slow.push(await startReceiver(t, behaviour))
  }
  const failing = await startReceiver(t, answering(500))
  const healthy = await startReceiver(t)
  const urls = [...slow, failing].map(({ url }) => url)
  for (const url of [...urls, await closedAddress(t)]) {
    await server.addEndpointTo(url, 'registration.created')
  }
  const { id } = await server.subscribe(healthy, 'registration.created')

  let left = EVENTS
  const created: string[] = []
  const create = async () => {
    while (left-- > 0) created.push((await server.register()).id)
  }
  await Promise.all(Array.from({ length: 20 }, create))
  const last = await eventually('the last of the events', () => healthy.received[EVENTS], 150_000)
  assert.equal(last.event.type, 'registration.created')
  // The slow ones hold what they were sent first, and so this is no matter of how fast the machine is.
  for (const receiver of slow) {
    assert.equal(receiver.received.length, 4)
    assert.equal(receiver.open(), 4)
  }

  const arrived = healthy.received.slice(1).map(({ event }) => event.data.object.id)
  assert.deepEqual(arrived.sort(), created.sort())
  assert.equal(new Set(healthy.received.map(({ event }) => event.id)).size, EVENTS + 1)
  for (const receiver of [...slow, failing, healthy]) assert.ok(receiver.mostAtOnce <= 4)
  assert.ok(healthy.connections <= 4)

  await eventually('the end of each delivery', async () => {
    const deliveries = await readDeliveries(server.db, id)
    return deliveries.every(({ status, attempts }) => status === 'succeeded' && attempts === 1)
  })
  assert.equal(healthy.received.length, EVENTS + 1)
  await Promise.all(slow.map(receiver => receiver.close()))
})
