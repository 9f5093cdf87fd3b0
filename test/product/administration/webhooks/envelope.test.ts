import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { readOutbox } from '#test/support/observations.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { readDeliveries, startWithWebhooks } from '#test/support/webhooks.ts'

const ALL = ['registration.created', 'registration.cancelled', 'checkin.created', 'abstract.decided'] as const

test('each change sends its event, with the very resource that the API answers with', async t => {
  const server = await startWithWebhooks(t)
  const { client, clock, applied } = server
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, ...ALL)

  /** Carries out a change, and compares its webhook with its answer and with what is read afterwards. */
  const expectEvent = async (type: string, path: string, body: object | undefined, readPath: string) => {
    clock.advance(1_500)
    const before = receiver.received.length
    const answer = await client.post(path, body)
    assert.ok(answer.status === 201 || answer.status === 200)
    const received = await onceSettled(server, 'webhooks', type, () => receiver.received[before])
    const { event, headers, method } = received
    assert.equal(method, 'POST')
    assert.match(event.id, /^evt_[0-9a-f]{32}$/)
    assert.deepEqual(event, {
      id: event.id,
      object: 'event',
      type,
      created: Math.floor(clock() / 1000),
      data: { object: answer.body },
    })
    assert.deepEqual(Object.keys(event), ['id', 'object', 'type', 'created', 'data'])
    assert.equal(headers['svc-event-id'], event.id)
    assert.equal(headers['svc-event-type'], type)
    assert.match(String(headers['svc-signature']), /^t=\d+,v1=[0-9a-f]{64}$/)
    assert.equal(headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(headers['content-length'], String(Buffer.byteLength(received.body)))
    const { body: read } = await client.get(readPath)
    assert.deepEqual(event.data.object, read.object === 'list' ? read.data[0] : read)
    return answer.body
  }

  const created = await expectEvent(
    'registration.created',
    '/registrations',
    {
      event_id: server.eventId,
      registration_type_id: server.types.Standard,
      buyer: { name: 'Zoë 🎟', email: 'zoe@example.org' },
      attendees: [{ name: 'Zoë', email: 'zoe@example.org', seat: 'A1' }, { name: 'Guest' }],
      answers: { diet: 'vegan', constructor: 'yes' },
    },
    '/registrations',
  )
  const checkIn = { attendee_id: created.attendees[0].id }
  await expectEvent('checkin.created', '/check-ins', checkIn, '/check-ins')
  const path = `/registrations/${created.id}`
  await expectEvent('registration.cancelled', `${path}/cancel`, undefined, path)
  const abstract = `/abstracts/${applied.events['spring-meeting']?.abstracts['A-1']}`
  const decision = { decision: 'accepted', note: 'Yes.' }
  await expectEvent('abstract.decided', `${abstract}/decision`, decision, abstract)
  await expectEvent('abstract.decided', `${abstract}/decision`, { decision: 'in_review' }, abstract)

  const ids = receiver.received.map(({ event }) => event.id)
  assert.equal(new Set(ids).size, ids.length)
})

test('a refused change and a replayed one send nothing', async t => {
  const server = await startWithWebhooks(t)
  const { client, db, eventId, types } = server
  const receiver = await startReceiver(t)
  await server.subscribe(receiver, ...ALL)
  await subscribeToAll(db, server.applied.account_id)
  const before = (await readOutbox(db)).length
  const body = {
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'G', email: 'g@example.org' },
  }
  const headers = { 'Idempotency-Key': 'once' }
  const first = await client.post('/registrations', body, { headers })
  const again = await client.post('/registrations', body, { headers })
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal((await client.post(`/registrations/${UNKNOWN_ID}/cancel`)).status, 404)
  assert.equal((await client.post('/check-ins', { qr_code: 'SVC1.NONSENSE' })).status, 422)
  const [ticket] = first.body.attendees
  assert.equal((await client.post('/check-ins', { attendee_id: ticket.id })).status, 201)
  assert.equal((await client.post('/check-ins', { attendee_id: ticket.id })).status, 409)
  await onceSettled(server, 'webhooks', 'both webhooks', () => receiver.received.length === 3)
  assert.deepEqual(
    receiver.received.map(({ event }) => event.type),
    ['ping', 'registration.created', 'checkin.created'],
  )
  assert.equal((await readOutbox(db)).length, before + 2)
})

test('the envelope stays as the change made it, even if the resource changes before it is sent', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const { id } = await server.subscribe(receiver, 'registration.created')
  receiver.behave(response => response.writeHead(503).end())
  const created = await server.register()
  await onceSettled(server, 'webhooks', 'a failed attempt', () => receiver.received.length === 2)
  await server.client.post(`/registrations/${created.id}/cancel`)
  server.clock.advance(120_000)
  await server.db.write(INSTANCE, tx => tx.now())
  const second = await onceSettled(server, 'webhooks', 'the second attempt', () => receiver.received[2])
  assert.equal(second.event.data.object.status, 'confirmed')
  assert.equal(second.body, receiver.received[1]?.body)
  assert.equal((await readDeliveries(server.db, id)).length, 2)
})

test('a ping carries its endpoint, without the secret', async t => {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const { id, secret } = await server.subscribe(receiver, 'payment.completed', 'ping')
  await server.db.write(server.applied.account_id, tx => webhooks.ping(tx, id))
  await onceSettled(server, 'webhooks', 'the second ping', () => receiver.received.length === 2)
  for (const { event, body, headers } of receiver.received) {
    assert.equal(event.type, 'ping')
    assert.equal(headers['svc-event-type'], 'ping')
    assert.deepEqual(event.data, {
      object: {
        id,
        object: 'webhook_endpoint',
        url: receiver.url,
        types: ['payment.completed', 'ping'],
      },
    })
    assert.ok(!body.includes(secret) && !body.includes('whsec_'))
  }
  assert.notEqual(receiver.received[0]?.event.id, receiver.received[1]?.event.id)
})
