import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as jobs from '../../src/jobs/rules.ts'
import { HOUR } from '../../src/time.ts'
import { retryDelivery } from '../../src/webhooks/deliveries.ts'
import { emit } from '../../src/webhooks/outbox.ts'
import { removeSoon } from '../../src/webhooks/removal.ts'
import { countFailedSince, retryFailed } from '../../src/webhooks/retry-all.ts'
import * as webhooks from '../../src/webhooks/rules.ts'
import { answering, ok, startReceiver } from '../support/receiver.ts'
import { allClaimed, eventually, readDeliveries, startWithWebhooks } from '../support/webhooks.ts'

/** Of a machine that does much else, in milliseconds. */
const PATIENCE = 30_000

/** An endpoint, and a way to send it many events at once. */
async function start(t: TestContext) {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const { db, applied } = server
  const accountId = applied.account_id
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'abstract.decided')
  const send = (from: number, count: number) =>
    db.write(accountId, async tx => {
      for (let at = from; at < from + count; at++) await emit(tx, accountId, 'abstract.decided', { at })
    })
  const attempted = (count: number) =>
    eventually(`${count} attempts`, () => receiver.received.length >= count, PATIENCE)
  /** A receiver has a webhook before the loop has its answer. */
  const answered = () =>
    eventually('every answer', async () =>
      (await readDeliveries(db, endpoint.id)).every(({ attempts }) => attempts > 0),
    )
  /** As if their last attempt had been the eighth. */
  const giveUp = () =>
    db.write(accountId, tx =>
      tx.run(
        "UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE endpoint_id = $1 AND type <> 'ping'",
        [endpoint.id],
      ),
    )
  const ended = (id: string) =>
    eventually('the end of the job', async () => {
      const job = await db.read(tx => jobs.get(tx, accountId, id))
      return ['done', 'failed'].includes(job.state) && job
    })
  const retry = (since: number) =>
    db.write(accountId, tx => retryFailed(tx, accountId, endpoint.id, { since, total: null, by: 'cli' }))
  return { ...server, accountId, receiver, endpoint, send, attempted, answered, giveUp, ended, retry }
}

const numbersOf = (received: readonly { event: { data: { object: { at?: number } } } }[]) =>
  received.map(({ event }) => event.data.object.at).filter(at => at !== undefined)

test('all that has failed since an instant is attempted once more, and nothing else', async t => {
  const { db, accountId, clock, receiver, endpoint, send, attempted, answered, giveUp, ended, retry } =
    await start(t)
  receiver.behave(answering(503))
  await send(0, 3)
  await attempted(4)
  await answered()
  clock.advance(HOUR)
  const since = clock()
  await send(3, 210)
  await attempted(4 + 3 + 210)
  await allClaimed({ db, clock })
  await answered()
  await giveUp()
  assert.equal(await db.read(tx => countFailedSince(tx, accountId, endpoint.id, since, 1000)), 210)
  assert.equal(await db.read(tx => countFailedSince(tx, accountId, endpoint.id, since, 100)), 100)
  receiver.behave(ok)
  const before = receiver.received.length
  const job = await ended((await retry(since)).id)
  assert.deepEqual([job.state, job.done], ['done', 210])
  await attempted(before + 210)
  const upTo = (await readDeliveries(db, endpoint.id)).length
  await eventually('every success', async () => {
    const found = await readDeliveries(db, endpoint.id)
    return found.filter(({ status }) => status === 'succeeded').length === upTo - 3
  })
  const again = numbersOf(receiver.received.slice(before)).sort((one, other) => one - other)
  assert.deepEqual(
    again,
    Array.from({ length: 210 }, (_, at) => at + 3),
  )
})

test('a retry of all ends where the endpoint is disabled, and asks nothing of it', async t => {
  const { db, accountId, receiver, endpoint, send, attempted, answered, giveUp, retry } = await start(t)
  receiver.behave(answering(503))
  await send(0, 2)
  await attempted(3)
  await answered()
  await giveUp()
  await db.write(accountId, tx => webhooks.setEnabled(tx, accountId, endpoint.id, false))
  await assert.rejects(retry(0), /disabled/)
  assert.equal(receiver.received.length, 3)
})

test('what is due by its schedule does not wait until all that was asked for by hand is done', async t => {
  const { db, accountId, receiver, endpoint, send, attempted, answered } = await start(t)
  receiver.behave(answering(503))
  await send(0, 60)
  await attempted(61)
  await answered()
  receiver.behave(ok)
  const before = receiver.received.length
  const failed = (await readDeliveries(db, endpoint.id)).filter(({ status }) => status === 'pending')
  assert.equal(failed.length, 60)
  // In one commit, so that the loop sees all of them at once.
  await db.write(accountId, async tx => {
    for (const { id } of failed) await retryDelivery(tx, accountId, id)
    await emit(tx, accountId, 'abstract.decided', { at: 1000 })
  })
  await attempted(before + 61)
  const place = numbersOf(receiver.received.slice(before)).indexOf(1000)
  assert.ok(place >= 0 && place < 10, `it was number ${place}`)
})

test('an endpoint with much to delete is removed in short writes, and gets nothing more from the first of them on', async t => {
  const { db, accountId, receiver, endpoint, send, attempted } = await start(t)
  await send(0, 40)
  await attempted(41)
  await db.write(accountId, tx => webhooks.setEnabled(tx, accountId, endpoint.id, false))
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
  await db.write(accountId, tx => webhooks.setEnabled(tx, accountId, endpoint.id, true))
  const { isRemoved } = await db.write(accountId, tx => removeSoon(tx, accountId, endpoint.id, 'cli'))
  assert.equal(isRemoved, false)
  await send(100, 1)
  await eventually('the end of the endpoint', async () => {
    const left = await db.read(tx => webhooks.listEndpoints(tx, accountId))
    return left.length === 0
  })
  assert.deepEqual(await readDeliveries(db, endpoint.id), [])
  assert.ok(!numbersOf(receiver.received).includes(100))
})

test('an endpoint with little to delete is gone at once', async t => {
  const { db, accountId, endpoint, send, attempted } = await start(t)
  await send(0, 2)
  await attempted(3)
  const { isRemoved } = await db.write(accountId, tx => removeSoon(tx, accountId, endpoint.id, 'cli'))
  assert.equal(isRemoved, true)
  assert.deepEqual(await db.read(tx => webhooks.listEndpoints(tx, accountId)), [])
})
