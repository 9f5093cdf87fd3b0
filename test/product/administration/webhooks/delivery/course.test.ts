import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt } from '#product/administration/webhooks/delivery/schedule.ts'
import {
  answering,
  type Behaviour,
  babbling,
  breakingOff,
  closedAddress,
  dripping,
  dropping,
  endlessBody,
  endlessHeaders,
  endlessHints,
  type Receiver,
  silent,
  startReceiver,
} from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DELAYS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR]
const DEADLINE = 500

const LATE = 'The endpoint did not answer in time.'
const BROKEN = 'The connection to the endpoint failed.'
const UNREADABLE = 'The answer could not be read.'

interface BadReceiver {
  behaviour: Behaviour
  /** The status that is stored of each attempt. */
  status: number | null
  error: string | null
  response: RegExp | null
}

const bad: Record<string, BadReceiver> = {
  'answers 500': { behaviour: answering(500, {}, 'oops'), status: 500, error: null, response: /^oops$/ },
  'answers 410': { behaviour: answering(410), status: 410, error: null, response: /^$/ },
  'answers 429 and asks to come back in a second': {
    behaviour: answering(429, { 'retry-after': '1' }),
    status: 429,
    error: null,
    response: /^$/,
  },
  'answers 429 and asks to stay away for a week': {
    behaviour: answering(429, { 'retry-after': '604800' }),
    status: 429,
    error: null,
    response: /^$/,
  },
  'answers 304': { behaviour: answering(304), status: 304, error: null, response: /^$/ },
  'never answers': { behaviour: silent, status: null, error: LATE, response: null },
  'drips a body past the deadline': {
    behaviour: dripping,
    status: 200,
    error: LATE,
    response: /^\.+$/,
  },
  'sends headers without end': { behaviour: endlessHeaders, status: null, error: UNREADABLE, response: null },
  'sends hints without end': { behaviour: endlessHints, status: null, error: LATE, response: null },
  'answers 500 with a body without end': {
    behaviour: endlessBody(500),
    status: 500,
    error: null,
    response: /^x{1024}$/,
  },
  'drops the connection': { behaviour: dropping, status: null, error: BROKEN, response: null },
  'breaks off in the body': { behaviour: breakingOff, status: 200, error: BROKEN, response: /^half$/ },
  'speaks no HTTP': { behaviour: babbling, status: null, error: UNREADABLE, response: null },
}

test('a receiver that fails in whatever way gets 8 attempts, each at its time after the one before, and no more', async t => {
  const server = await startWithWebhooks(t, { tuning: { webhookDeadline: DEADLINE, random: () => 0.5 } })
  const { clock, client, db, applied } = server
  const canary = await startReceiver(t)
  await server.subscribe(canary, 'registration.created')
  const elsewhere = await startReceiver(t)

  const cases: (BadReceiver & { name: string; endpointId: string; receiver?: Receiver })[] = []
  const redirecting = answering(301, { location: elsewhere.url })
  const moved = { behaviour: redirecting, status: 301, error: null, response: /^$/ }
  for (const [name, one] of Object.entries({ ...bad, 'answers 301': moved })) {
    const receiver = await startReceiver(t, one.behaviour)
    const { id } = await server.addEndpointTo(receiver.url, 'abstract.decided')
    cases.push({ ...one, name, endpointId: id, receiver })
  }
  const dead = await server.addEndpointTo(await closedAddress(t), 'abstract.decided')
  const refused = { behaviour: silent, status: null, error: BROKEN, response: null }
  cases.push({ ...refused, name: 'is dead', endpointId: dead.id })

  const decide = `/abstracts/${applied.events['spring-meeting']?.abstracts['A-1']}/decision`
  assert.equal((await client.post(decide, { decision: 'accepted' })).status, 200)
  const read = async (endpointId: string) => {
    const found = await readDeliveries(db, endpointId)
    const delivery = found.find(({ type }) => type === 'abstract.decided')
    const ping = found.find(({ type }) => type === 'ping')
    assert.ok(delivery !== undefined && ping !== undefined && found.length === 2)
    return { delivery, ping }
  }
  /** Has the loop look for what is due at this instant of the clock. */
  const turn = async () => {
    const { id } = await server.register()
    await onceSettled(server, 'webhooks', 'the event of the canary', () =>
      canary.received.some(({ event }) => event.data.object.id === id),
    )
  }

  const times: string[] = []
  for (const [index, delay] of [...DELAYS, null].entries()) {
    times.push(new Date(clock()).toISOString())
    const next = delay === null ? null : new Date(clock() + Math.round(delay * 1.05)).toISOString()
    for (const { name, endpointId } of cases) {
      const { delivery } = await onceSettled(
        server,
        'webhooks',
        `attempt ${index + 1} where the receiver ${name}`,
        async () => {
          const now = await read(endpointId)
          return now.delivery.attempts === index + 1 && now
        },
      )
      assert.equal(delivery.status, delay === null ? 'failed' : 'pending', name)
      assert.equal(delivery.next_attempt_at, next, name)
    }
    // The attempt is not a millisecond early; and after the last there is no other.
    clock.advance(delay === null ? 90 * 24 * HOUR : Math.round(delay * 1.05) - 1)
    await turn()
    for (const { name, endpointId } of cases) {
      const { delivery } = await read(endpointId)
      assert.deepEqual([delivery.attempts, delivery.next_attempt_at], [index + 1, next], name)
    }
    clock.advance(1)
    await turn()
  }

  for (const { name, endpointId, receiver, status, error, response } of cases) {
    const { delivery, ping } = await read(endpointId)
    const log = delivery.attempt_log
    assert.deepEqual(
      log.map(({ number, manual, at }) => ({ number, manual, at })),
      times.map((at, index) => ({ number: index + 1, manual: false, at })),
      name,
    )
    for (const attempt of log) {
      assert.deepEqual([attempt.status_code, attempt.error], [status, error], name)
      if (response === null) assert.equal(attempt.response, null, name)
      else assert.match(attempt.response as string, response, name)
      assert.ok(Number.isInteger(attempt.duration_ms) && attempt.duration_ms >= 0)
      if (error === LATE) assert.ok(attempt.duration_ms >= DEADLINE - 5, name)
    }
    assert.deepEqual([delivery.last_status_code, delivery.last_error], [status, error], name)
    assert.deepEqual([ping.status, ping.attempts, ping.next_attempt_at], ['failed', 1, null], name)
    assert.equal(ping.attempt_log.length, 1, name)
    if (receiver === undefined) continue

    const sent = receiver.received.filter(({ event }) => event.type === 'abstract.decided')
    assert.equal(sent.length, 8, name)
    assert.equal(new Set(sent.map(({ body }) => body)).size, 1, name)
    assert.deepEqual(
      new Set(sent.map(({ headers }) => headers['svc-event-id'])),
      new Set([delivery.event_id]),
    )
    const signedAt = sent.map(({ headers }) => /^t=(\d+),/.exec(String(headers['svc-signature']))?.[1])
    assert.deepEqual(
      signedAt,
      times.map(at => String(Math.floor(Date.parse(at) / 1000))),
      name,
    )
  }
  assert.equal(elsewhere.connections, 0)
})

