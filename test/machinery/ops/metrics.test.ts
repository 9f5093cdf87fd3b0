import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { version } from '#base/version.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { declareLoad, declareObserver } from '#machinery/db/sqlite/metrics.ts'
import { Metrics } from '#machinery/ops/metrics.ts'
import { testClock } from '#test/support/clock.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { readMetrics, type Sample } from '#test/support/prometheus.ts'
import { sendRaw } from '#test/support/raw.ts'
import { answering, startReceiver } from '#test/support/receiver.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { openRows } from '#test/support/rows.ts'
import { startServer } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, startWithWebhooks } from '#test/support/webhooks.ts'

const settings = { metricsPort: 0 }

/** Starts a server that is measured, and reads the value of a metric, summed over the labels that are not given. */
async function startMeasured(t: TestContext) {
  const server = await startWithWebhooks(t, { settings })
  const scrape = async () => {
    const answer = await fetch(server.app.metricsUrl as string)
    assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    return readMetrics(await answer.text())
  }
  return {
    ...server,
    scrape,
    value: async (name: string, labels: Record<string, string> = {}) =>
      sum(await scrape(), `turnout_${name}`, labels),
  }
}

function sum(samples: Sample[], name: string, labels: Record<string, string>): number {
  return samples
    .filter(sample => sample.name === name)
    .filter(sample => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((total, { value }) => total + value, 0)
}

test('metrics need a port of their own, and are never on the port of the API', async t => {
  const { app, anonymous } = await startServer(t)
  assert.equal(app.metricsUrl, undefined)
  for (const path of ['/metrics', '/v1/metrics']) {
    assert.equal((await fetch(new URL(path, anonymous.url))).status, 404)
  }
})

test('requests are counted and timed by the pattern of their route, their method and their status', async t => {
  const server = await startMeasured(t)
  const { client, anonymous, value, app } = server
  const { id } = await server.register()
  await client.get(`/registrations/${id}`)
  await client.get(`/registrations/${UNKNOWN_ID}`)
  await client.send('HEAD', `/registrations/${id}`)
  await anonymous.get('/registrations')
  await anonymous.get('/grace@example.org?x=1')
  await anonymous.send('PROPFIND', '/events')
  await sendRaw(app.url, 'hello\r\n\r\n')
  const one = (route: string, method: string, status: string) =>
    value('http_requests_total', { route, method, status })
  assert.deepEqual(
    [
      await one('/registrations', 'POST', '201'),
      await one('/registrations/{id}', 'GET', '200'),
      await one('/registrations/{id}', 'GET', '404'),
      await one('/registrations/{id}', 'HEAD', '200'),
      await one('/registrations', 'GET', '401'),
      await one('none', 'GET', '404'),
      await one('none', 'other', '405'),
      await one('none', 'other', '400'),
    ],
    [1, 1, 1, 1, 1, 1, 1, 1],
  )
  assert.equal(await value('http_requests_total'), 8)
  assert.equal(await value('http_request_duration_seconds_count'), 8)
  assert.equal(
    await value('http_request_duration_seconds_count', { route: '/registrations/{id}', method: 'GET' }),
    2,
  )
  assert.ok((await value('http_request_duration_seconds_sum')) > 0)
  assert.ok((await value('http_connections')) >= 1)
})

test('no label tells of a person, an id, a key or a path as it was asked for, and strangers cannot make up new ones', async t => {
  const server = await startMeasured(t)
  const { client, anonymous, scrape, eventId } = server
  const { id, attendees } = await server.register()
  await client.get(`/events/${eventId}`)
  await client.post('/check-ins', { qr_code: attendees[0].qr_code })
  await client.get('/registrations?email=grace@example.org')
  await client.post('/registrations', newRegistration(server), {
    headers: { 'idempotency-key': 'secret-17' },
  })
  const before = await scrape()
  const http = (samples: Sample[]) => samples.filter(({ name }) => name.startsWith('turnout_http')).length
  for (let at = 0; at < 20; at++) {
    await anonymous.get(`/nowhere/${at}/${UNKNOWN_ID}`)
    await anonymous.send('GET', `/%65vents/${at}`)
    await anonymous.send(['PUT', 'PURGE', 'MKCOL', 'OPTIONS'][at % 4] as string, `/events/${at}`)
  }
  const samples = await scrape()
  // There is one sample for each status, and buckets for two methods of unknown routes.
  assert.ok(http(samples) - http(before) <= 2 * 17, `${http(before)}, then ${http(samples)}`)
  const text = JSON.stringify(samples)
  for (const secret of [
    'grace',
    'Grace',
    'nowhere',
    'SVC1',
    'svc_',
    'whsec_',
    'secret-17',
    id,
    eventId,
    UNKNOWN_ID,
  ]) {
    assert.ok(!text.includes(secret), secret)
  }
  assert.ok(!/[0-9a-f]{8}-[0-9a-f]{4}-/.test(text))
})

test('the syncs and the log of the file are told', ofSqlite, async t => {
  const { register, value } = await startMeasured(t)
  const syncs = await value('database_sync_duration_seconds_count')
  const bytes = await value('database_wal_bytes')
  assert.ok(bytes > 0)
  await register()
  assert.ok((await value('database_sync_duration_seconds_count')) > syncs)
  assert.ok((await value('database_sync_duration_seconds_sum')) > 0)
  assert.ok((await value('database_wal_bytes')) > bytes)
})

test('groups of writes are told, and the writes that wait', async t => {
  const { register, value, data } = await startMeasured(t)
  const groups = await value('database_group_writes_count')
  await Promise.all(Array.from({ length: 5 }, () => register()))
  assert.ok((await value('database_group_writes_count')) > groups)
  assert.ok((await value('database_group_writes_sum')) >= 5)
  assert.equal(await value('database_write_queue'), 0)

  const free = await (await openRows(t, data)).hold()
  const waiting = register()
  await eventually('a write that waits', async () => (await value('database_write_queue')) === 1)
  await free()
  await waiting
  assert.equal(await value('database_write_queue'), 0)
})

test('checkpoints are told, with whether they were complete', ofSqlite, async t => {
  const metrics = new Metrics()
  const path = `${temporaryFolder(t)}/test.db`
  const server = {
    onFailure: assert.ifError,
    observer: declareObserver(metrics.database),
    beginAt: 1,
    waitAt: 1,
  }
  const db = openSqlite(path, { clock: testClock(), server })
  t.after(() => db.close())
  const complete = async () =>
    sum(readMetrics(await metrics.collect()), 'turnout_database_checkpoints_total', { outcome: 'complete' })
  assert.equal(await complete(), 0)
  await db.write(INSTANCE, tx => tx.now())
  await eventually('a checkpoint', async () => (await complete()) >= 1)
})

test('deliveries are told by how their attempts ended, with those under way and to come', async t => {
  const { app, subscribe, register, value, clock, addEndpointTo } = await startMeasured(t)
  const attempts = (outcome: string) => value('webhook_attempts_total', { outcome })
  const receiver = await startReceiver(t)
  await subscribe(receiver, 'registration.created')
  // A read may see the attempt before its record is durable, and only then it counts.
  await onceSettled({ app }, 'webhooks', 'the ping', async () => (await attempts('succeeded')) === 1)
  assert.deepEqual(
    [await attempts('succeeded'), await attempts('retrying'), await attempts('failed')],
    [1, 0, 0],
  )
  receiver.behave(answering(500))
  await register()
  await onceSettled({ app }, 'webhooks', 'a retry to come', async () => (await attempts('retrying')) === 1)
  assert.equal(await value('webhook_deliveries_pending'), 1)
  // A ping is not retried.
  const broken = await startReceiver(t, answering(500))
  await addEndpointTo(broken.url, 'registration.created')
  await onceSettled({ app }, 'webhooks', 'a failure', async () => (await attempts('failed')) === 1)
  receiver.behave(() => undefined)
  clock.advance(3_600_000)
  await eventually('an attempt under way', async () => (await value('webhook_attempts_in_flight')) === 1)
  await receiver.close()
  await app.settled('webhooks')
  assert.equal(await value('webhook_attempts_in_flight'), 0)
  assert.equal(await attempts('succeeded'), 1)
})

test('the process, the lag of its event loop and its version are told; what has no certificate has no expiry', async t => {
  const { scrape } = await startMeasured(t)
  const samples = await scrape()
  const names = new Set(samples.map(({ name }) => name))
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'process_cpu_seconds_total',
  ])
    assert.ok(names.has(name), name)
  const [build] = samples.filter(({ name }) => name === 'turnout_build_info')
  assert.deepEqual([build?.labels, build?.value], [{ version }, 1])
  assert.ok(!names.has('turnout_tls_certificate_expiry_seconds'))
  assert.ok(names.has('turnout_payments_waiting') && !names.has('turnout_stripe_events_read_seconds'))
})

