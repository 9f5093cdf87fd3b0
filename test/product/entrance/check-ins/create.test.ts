import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { readOutbox, readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const NOW = '2026-11-21T12:00:00.000Z'

/** Starts a server with one ticket of an import. */
async function startWithTicket(t: Parameters<typeof startWithOrganization>[0]) {
  const server = await startSubscribed(t)
  const { body } = await server.client.post(
    '/registrations',
    newRegistration(server, { attendees: [{ name: 'Grace', email: 'grace@example.org', seat: 'A1' }] }),
  )
  return { ...server, registration: body, ticket: body.attendees[0] }
}

test('a ticket is checked in by its code or by its id, and the check-in has every field but the code and the answers', async t => {
  const server = await startWithTicket(t)
  const other = await server.client.post('/registrations', newRegistration(server))
  const tickets: [object, Record<string, unknown>, { id: string }][] = [
    [{ qr_code: server.ticket.qr_code }, server.ticket, server.registration],
    [{ attendee_id: other.body.attendees[0].id.toUpperCase() }, other.body.attendees[0], other.body],
  ]
  for (const [body, ticket, { id: registrationId }] of tickets) {
    const answer = await server.client.post('/check-ins', body)
    assert.equal(answer.status, 201)
    assert.match(answer.body.id, /^chk_/)
    const { qr_code: _, answers: __, ...attendee } = ticket
    assert.deepEqual(answer.body, {
      id: answer.body.id,
      object: 'check_in',
      attendee_id: ticket.id,
      registration_id: registrationId,
      event_id: server.eventId,
      attendee: { ...attendee, checked_in: true, checked_in_at: NOW },
      checked_in_at: NOW,
      source: 'api',
    })
    assert.ok(!answer.text.includes('SVC1.'))
  }
})

test('a check-in shows on the attendee, and in its webhook event', async t => {
  const { client, db, registration: before, ticket } = await startWithTicket(t)
  const checkIn = await client.post('/check-ins', { qr_code: ticket.qr_code })
  const { body } = await client.get(`/registrations/${before.id}`)
  assert.deepEqual(body, { ...before, attendees: [{ ...ticket, checked_in: true, checked_in_at: NOW }] })
  const outbox = await readOutbox(db)
  assert.deepEqual(
    outbox.map(({ type }) => type),
    ['registration.created', 'checkin.created'],
  )
  assert.deepEqual(outbox[1].data, { object: checkIn.body })
  assert.deepEqual((await client.get('/check-ins')).body.data, [checkIn.body])
})

test('a ticket is admitted once, whether code or id names it the second time', async t => {
  const { client, db, clock, ticket } = await startWithTicket(t)
  await client.post('/check-ins', { qr_code: ticket.qr_code })
  const before = await readState(db)
  clock.advance(60_000)
  for (const body of [{ qr_code: ticket.qr_code }, { attendee_id: ticket.id }]) {
    const again = await client.post('/check-ins', body)
    assert.equal(again.status, 409)
    assert.deepEqual([again.body.error.type, again.body.error.code], ['conflict_error', 'already_checked_in'])
    assert.deepEqual(again.body.error.details, { checked_in_at: NOW })
  }
  assert.deepEqual(await readState(db), before)
})

test('each ticket of a registration is checked in separately', async t => {
  const server = await startWithOrganization(t)
  const { body } = await server.client.post('/registrations', newRegistration(server, { quantity: 2 }))
  const [first, second] = body.attendees
  assert.equal((await server.client.post('/check-ins', { attendee_id: first.id })).status, 201)
  const read = await server.client.get(`/registrations/${body.id}`)
  assert.deepEqual(
    read.body.attendees.map((ticket: { checked_in: boolean }) => ticket.checked_in),
    [true, false],
  )
  assert.equal((await server.client.post('/check-ins', { attendee_id: second.id })).status, 201)
})

test('a check-in takes exactly one of code and id; anything else is a 400 that admits nobody', async t => {
  const { client, db, ticket } = await startWithTicket(t)
  const before = await readState(db)
  const { id, qr_code } = ticket
  const refused: [unknown, string, string?][] = [
    [{}, 'invalid_parameter'],
    [{ qr_code, attendee_id: id }, 'invalid_parameter'],
    [{ qr_code: null, attendee_id: id }, 'invalid_parameter', 'qr_code'],
    [{ qr_code, attendee_id: null }, 'invalid_parameter', 'attendee_id'],
    [{ qr_code: 7 }, 'invalid_parameter', 'qr_code'],
    [{ qr_code: [qr_code] }, 'invalid_parameter', 'qr_code'],
    [{ qr_code: `${qr_code}${'A'.repeat(860)}` }, 'invalid_parameter', 'qr_code'],
    [{ qr_code: '\ud800' }, 'invalid_parameter', 'qr_code'],
    [{ qr_code: `${qr_code}\u0000` }, 'invalid_parameter', 'qr_code'],
    [{ attendee_id: 'grace' }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: '' }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: qr_code }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: `${id}\n` }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: '\u0000' }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: '\udfff' }, 'invalid_parameter', 'attendee_id'],
    [{ attendee_id: id, source: 'scanner' }, 'unknown_parameter', 'source'],
    [[], 'invalid_parameter'],
    ['null', 'invalid_parameter'],
    [`"${id}"`, 'invalid_parameter'],
  ]
  for (const [body, code, param] of refused) {
    const answer = await client.post('/check-ins', body)
    const { error } = answer.body
    assert.deepEqual([answer.status, error.code, error.param], [400, code, param], JSON.stringify(body))
  }
  assert.deepEqual(await readState(db), before)
})