test('each delay is jittered by up to a tenth more, and counts from the end of the attempt before', () => {
  const ended = 1_000_000
  for (const [index, delay] of DELAYS.entries()) {
    assert.equal(nextAttemptAt('registration.created', index + 1, ended, 0), ended + delay)
    assert.equal(nextAttemptAt('registration.created', index + 1, ended, 1), ended + Math.round(delay * 1.1))
    const drawn = nextAttemptAt('registration.created', index + 1, ended, Math.random()) as number
    assert.ok(drawn >= ended + delay && drawn <= ended + delay * 1.1)
  }
  assert.equal(nextAttemptAt('registration.created', 8, ended, 0), null)
  assert.equal(nextAttemptAt('ping', 1, ended, 0), null)
})

test('the delay counts from the end of a slow attempt, not from its beginning', async t => {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  let answer: () => void = () => undefined
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  receiver.behave(response => {
    answer = () => response.writeHead(503).end()
  })
  const began = server.clock()
  await server.register()
  await eventually('the attempt', () => receiver.received.length === 2)
  server.clock.advance(9_000)
  answer()
  const [delivery] = await onceSettled(server, 'webhooks', 'its end', async () => {
    const found = await readDeliveries(server.db, id)
    return found[0]?.attempts === 1 && found
  })
  assert.equal(delivery?.next_attempt_at, new Date(began + 9_000 + MINUTE).toISOString())
  assert.equal(delivery?.attempt_log[0]?.at, new Date(began).toISOString())
})

test('a clock that is set back keeps no first attempt waiting, and hurries no later one', async t => {
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 } })
  const receiver = await startReceiver(t, answering(500))
  const { id } = await server.addEndpointTo(receiver.url, 'registration.created')
  await onceSettled(server, 'webhooks', 'the ping', () => receiver.received.length === 1)
  server.clock.advance(-HOUR)
  await server.register()
  const [delivery] = await onceSettled(server, 'webhooks', 'the first attempt', async () => {
    const found = await readDeliveries(server.db, id)
    return found[0]?.attempts === 1 && found
  })
  assert.equal(delivery?.next_attempt_at, new Date(server.clock() + MINUTE).toISOString())
  const signedAt = /^t=(\d+),/.exec(String(receiver.received[1]?.headers['svc-signature']))?.[1]
  assert.equal(Number(signedAt), Math.floor(server.clock() / 1000))
})
