import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { listDue } from '#product/administration/webhooks/delivery/store.ts'
import { silent, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { allClaimed, eventually, readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

/** Longer than any test takes: a slow receiver holds its answers until it is closed. */
const NEVER = 600_000

test('an endpoint gets four attempts at a time, and the next one when one of them ends', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, 'registration.created')
  const pending: (() => void)[] = []
  receiver.behave(response => pending.push(() => response.writeHead(200).end()))
  await Promise.all(Array.from({ length: 30 }, () => server.register()))
  for (let answered = 0; answered < 30; answered++) {
    const expected = Math.min(30, answered + 4)
    await eventually('the attempts that there is room for', () => pending.length >= expected)
    assert.equal(pending.length, expected)
    pending[answered]?.()
  }
  assert.equal(receiver.mostAtOnce, 4)
  assert.equal(receiver.connections, 4)
})

test('the loop claims far ahead for an endpoint that answers quickly, and not at all for one that fails', async t => {
  // On a busy machine, too, each answer is a quick one.
  const server = await startWithWebhooks(t, { tuning: { webhookQuick: NEVER } })
  const claim = async (status: number, expected: (count: number) => boolean) => {
    const receiver = await startReceiver(t)
    const { id } = await server.subscribe(receiver, 'registration.created')
    let answers = 0
    const pending: (() => void)[] = []
    receiver.behave(response => {
      const answer = () => response.writeHead(status).end()
      if (++answers <= 80) answer()
      else pending.push(answer)
    })
    await Promise.all(Array.from({ length: 200 }, () => server.register()))
    await eventually('four attempts that wait for their answer', () => pending.length === 4)
    await eventually('the claims of an endpoint that gives such answers', async () => {
      const row = await server.db.read(INSTANCE, tx =>
        tx.one<{ count: number }>(
          `SELECT count(*) AS count FROM webhook_deliveries
           WHERE endpoint_id = $1 AND status = 'pending' AND attempts = 0 AND next_attempt_at > $2`,
          [id, server.clock()],
        ),
      )
      return expected(row?.count ?? 0)
    })
    await receiver.close()
  }
  await claim(500, count => count === 4)
  await claim(200, count => count > 30)
})

test('due deliveries are listed without their bodies: each is read when it is sent', async t => {
  const server = await startWithWebhooks(t, { tuning: { webhookDeadline: NEVER } })
  const receiver = await startReceiver(t, silent)
  const { id } = await server.addEndpointTo(receiver.url, 'registration.created')
  const registration = await server.register()
  const sent = await eventually('the event', () =>
    receiver.received.find(({ event }) => event.type === 'registration.created'),
  )
  assert.equal(sent.event.data.object.id, registration.id)

  const afterTheLease = server.clock() + DAY
  const due = await server.db.read(INSTANCE, tx => listDue(tx, id, afterTheLease, 10))
  assert.equal(due.length, 2)
  for (const row of due) assert.doesNotMatch(JSON.stringify(Object.values(row)), /\{/)
  await receiver.close()
})

test('the first attempt leaves after the commit, without waiting for the sweep', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, 'registration.created')
  const waits: number[] = []
  for (let at = 0; at < 21; at++) {
    await server.register()
    const answered = performance.now()
    await eventually('the webhook', () => receiver.received.length === at + 2)
    waits.push(performance.now() - answered)
  }
  // The sweep comes once a second: half of that would be the middle, if they waited for it.
  const middle = waits.sort((a, b) => a - b)[10] as number
  assert.ok(middle < 100, `${middle} ms`)
})

test('when all places in flight are taken, the next free one goes to an endpoint that waits, not to one that was served', async t => {
  const server = await startWithWebhooks(t, { tuning: { webhookDeadline: NEVER } })
  const receiver = await startReceiver(t)
  const pending: { path: string; answer(): void }[] = []
  receiver.behave((response, { path }) => pending.push({ path, answer: () => response.writeHead(200).end() }))
  const serve = (count: number, from: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        server.addEndpointTo(`${receiver.url}/${from + at}`, 'registration.created'),
      ),
    )
  await serve(128, 0)
  // With its ping, each endpoint has eight to get.
  await Promise.all(Array.from({ length: 7 }, () => server.register()))
  await eventually('all that may be in flight', () => pending.length === 512)

  await serve(6, 128)
  await allClaimed(server)
  const late = () => new Set(pending.slice(512).map(({ path }) => path))
  for (let freed = 1; freed <= 6; freed++) {
    pending[freed * 50]?.answer()
    await eventually('the attempt that there is room for', () => pending.length === 512 + freed)
    assert.equal(late().size, freed)
  }
  assert.ok([...late()].every(path => Number(path.split('/')[2]) >= 128))
  await receiver.close()
})

test('a clock that leaps over the leases, as after a standby, sends nothing twice and stops nothing', async t => {
  const server = await startWithWebhooks(t)
  const { client, clock, db } = server
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  const pending: (() => void)[] = []
  receiver.behave(response => pending.push(() => response.writeHead(200).end()))
  await Promise.all(Array.from({ length: 6 }, () => server.register()))
  await eventually('four in flight', () => pending.length === 4)

  clock.advance(3_600_000)
  const canary = await startReceiver(t)
  await server.subscribe(canary, 'payment.completed')
  assert.equal((await client.get('/events')).status, 200)
  assert.equal(pending.length, 4)
  for (const answer of pending) answer()
  await eventually('the two that waited', () => pending.length === 6)
  for (const answer of pending.slice(4)) answer()
  const deliveries = await onceSettled(server, 'webhooks', 'the end', async () => {
    const found = await readDeliveries(db, id)
    return found.every(({ status }) => status === 'succeeded') && found
  })
  assert.ok(deliveries.every(({ attempt_log: log }) => log.length === 1))
  assert.equal(receiver.received.length, 7)
})
