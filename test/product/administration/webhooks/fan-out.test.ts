import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { organization } from '#test/support/organization.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { allClaimed, eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

test('an event goes to the enabled endpoints of its account that subscribe to its type, and to no other', async t => {
  const server = await startWithWebhooks(t)
  const { db } = server
  const receivers = {
    subscribed: await startReceiver(t),
    too: await startReceiver(t),
    otherType: await startReceiver(t),
    disabled: await startReceiver(t),
    stranger: await startReceiver(t),
  }
  const subscribed = await server.subscribe(receivers.subscribed, 'registration.created')
  const too = await server.subscribe(receivers.too, 'registration.created', 'checkin.created')
  const otherType = await server.subscribe(receivers.otherType, 'registration.cancelled', 'payment.completed')
  const disabled = await server.subscribe(receivers.disabled, 'registration.created')
  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, disabled.id, false))
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await db.write(account_id, tx =>
    webhooks.addEndpoint(tx, { url: receivers.stranger.url, types: ['registration.created'] }),
  )

  const created = await server.register()
  const both = [receivers.subscribed, receivers.too]
  await onceSettled(server, 'webhooks', 'both webhooks', () =>
    both.every(({ received }) => received.length === 2),
  )
  const [first, second] = both.map(({ received }) => received[1])
  assert.equal(first?.event.data.object.id, created.id)
  assert.equal(first?.body, second?.body)
  assert.notEqual(first?.headers['svc-signature'], second?.headers['svc-signature'])

  for (const { id } of [subscribed, too]) assert.equal((await readDeliveries(db, id)).length, 2)
  for (const { id } of [otherType, disabled, stranger]) {
    assert.deepEqual(
      (await readDeliveries(db, id)).map(({ type }) => type),
      ['ping'],
    )
  }
  await onceSettled(
    server,
    'webhooks',
    'the ping of the other account',
    () => receivers.stranger.received.length === 1,
  )
  for (const { received } of [receivers.otherType, receivers.disabled, receivers.stranger]) {
    assert.deepEqual(
      received.map(({ event }) => event.type),
      ['ping'],
    )
  }
})

test('an endpoint gets the events after its addition, and none from before', async t => {
  const server = await startWithWebhooks(t)
  await server.register()
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, 'registration.created')
  const { id } = await server.register()
  await onceSettled(server, 'webhooks', 'the webhook', () => receiver.received.length === 2)
  assert.equal(receiver.received[1]?.event.data.object.id, id)
})

test('deliveries that wait for a disabled endpoint are sent once it is enabled, and events from meanwhile never are', async t => {
  const server = await startWithWebhooks(t)
  const { db, clock } = server
  const receiver = await startReceiver(t)
  const canary = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await server.subscribe(canary, 'registration.created')
  receiver.behave(answering(503))
  const waiting = await server.register()
  await onceSettled(
    server,
    'webhooks',
    'a failed attempt',
    async () => (await readDeliveries(db, id))[0]?.attempts === 1,
  )
  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, false))

  clock.advance(3_600_000)
  receiver.behave(ok)
  const missed = await server.register()
  await onceSettled(server, 'webhooks', 'the canary', () =>
    canary.received.some(({ event }) => event.data.object.id === missed.id),
  )
  const [pending] = await readDeliveries(db, id)
  assert.deepEqual([pending?.status, pending?.attempts], ['pending', 1])
  assert.equal(receiver.received.length, 2)

  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, true))
  const sent = await onceSettled(server, 'webhooks', 'the webhook that waited', () => receiver.received[2])
  assert.equal(sent.event.data.object.id, waiting.id)
  assert.equal(sent.body, receiver.received[1]?.body)
  const deliveries = await onceSettled(server, 'webhooks', 'its end', async () => {
    const found = await readDeliveries(db, id)
    return found.every(({ status }) => status === 'succeeded') && found
  })
  assert.deepEqual(
    deliveries.map(({ type, attempts }) => [type, attempts]),
    [
      ['registration.created', 2],
      ['ping', 1],
    ],
  )
})

test('queued deliveries are not sent to an endpoint that is disabled or removed', async t => {
  for (const removed of [false, true]) {
    const server = await startWithWebhooks(t)
    const { db } = server
    const receiver = await startReceiver(t)
    const { id } = await server.subscribe(receiver, 'registration.created')
    const pending: (() => void)[] = []
    receiver.behave(response => pending.push(() => response.writeHead(200).end()))
    await Promise.all(Array.from({ length: 12 }, () => server.register()))
    await eventually('four attempts in flight', () => pending.length === 4)
    // All twelve are claimed: eight wait for their turn.
    await allClaimed(server)
    if (removed) await webhooks.removeEndpoint(db, server.applied.account_id, id)
    else await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, false))
    for (const answer of pending) answer()

    const canary = await startReceiver(t)
    await server.subscribe(canary, 'registration.created')
    assert.equal(receiver.received.length, 1 + 4)
    assert.deepEqual(
      server.log.filter(({ level }) => (level as number) >= 40),
      [],
    )
    const rest = await readDeliveries(db, id)
    if (removed) {
      assert.deepEqual(rest, [])
      const attempts = await db.read(INSTANCE, tx => tx.all('SELECT id FROM webhook_attempts'))
      // Only the ping of the canary is left.
      assert.equal(attempts.length, 1)
      continue
    }
    await onceSettled(server, 'webhooks', 'the claims that are given back', async () => {
      const found = await readDeliveries(db, id)
      return found.filter(({ status }) => status === 'pending').length === 8
    })
    await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, true))
    receiver.behave(ok)
    await onceSettled(server, 'webhooks', 'the rest', () => receiver.received.length === 1 + 12)
    assert.equal(new Set(receiver.received.map(({ event }) => event.id)).size, 13)
  }
})

test('a ping to a disabled endpoint is refused, and leaves nothing behind', async t => {
  const server = await startWithWebhooks(t)
  const { db } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await db.write(server.applied.account_id, tx => webhooks.setEnabled(tx, id, false))
  await assert.rejects(
    db.write(server.applied.account_id, tx => webhooks.ping(tx, id)),
    { code: 'invalid_parameter' },
  )
  assert.equal((await readDeliveries(db, id)).length, 1)
})

test('a second endpoint with the same address in one account is refused; another account may have it', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, 'registration.created')
  await assert.rejects(server.addEndpointTo(receiver.url, 'ping'), { code: 'invalid_parameter' })
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  await server.db.write(account_id, tx =>
    webhooks.addEndpoint(tx, { url: receiver.url, types: ['registration.created'] }),
  )
  await server.register()
  await onceSettled(server, 'webhooks', 'two pings and one event', () => receiver.received.length === 3)
  const types = receiver.received.map(({ event }) => event.type).sort()
  assert.deepEqual(types, ['ping', 'ping', 'registration.created'])
})