test('an attendee that is not the account’s is a 404, the same as an unknown one', async t => {
  const server = await startWithTicket(t)
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  const before = await readState(server.db)
  const unknown = await stranger.post('/check-ins', { attendee_id: UNKNOWN_ID })
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'not_found'])
  for (const body of [{ attendee_id: server.ticket.id }, { qr_code: server.ticket.qr_code }]) {
    const answer = await stranger.post('/check-ins', body)
    assert.equal(answer.status, 404)
    const named = withoutRequestId(answer).replace('"param":"qr_code"', '"param":"attendee_id"')
    assert.equal(named, withoutRequestId(unknown))
  }
  assert.deepEqual(await readState(server.db), before)
})

const at = '2026-11-01T10:00:00.000Z'
const states: [reference: string, changes: object, code: string][] = [
  ['pending', { status: 'pending', amount_total: 5000 }, 'registration_not_confirmed'],
  ['failed', { status: 'failed', amount_total: 5000 }, 'registration_not_confirmed'],
  ['cancelled', { status: 'cancelled', cancelled_at: at }, 'registration_cancelled'],
  [
    'refunded',
    { status: 'refunded', amount_total: 5000, refunded_at: at, refunded_amount: 5000 },
    'registration_cancelled',
  ],
]

test('a ticket of a registration that is not confirmed is a 409 with its reason', async t => {
  const registrations = states.map(([reference, changes]) =>
    registration(reference, { created_at: at, ...changes }),
  )
  const server = await startSubscribed(t, organization({ event: { registrations } }))
  const { body } = await server.client.get('/registrations')
  const before = await readState(server.db)
  for (const [status, , code] of states) {
    const [ticket] = body.data.find((row: { status: string }) => row.status === status).attendees
    for (const input of [{ qr_code: ticket.qr_code }, { attendee_id: ticket.id }]) {
      const answer = await server.client.post('/check-ins', input)
      assert.deepEqual([answer.status, answer.body.error.code], [409, code], status)
    }
  }
  assert.deepEqual(await readState(server.db), before)
})

test('the first of several reasons to refuse a ticket is given, in the order of the decisions', async t => {
  const server = await startWithTicket(t)
  const { client, db, clock, ticket } = server
  const refusal = async () => (await client.post('/check-ins', { attendee_id: ticket.id })).body.error.code
  await client.post('/check-ins', { attendee_id: ticket.id })
  clock.set('2027-01-01T00:00:00Z')
  assert.equal(await refusal(), 'already_checked_in')
  await db.write(INSTANCE, tx => tx.run('UPDATE attendees SET voided = 1 WHERE id = $1', [ticket.id]))
  assert.equal(await refusal(), 'ticket_voided')
  const change = (set: string) => db.write(INSTANCE, tx => tx.run(`UPDATE registrations SET ${set}`))
  await change("status = 'pending', confirmed_at = NULL")
  assert.equal(await refusal(), 'registration_not_confirmed')
  await change("status = 'cancelled', cancelled_at = created_at")
  assert.equal(await refusal(), 'registration_cancelled')
  const forged = ticket.qr_code.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
  assert.equal((await client.post('/check-ins', { qr_code: forged })).body.error.code, 'invalid_qr_code')
})

test('a voided ticket of a confirmed registration is refused', async t => {
  const { client, db, ticket } = await startWithTicket(t)
  await db.write(INSTANCE, tx => tx.run('UPDATE attendees SET voided = 1 WHERE id = $1', [ticket.id]))
  const before = await readState(db)
  const answer = await client.post('/check-ins', { qr_code: ticket.qr_code })
  assert.deepEqual([answer.status, answer.body.error.code], [409, 'ticket_voided'])
  assert.deepEqual(await readState(db), before)
})

test('the status of the event does not prevent a check-in', async t => {
  for (const status of ['draft', 'cancelled', 'completed']) {
    const server = await startWithOrganization(t, organization({ event: { status } }))
    const { body } = await server.client.post('/registrations', newRegistration(server))
    assert.equal((await server.client.post('/check-ins', { qr_code: body.attendees[0].qr_code })).status, 201)
  }
})
