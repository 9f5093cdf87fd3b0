import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { readMetrics } from '#test/support/prometheus.ts'
import { answering, ok, type Receiver, startReceiver } from '#test/support/receiver.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startWithWebhooks } from '#test/support/webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const GIVEN_UP = 'deliveries to an endpoint have failed for good'
const FAILING = 'an endpoint fails for an hour or more'
const WORKING = 'the endpoint works again'

const settings = { allowInsecureWebhooks: true }
const tuning = { random: () => 0 }
/** The answer of a receiver must not get into the log. */
const failing = answering(500, {}, 'inner-secret')

const linesOf = (log: TestServer['log'], message: string) =>
  log.filter(({ msg }) => msg === message).map(({ time: _, ...line }) => line)

/** Waits until so many attempts have come, of which each was recorded. */
async function recorded({ app, db }: Pick<TestServer, 'app' | 'db'>, count: number) {
  await onceSettled({ app }, 'webhooks', `the record of attempt ${count}`, async () => {
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ count: number }>('SELECT count(*) AS count FROM webhook_attempts'),
    )
    return row?.count === count
  })
}

/** Starts a server with an endpoint that has answered its ping well, and fails from then on. */
async function start(t: Parameters<typeof startWithWebhooks>[0]) {
  const server = await startWithWebhooks(t, { tuning, settings: { metricsPort: 0 } })
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'registration.created')
  receiver.behave(failing)
  const ping = () => server.db.write(server.applied.account_id, tx => webhooks.ping(tx, endpoint.id))
  const failingEndpoints = async () => {
    const text = await (await fetch(server.app.metricsUrl as string)).text()
    return readMetrics(text).find(({ name }) => name === 'turnout_webhook_endpoints_failing')?.value
  }
  return { ...server, receiver, endpoint, ping, failingEndpoints }
}

function assertTellsNothing(log: TestServer['log'], receiver: Receiver, secret: string) {
  const text = JSON.stringify(log)
  for (const inner of [new URL(receiver.url).host, '/hook', secret, 'inner-secret', 'Grace']) {
    assert.ok(!text.includes(inner), inner)
  }
}

test('a delivery that fails for good is told of, and those after it once an hour with their number', async t => {
  const server = await start(t)
  const { log, clock, ping, receiver, endpoint } = server
  const first = await ping()
  const warning = { level: 40, endpoint_id: endpoint.id, msg: GIVEN_UP }
  await onceSettled(server, 'webhooks', 'the first warning', () => linesOf(log, GIVEN_UP).length === 1)
  assert.deepEqual(linesOf(log, GIVEN_UP), [{ ...warning, delivery_id: first, deliveries: 1 }])
  for (let number = 0; number < 5; number++) await ping()
  await recorded(server, 7)
  clock.advance(HOUR - 1)
  await ping()
  await recorded(server, 8)
  clock.advance(1)
  const last = await ping()
  await onceSettled(server, 'webhooks', 'the second warning', () => linesOf(log, GIVEN_UP).length > 1)
  assert.deepEqual(linesOf(log, GIVEN_UP).slice(1), [{ ...warning, delivery_id: last, deliveries: 7 }])
  assertTellsNothing(log, receiver, endpoint.secret)
})

test('an endpoint that fails for an hour is told of once, and once more when it works again', async t => {
  const server = await start(t)
  const { log, clock, receiver, endpoint, register, failingEndpoints } = server
  const began = clock()
  await register()
  await recorded(server, 2)
  // Each retry is due then, and the events of the rest are new.
  for (const [index, delay] of [MINUTE, 5 * MINUTE, 30 * MINUTE, 24 * MINUTE - 1].entries()) {
    clock.advance(delay)
    await register()
    await onceSettled(server, 'webhooks', 'an attempt', () => receiver.received.length >= 3 + index)
    assert.deepEqual(linesOf(log, FAILING), [])
  }
  assert.equal(await failingEndpoints(), 0)
  clock.advance(1)
  for (let number = 0; number < 5; number++) await register()
  await onceSettled(server, 'webhooks', 'the warning', () => linesOf(log, FAILING).length > 0)
  clock.advance(3 * HOUR)
  const before = receiver.received.length
  await register()
  await onceSettled(server, 'webhooks', 'more attempts', () => receiver.received.length >= before + 5)
  const since = new Date(began).toISOString()
  const warning = { level: 40, endpoint_id: endpoint.id, since, msg: FAILING }
  assert.deepEqual(linesOf(log, FAILING), [warning])
  assert.equal(await failingEndpoints(), 1)

  receiver.behave(ok)
  for (let number = 0; number < 3; number++) await register()
  await onceSettled(server, 'webhooks', 'that it works again', () => linesOf(log, WORKING).length > 0)
  assert.equal(linesOf(log, WORKING)[0]?.endpoint_id, endpoint.id)
  await onceSettled(server, 'webhooks', 'the metric', async () => (await failingEndpoints()) === 0)
  receiver.behave(failing)
  await register()
  assert.deepEqual([linesOf(log, FAILING).length, linesOf(log, WORKING).length], [1, 1])
  assert.deepEqual(linesOf(log, GIVEN_UP), [])
  assertTellsNothing(log, receiver, endpoint.secret)
})

test('an endpoint that fails now and then is not told of', async t => {
  const server = await start(t)
  const { log, clock, ping, receiver } = server
  for (let count = 1; count < 13; count++) {
    receiver.behave(count % 2 === 1 ? failing : ok)
    await ping()
    await recorded(server, count + 1)
    clock.advance(HOUR / 3)
  }
  assert.deepEqual([linesOf(log, FAILING), linesOf(log, WORKING)], [[], []])
})

test('how long an endpoint has failed is known after a restart, and told of by the new server', async t => {
  const server = await start(t)
  const { data, clock, register, app, endpoint } = server
  const since = new Date(clock()).toISOString()
  await register()
  await recorded(server, 2)
  clock.advance(MINUTE)
  await register()
  await recorded(server, 4)
  await app.close()
  assert.deepEqual(linesOf(server.log, FAILING), [])

  clock.advance(HOUR - MINUTE)
  const next = await startServer(t, { data, clock, settings, tuning })
  await onceSettled(next, 'webhooks', 'the warning', () => linesOf(next.log, FAILING).length > 0)
  assert.deepEqual(linesOf(next.log, FAILING), [{ level: 40, endpoint_id: endpoint.id, since, msg: FAILING }])
})
