import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const dinner = {
  slug: 'dinner',
  title: 'Dinner',
  registration_types: [{ name: 'Seat', price: 0, capacity: 10 }],
}

/** Starts with two events of one account on the same day, and with a ticket of the first. */
async function startWithTwoEvents(t: TestContext) {
  const server = await startSubscribed(t, organization({ events: [dinner] }))
  const { body } = await server.client.post('/registrations', newRegistration(server))
  const other = server.applied.events.dinner?.id as string
  return { ...server, registration: body, ticket: body.attendees[0], other }
}

test('a scanner that names its event admits the tickets of this event, by code and by id', async t => {
  const server = await startWithTwoEvents(t)
  const { body } = await server.client.post('/registrations', newRegistration(server))
  const event_id = server.eventId.toUpperCase()
  for (const ticket of [{ qr_code: server.ticket.qr_code }, { attendee_id: body.attendees[0].id }]) {
    const answer = await server.client.post('/check-ins', { ...ticket, event_id })
    assert.deepEqual([answer.status, answer.body.event_id], [201, server.eventId])
  }
})

test('a ticket of another event of the account is refused with its event, and can still be admitted there', async t => {
  const { client, db, eventId, ticket, other } = await startWithTwoEvents(t)
  const before = await readState(db)
  const ways = [{ qr_code: ticket.qr_code }, { attendee_id: ticket.id }]
  for (const way of ways) {
    const { status, body } = await client.post('/check-ins', { ...way, event_id: other })
    const { type, code, details, param } = body.error
    assert.deepEqual([status, type, code], [409, 'conflict_error', 'wrong_event'])
    assert.deepEqual([details, param], [{ event_id: eventId }, undefined])
  }
  assert.deepEqual(await readState(db), before)
  assert.equal((await client.post('/check-ins', { ...ways[0], event_id: eventId })).status, 201)
})

test('the refusal is in the access log with the ticket and its event, and a retry gets it again', async t => {
  const { client, db, applied, eventId, ticket, other } = await startWithTwoEvents(t)
  const headers = { 'Idempotency-Key': randomUUID() }
  const body = { qr_code: ticket.qr_code, event_id: other }
  const first = await client.post('/check-ins', body, { headers })
  const again = await client.post('/check-ins', body, { headers })
  assert.deepEqual([again.status, again.text], [409, first.text])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const entries = await db.read(applied.account_id, tx => accessLog.list(tx, 1000))
  assert.deepEqual(
    entries
      .filter(({ action }) => action === 'check_in.create')
      .map(({ target_id, details }) => [target_id, details]),
    [[ticket.id, { status: 409, code: 'wrong_event', event_id: eventId }]],
  )
})

test('that a ticket is of another event is told before all else that is wrong with it', async t => {
  const { client, clock, ticket, other, registration: made } = await startWithTwoEvents(t)
  const codeFor = async (event_id?: string) =>
    (await client.post('/check-ins', { attendee_id: ticket.id, event_id })).body.error.code
  clock.set('2027-01-01T00:00:00Z')
  assert.deepEqual([await codeFor(), await codeFor(other)], ['not_valid_today', 'wrong_event'])
  await client.post(`/registrations/${made.id}/cancel`)
  assert.deepEqual([await codeFor(), await codeFor(other)], ['registration_cancelled', 'wrong_event'])
  const forged = ticket.qr_code.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
  const { body } = await client.post('/check-ins', { qr_code: forged, event_id: other })
  assert.equal(body.error.code, 'invalid_qr_code')
})

test('an event that is none of the account is a 404 that names the field, the same as an unknown one', async t => {
  const { client, db, apply, ticket } = await startWithTwoEvents(t)
  const theirs = await apply(
    organization({ email: 'bob@example.org', event: { registrations: [registration('first')] } }),
  )
  const foreign = theirs.events['spring-meeting']?.id
  const before = await readState(db)
  for (const way of [{ qr_code: ticket.qr_code }, { attendee_id: ticket.id }]) {
    const answers = [
      await client.post('/check-ins', { ...way, event_id: UNKNOWN_ID }),
      await client.post('/check-ins', { ...way, event_id: foreign }),
    ] as const
    const { error } = answers[0].body
    assert.deepEqual([answers[0].status, error.code, error.param], [404, 'not_found', 'event_id'])
    assert.equal(withoutRequestId(answers[1]), withoutRequestId(answers[0]))
  }
  for (const event_id of ['spring-meeting', '', null, 7]) {
    const { status, body } = await client.post('/check-ins', { attendee_id: ticket.id, event_id })
    assert.deepEqual([status, body.error.param], [400, 'event_id'])
  }
  assert.deepEqual(await readState(db), before)
})

test('a ticket that is not the account’s is a 404 that names the field it was asked for by, before its event is', async t => {
  const { client, clientOf, apply, ticket } = await startWithTwoEvents(t)
  const theirs = await apply(organization({ email: 'bob@example.org' }))
  const stranger = await clientOf(theirs.account_id)
  for (const event of [{}, { event_id: UNKNOWN_ID }]) {
    for (const [asker, way, param] of [
      [client, { attendee_id: UNKNOWN_ID }, 'attendee_id'],
      [stranger, { attendee_id: ticket.id }, 'attendee_id'],
      [stranger, { qr_code: ticket.qr_code }, 'qr_code'],
    ] as const) {
      const { status, body } = await asker.post('/check-ins', { ...way, ...event })
      assert.deepEqual([status, body.error.code, body.error.param], [404, 'not_found', param])
      assert.equal(body.error.details, undefined)
    }
  }
})
