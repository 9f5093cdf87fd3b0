import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { retryDelivery } from '#product/administration/webhooks/deliveries.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const MINUTE = 60_000

/** Starts with an endpoint whose one delivery has failed once, and is due again in a minute. */
async function startWithFailure(t: TestContext) {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const { db } = server
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'registration.created')
  receiver.behave(answering(503))
  await server.register()
  const readFirst = async () => {
    const found = (await readDeliveries(db, endpoint.id)).find(({ type }) => type === 'registration.created')
    assert.ok(found !== undefined)
    return found
  }
  const failed = await onceSettled(server, 'webhooks', 'the first failure', async () => {
    const found = await readFirst()
    return found.attempts === 1 && found
  })
  const retry = (id = failed.id) => db.write(server.applied.account_id, tx => retryDelivery(tx, id))
  /** Has the loop look for what is due at this instant of the clock. */
  const canary = await startReceiver(t)
  const { id: canaryId } = await server.subscribe(canary, 'payment.completed')
  const turn = async () => {
    const before = canary.received.length
    await db.write(server.applied.account_id, tx => webhooks.ping(tx, canaryId))
    await eventually('the ping of the canary', () => canary.received.length > before)
  }
  return { ...server, receiver, endpoint, failed, readFirst, retry, turn }
}

test('a manual retry that succeeds sends the same event, is not one of the eight, and ends the schedule', async t => {
  const { app, receiver, failed, readFirst, retry, clock, turn } = await startWithFailure(t)
  receiver.behave(ok)
  clock.advance(10_000)
  const retried = await retry()
  assert.deepEqual([retried.status, retried.attempts], ['pending', 1])
  const done = await onceSettled({ app }, 'webhooks', 'the success', async () => {
    const found = await readFirst()
    return found.status === 'succeeded' && found
  })
  assert.deepEqual([done.attempts, done.next_attempt_at, done.last_status_code], [1, null, 200])
  assert.deepEqual(
    done.attempt_log.map(({ number, manual, at, status_code }) => ({ number, manual, at, status_code })),
    [
      { number: 1, manual: false, at: failed.attempt_log[0]?.at, status_code: 503 },
      { number: null, manual: true, at: new Date(clock()).toISOString(), status_code: 200 },
    ],
  )
  const [, first, second] = receiver.received
  assert.equal(second?.body, first?.body)
  assert.equal(second?.headers['svc-event-id'], failed.event_id)
  assert.notEqual(second?.headers['svc-signature'], first?.headers['svc-signature'])

  clock.advance(48 * 60 * MINUTE)
  await turn()
  assert.equal(receiver.received.length, 3)
  assert.equal((await readFirst()).attempt_log.length, 2)
})

test('a manual retry that fails leaves the schedule as it was', async t => {
  const { app, receiver, failed, readFirst, retry, clock } = await startWithFailure(t)
  clock.advance(10_000)
  await retry()
  const after = await onceSettled({ app }, 'webhooks', 'the attempt by hand', async () => {
    const found = await readFirst()
    return found.attempt_log.length === 2 && found
  })
  assert.deepEqual(
    [after.status, after.attempts, after.next_attempt_at],
    ['pending', 1, failed.next_attempt_at],
  )

  clock.advance(50_000)
  const second = await onceSettled({ app }, 'webhooks', 'the second of the schedule', async () => {
    const found = await readFirst()
    return found.attempts === 2 && found
  })
  assert.deepEqual(
    second.attempt_log.map(({ number }) => number),
    [1, null, 2],
  )
  assert.equal(second.next_attempt_at, new Date(clock() + 5 * MINUTE).toISOString())
  assert.equal(receiver.received.length, 4)
})

test('a delivery that failed for good, or succeeded, can be retried manually, a ping too', async t => {
  const { app, db, receiver, readFirst, retry, endpoint } = await startWithFailure(t)
  await db.write(INSTANCE, tx =>
    tx.run("UPDATE webhook_deliveries SET status = 'failed', attempts = 8, next_attempt_at = NULL"),
  )
  await retry()
  await onceSettled(
    { app },
    'webhooks',
    'a failure by hand',
    async () => (await readFirst()).attempt_log.length === 2,
  )
  assert.deepEqual([(await readFirst()).status, (await readFirst()).attempts], ['failed', 8])
  receiver.behave(ok)
  await retry()
  const done = await onceSettled({ app }, 'webhooks', 'a success by hand', async () => {
    const found = await readFirst()
    return found.attempt_log.length === 3 && found
  })
  assert.deepEqual([done.status, done.attempts, done.last_error], ['succeeded', 8, null])
  await retry()
  await onceSettled({ app }, 'webhooks', 'one more', async () => (await readFirst()).attempt_log.length === 4)

  const ping = (await readDeliveries(db, endpoint.id)).find(({ type }) => type === 'ping')
  await retry(ping?.id)
  await onceSettled(
    { app },
    'webhooks',
    'the ping',
    () => receiver.received.at(-1)?.event.id === ping?.event_id,
  )
})

test('manual retries that are requested while one is under way count as one, and the server goes on meanwhile', async t => {
  const { app, client, receiver, readFirst, retry, turn } = await startWithFailure(t)
  let answer: () => void = () => undefined
  receiver.behave(response => {
    answer = () => response.writeHead(200).end()
  })
  await retry()
  await eventually('the attempt by hand', () => receiver.received.length === 3)
  await retry()
  await turn()
  await retry()
  await turn()
  assert.equal((await client.get('/events')).status, 200)
  assert.equal(receiver.received.length, 3)
  answer()
  const done = await onceSettled({ app }, 'webhooks', 'its end', async () => {
    const found = await readFirst()
    return found.status === 'succeeded' && found
  })
  await turn()
  assert.equal(done.attempt_log.length, 2)
  assert.equal(receiver.received.length, 3)
})

test('a manual retry of an unknown delivery, or to a disabled endpoint, is refused and sends nothing', async t => {
  const { db, applied, receiver, endpoint, failed, readFirst, retry, turn } = await startWithFailure(t)
  await assert.rejects(retry(UNKNOWN_ID), { code: 'not_found' })
  await db.write(applied.account_id, tx => webhooks.setEnabled(tx, endpoint.id, false))
  await assert.rejects(retry(), { code: 'invalid_parameter' })
  await turn()
  assert.deepEqual(await readFirst(), failed)
  assert.equal(receiver.received.length, 2)
})
