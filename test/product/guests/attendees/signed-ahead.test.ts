import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32nopad } from '@scure/base'
import { INSTANCE } from '#machinery/db/port.ts'
import { signInThread } from '#product/guests/attendees/signing-thread.ts'
import { newTicketKey } from '#product/guests/attendees/ticket-code.ts'
import { watchCrypto } from '#test/support/crypto-watch.ts'
import { readSold, readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

type Server = Awaited<ReturnType<typeof startWithOrganization>>

async function readKeyIds(server: Server): Promise<string[]> {
  const rows = await server.db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM ticket_keys'))
  return rows.map(({ id }) => id)
}

test('tickets are signed off the event loop once their event has a key, and few of them at once', async t => {
  const signing = watchCrypto(t, 'sign')
  const registration_types = [{ name: 'Standard', price: 5000, capacity: 200 }]
  const server = await startWithOrganization(t, organization({ event: { registration_types } }))
  const first = await server.client.post('/registrations', newRegistration(server))
  assert.equal(first.status, 201)
  assert.deepEqual([signing.onLoop, signing.inThread], [1, 0])

  const answers = await Promise.all(
    [100, 1, 40].map(quantity => server.client.post('/registrations', newRegistration(server, { quantity }))),
  )
  assert.deepEqual([signing.onLoop, signing.inThread], [1, 141])
  assert.ok(signing.most > 1 && signing.most <= 32, `${signing.most} at once`)
  const tickets = [first, ...answers].flatMap(answer => answer.body.attendees)
  assert.equal(new Set(tickets.map(({ id }) => id)).size, 142)
  const [keyId, ...others] = await readKeyIds(server)
  assert.deepEqual(others, [])
  for (const { id, qr_code } of tickets) {
    const bytes = Buffer.from(base32nopad.decode(qr_code.slice(5)))
    assert.equal(bytes.toString('hex', 1, 21), `${keyId}${id.replaceAll('-', '')}`)
  }
  for (const { qr_code } of [tickets[0], tickets[1], tickets[141]]) {
    assert.equal((await server.client.post('/check-ins', { qr_code })).status, 201)
  }
})

test('first tickets of an event that are imported at once are all signed with its one key', async t => {
  const server = await startWithOrganization(t)
  const answers = await Promise.all(
    [1, 2, 3].map(quantity => server.client.post('/registrations', newRegistration(server, { quantity }))),
  )
  assert.equal((await readKeyIds(server)).length, 1)
  for (const { body } of answers) {
    const [{ qr_code }] = body.attendees
    assert.equal((await server.client.post('/check-ins', { qr_code })).status, 201)
  }
})

test('the key of an event signs nothing for another account, and what is refused is refused as ever', async t => {
  const server = await startSubscribed(t)
  const { account_id } = await server.apply(organization({ email: 'stranger@example.org' }))
  const stranger = await server.clientOf(account_id)
  // Both the owner's key and the owner's event are known from here on.
  for (const _ of [1, 2]) await server.client.post('/registrations', newRegistration(server))
  const signing = watchCrypto(t, 'sign')
  const before = await readState(server.db)
  const others = await Promise.all([
    stranger.post('/registrations', newRegistration(server)),
    server.client.post('/registrations', newRegistration({ ...server, eventId: UNKNOWN_ID })),
  ])
  for (const { status, body } of others)
    assert.deepEqual([status, body.error.code, body.error.param], [404, 'not_found', 'event_id'])
  assert.deepEqual([signing.onLoop, signing.inThread], [0, 0])
  const untyped = { registration_type_id: UNKNOWN_ID }
  const unknown = await server.client.post('/registrations', newRegistration(server, untyped))
  assert.deepEqual([unknown.status, unknown.body.error.param], [404, 'registration_type_id'])
  assert.deepEqual(await readState(server.db), before)
})

test('an import is signed in its write where the thread has ended, and a retry gets the same tickets', async t => {
  const server = await startWithOrganization(t)
  await server.client.post('/registrations', newRegistration(server))
  const signing = watchCrypto(t, 'sign')
  signing.fails = true
  const options = { headers: { 'Idempotency-Key': 'once' } }
  const body = newRegistration(server, { quantity: 2 })
  const first = await server.client.post('/registrations', body, options)
  assert.equal(first.status, 201)
  assert.deepEqual([signing.onLoop, signing.inThread], [2, 2])
  const again = await server.client.post('/registrations', body, options)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.text, first.text)
  assert.equal(await readSold(server.db, server.types.Standard), 3)

  signing.fails = false
  assert.equal((await server.client.post('/registrations', newRegistration(server))).status, 201)
  assert.deepEqual([signing.onLoop, signing.inThread], [2, 5])
})

test('a ticket does not wait for hundreds of another import, and a key that signs nothing stops no other', async t => {
  const signing = watchCrypto(t, 'sign')
  const [key, none] = [newTicketKey(), { ...newTicketKey(), private_key: 'none' }]
  const ended: string[] = []
  const large = signInThread(key, 100).then(codes => ended.push(`${codes.length}`))
  const refused = assert.rejects(signInThread(none, 2)).then(() => ended.push('none'))
  const small = signInThread(key, 1).then(codes => ended.push(`${codes.length}`))
  await Promise.all([large, refused, small])
  assert.deepEqual(ended.toSorted(), ['1', '100', 'none'])
  assert.equal(ended.at(-1), '100')
  assert.deepEqual([signing.onLoop, signing.inThread], [0, 103])
  // A port that waits for the thread would keep a server from ending.
  assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'))
})
