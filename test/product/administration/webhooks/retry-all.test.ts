import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { retryDelivery } from '#product/administration/webhooks/deliveries.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import { removeSoon } from '#product/administration/webhooks/removal.ts'
import { countFailedSince, retryFailed } from '#product/administration/webhooks/retry-all.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

/** An endpoint, and a way to send it many events at once. */
async function start(t: TestContext) {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const { app, db, applied } = server
  const accountId = applied.account_id
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'abstract.decided')
  const send = (from: number, count: number) =>
    db.write(accountId, async tx => {
      for (let at = from; at < from + count; at++) await emit(tx, 'abstract.decided', { at })
    })
  /** So many attempts in all, each with its answer. */
  const attempted = async (count: number) => {
    await app.settled('webhooks')
    assert.equal(receiver.received.length, count)
    assert.ok((await readDeliveries(db, endpoint.id)).every(({ attempts }) => attempts > 0))
  }
  /** Marks the deliveries as if their last attempt had been the eighth. */
  const giveUp = () =>
    db.write(accountId, tx =>
      tx.run(
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE endpoint_id = $1 AND type <> 'ping'",
        [endpoint.id],
      ),
    )
  const ended = (id: string) =>
    onceSettled({ app }, 'jobs', 'the end of the job', async () => {
      const job = await db.read(accountId, tx => jobs.get(tx, id))
      return ['done', 'failed'].includes(job.state) && job
    })
  const retry = (since: number) =>
    db.write(accountId, tx => retryFailed(tx, endpoint.id, { since, total: null, by: 'cli' }))
  return { ...server, accountId, receiver, endpoint, send, attempted, giveUp, ended, retry }
}

const numbersOf = (received: readonly { event: { data: { object: { at?: number } } } }[]) =>
  received.map(({ event }) => event.data.object.at).filter(at => at !== undefined)

test('all that has failed since an instant is attempted once more, and nothing else', async t => {
  const { db, accountId, clock, receiver, endpoint, send, attempted, giveUp, ended, retry } = await start(t)
  receiver.behave(answering(503))
  await send(0, 3)
  await attempted(4)
  clock.advance(HOUR)
  const since = clock()
  await send(3, 210)
  await attempted(4 + 3 + 210)
  await giveUp()
  assert.equal(await db.read(accountId, tx => countFailedSince(tx, endpoint.id, since, 1000)), 210)
  assert.equal(await db.read(accountId, tx => countFailedSince(tx, endpoint.id, since, 100)), 100)
  receiver.behave(ok)
  const before = receiver.received.length
  const job = await ended((await retry(since)).id)
  assert.deepEqual([job.state, job.done], ['done', 210])
  await attempted(before + 210)
  const found = await readDeliveries(db, endpoint.id)
  assert.equal(found.filter(({ status }) => status === 'succeeded').length, found.length - 3)
  const again = numbersOf(receiver.received.slice(before)).sort((one, other) => one - other)
  assert.deepEqual(
    again,
    Array.from({ length: 210 }, (_, at) => at + 3),
  )
})

test('a retry of all ends where the endpoint is disabled, and asks nothing of it', async t => {
  const { db, accountId, receiver, endpoint, send, attempted, giveUp, retry } = await start(t)
  receiver.behave(answering(503))
  await send(0, 2)
  await attempted(3)
  await giveUp()
  await db.write(accountId, tx => webhooks.setEnabled(tx, endpoint.id, false))
  await assert.rejects(retry(0), /disabled/)
  assert.equal(receiver.received.length, 3)
})

test('what is due by its schedule does not wait until all that was asked for by hand is done', async t => {
  const { db, accountId, receiver, endpoint, send, attempted } = await start(t)
  receiver.behave(answering(503))
  await send(0, 60)
  await attempted(61)
  receiver.behave(ok)
  const before = receiver.received.length
  const failed = (await readDeliveries(db, endpoint.id)).filter(({ status }) => status === 'pending')
  assert.equal(failed.length, 60)
  // One commit has all of them, so that the loop sees them at once.
  await db.write(accountId, async tx => {
    for (const { id } of failed) await retryDelivery(tx, id)
    await emit(tx, 'abstract.decided', { at: 1000 })
  })
  await attempted(before + 61)
  const place = numbersOf(receiver.received.slice(before)).indexOf(1000)
  assert.ok(place >= 0 && place < 10, `it was number ${place}`)
})

test('an endpoint with much to delete is removed in short writes, and gets nothing more from the first of them on', async t => {
  const { app, db, accountId, receiver, endpoint, send, attempted } = await start(t)
  await send(0, 40)
  await attempted(41)
  await db.write(accountId, tx => webhooks.setEnabled(tx, endpoint.id, false))
  await db.write(accountId, async tx => {
    for (let at = 0; at < 600; at++) {
      const event = { id: `evt_${at}`, account_id: accountId, type: 'ping', now: await tx.now() }
      await tx.run(
        `INSERT INTO webhook_events (id, account_id, type, body, created_at, updated_at) VALUES ($1, $2, $3, '{}', $4, $4)`,
        [event.id, accountId, event.type, event.now],
      )
      await tx.run(
        `INSERT INTO webhook_deliveries (id, account_id, event_id, endpoint_id, type, status, attempts, created_at, updated_at)
         VALUES ($1, $2, $1, $3, 'ping', 'failed', 1, $4, $4)`,
        [event.id, accountId, endpoint.id, event.now],
      )
    }
  })
  await db.write(accountId, tx => webhooks.setEnabled(tx, endpoint.id, true))
  const { isRemoved } = await db.write(accountId, tx => removeSoon(tx, endpoint.id, 'cli'))
  assert.equal(isRemoved, false)
  await send(100, 1)
  await app.settled('jobs', 'webhooks')
  assert.deepEqual(await db.read(accountId, tx => webhooks.listEndpoints(tx)), [])
  assert.deepEqual(await readDeliveries(db, endpoint.id), [])
  assert.ok(!numbersOf(receiver.received).includes(100))
})

test('an endpoint with little to delete is gone at once', async t => {
  const { db, accountId, endpoint, send, attempted } = await start(t)
  await send(0, 2)
  await attempted(3)
  const { isRemoved } = await db.write(accountId, tx => removeSoon(tx, endpoint.id, 'cli'))
  assert.equal(isRemoved, true)
  assert.deepEqual(await db.read(accountId, tx => webhooks.listEndpoints(tx)), [])
})
