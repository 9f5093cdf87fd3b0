import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, toIso } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { retryDelivery } from '#product/administration/webhooks/deliveries.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { writeTenYearsAhead } from '#test/support/clock.ts'
import { answering, ok, type Receiver, startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

// The latest write is ten years ahead in all of these: what expires or is due goes by the clock all the same.

/** Counts the signatures of the latest webhook. */
function signatures({ received }: Receiver): number {
  return String(received.at(-1)?.headers['svc-signature']).split('v1=').length - 1
}

test('a webhook goes out at once, again after its delay and not before, and by hand when it is asked for', async t => {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const { clock, db } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  receiver.behave(answering(500))
  await writeTenYearsAhead(server)
  const first = async (attempts: number) =>
    onceSettled(server, 'webhooks', `attempt ${attempts}`, async () => {
      const [delivery] = await readDeliveries(db, id)
      return delivery?.attempts === attempts && delivery
    })

  const { created_at: created } = await server.register()
  assert.ok(Date.parse(created) > clock() + 9 * 365 * DAY)
  const { next_attempt_at: second } = await first(1)
  assert.equal(second, toIso(clock() + MINUTE))
  clock.advance(MINUTE)
  const { next_attempt_at: third, id: deliveryId } = await first(2)
  assert.equal(third, toIso(clock() + 5 * MINUTE))

  const before = receiver.received.length
  receiver.behave(ok)
  await db.write(server.applied.account_id, tx => retryDelivery(tx, deliveryId))
  await onceSettled(server, 'webhooks', 'the retry by hand', () => receiver.received.length === before + 1)
  assert.equal((await readDeliveries(db, id))[0]?.attempts, 2)
})

test('the secret of before a rotation signs for 24 hours', async t => {
  const server = await startWithWebhooks(t)
  const { clock, db } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await writeTenYearsAhead(server)
  const rotated = await db.write(server.applied.account_id, tx => webhooks.rotateSecret(tx, id))
  assert.equal(rotated.previous_secret_expires_at, toIso(clock() + DAY))
  for (const [passed, count] of [
    [DAY - 1, 2],
    [1, 1],
  ] as const) {
    clock.advance(passed)
    const before = receiver.received.length
    await server.register()
    await onceSettled(server, 'webhooks', 'the webhook', () => receiver.received.length === before + 1)
    assert.equal(signatures(receiver), count)
  }
})

test('a rotation with a clock that was years ahead does not keep the secret of before for years', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await writeTenYearsAhead(server, tx => webhooks.rotateSecret(tx.of(server.applied.account_id), id))
  await server.register()
  await onceSettled(server, 'webhooks', 'the webhook', () => receiver.received.length === 2)
  assert.equal(signatures(receiver), 1)
})

test('a clock that was set back by an hour since a rotation ends no secret early', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  await server.db.write(server.applied.account_id, tx => webhooks.rotateSecret(tx, id))
  server.clock.advance(-HOUR)
  await server.register()
  await onceSettled(server, 'webhooks', 'the webhook', () => receiver.received.length === 2)
  assert.equal(signatures(receiver), 2)
})

test('the answer to an Idempotency-Key is kept for 24 hours', async t => {
  const server = await startWithOrganization(t)
  await writeTenYearsAhead(server)
  const send = () =>
    server.client.post('/registrations', newRegistration(server), { headers: { 'idempotency-key': 'once' } })
  const first = await send()
  server.clock.advance(DAY - 1)
  const again = await send()
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  server.clock.advance(1)
  const after = await send()
  assert.deepEqual([after.status, after.headers['idempotent-replayed']], [201, undefined])
  assert.notEqual(after.body.id, first.body.id)
})

test('the last use of a key is told again, once a minute, after it was used with a clock that was ahead', async t => {
  const { client, clock, db } = await startWithOrganization(t)
  const lastUse = async () =>
    (await db.read(INSTANCE, tx => tx.one<{ at: number }>('SELECT last_used_at AS at FROM api_keys')))?.at
  clock.advance(3653 * DAY)
  await client.get('/events')
  await eventually('the use with the wrong clock', async () => (await lastUse()) === clock())
  clock.advance(-3653 * DAY)
  const first = clock()
  await client.get('/events')
  await eventually('the use with the right one', async () => (await lastUse()) === first)
  clock.advance(MINUTE - 1)
  await client.get('/events')
  assert.equal(await lastUse(), first)
})