test('a metric that cannot be read is NaN, and the others are served', async () => {
  const metrics = new Metrics()
  const zero = () => Promise.resolve(0)
  const silent = {
    ...{ waiting: zero, oldest: zero, oldestRefund: zero, failedRefunds: zero, owedRefunds: zero },
    leastRead: () => Promise.resolve(undefined),
  }
  const broken = () => {
    throw new Error('closed')
  }
  declareLoad(metrics.database, broken)
  metrics.meter({
    connections: () => 7,
    attemptsInFlight: () => 0,
    pendingDeliveries: () => Promise.reject(new Error('closed')),
    failingEndpoints: () => Promise.resolve(0),
    payments: silent,
    certificateExpiry: () => 4_000_000_000_000,
  })
  const samples = readMetrics(await metrics.collect())
  const value = (name: string) => samples.find(sample => sample.name === `turnout_${name}`)?.value
  assert.deepEqual(
    [value('database_wal_bytes'), value('webhook_deliveries_pending'), value('http_connections')],
    [Number.NaN, Number.NaN, 7],
  )
  assert.equal(value('tls_certificate_expiry_seconds'), 4_000_000_000)
})

test('the port of the metrics answers GET and HEAD of two paths, and nothing else', async t => {
  const { app } = await startServer(t, { settings })
  const ask = async (method: string, path: string) =>
    (await fetch(new URL(path, app.metricsUrl), { method })).status
  assert.deepEqual(
    [
      await ask('GET', '/metrics?x=1'),
      await ask('HEAD', '/metrics'),
      await ask('GET', '/healthz'),
      await ask('POST', '/metrics'),
      await ask('GET', '/'),
      await ask('GET', '/v1/events'),
    ],
    [200, 200, 200, 405, 404, 404],
  )
})
