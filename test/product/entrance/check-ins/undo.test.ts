import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { readEventTypes } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { applied, client, db } = server
  const accountId = applied.account_id
  const { body } = await client.post('/registrations', newRegistration(server))
  const ticket: string = body.attendees[0].id
  const scan = (key?: string) =>
    client.post('/check-ins', { attendee_id: ticket }, key ? { headers: { 'Idempotency-Key': key } } : {})
  const undo = (of = accountId) => {
    const actor = { accountId: of, who: 'user:ada', requestId: null, address: null }
    const entry = checkIns.undoEntry(ticket, 'Scanned by mistake')
    return recordedWrite(db, actor, tx => checkIns.undo(tx, ticket), entry)
  }
  return { ...server, accountId, registration: body, ticket, scan, undo }
}

const isNotFound = { code: 'not_found' }

test('an undone check-in is gone, its reason is in the access log, and the same ticket is admitted again', async t => {
  const { client, db, accountId, registration, ticket, scan, undo } = await start(t)
  const first = (await scan()).body
  const { resource } = await undo()
  assert.deepEqual(resource, {
    ...first,
    attendee: { ...first.attendee, checked_in: false, checked_in_at: null },
  })
  const ticketNow = (await client.get(`/registrations/${registration.id}`)).body.attendees[0]
  assert.deepEqual([ticketNow.checked_in, ticketNow.checked_in_at], [false, null])
  assert.deepEqual((await client.get('/check-ins')).body.data, [])

  const [entry] = await db.read(accountId, tx => accessLog.list(tx, 1))
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.target_id, entry?.details],
    ['check_in.undo', 'user:ada', ticket, { check_in: first.id, reason: 'Scanned by mistake' }],
  )
  const again = await scan()
  assert.equal(again.status, 201)
  assert.notEqual(again.body.id, first.id)
  assert.equal((await scan()).body.error.code, 'already_checked_in')
})

test('a ticket that is not checked in, or is of another account, has nothing to undo', async t => {
  const { apply, accountId, db, scan, undo } = await start(t)
  await subscribeToAll(db, accountId)
  await assert.rejects(undo(), isNotFound)
  await scan()
  const { account_id: stranger } = await apply(organization({ email: 'bob@example.org' }))
  await assert.rejects(undo(stranger), isNotFound)
  await undo()
  await assert.rejects(undo(), isNotFound)
  assert.deepEqual(await readEventTypes(db), ['checkin.created', 'checkin.undone'])
})

test('a retry of the check-in gets its old answer, and admits nobody', async t => {
  const { client, scan, undo } = await start(t)
  const first = await scan('door-1')
  await undo()
  const replay = await scan('door-1')
  assert.deepEqual([replay.status, replay.text], [201, first.text])
  assert.deepEqual((await client.get('/check-ins')).body.data, [])
})

test('an endpoint gets checkin.undone where it has subscribed to it, and none that has not', async t => {
  const { db, accountId, scan, undo } = await start(t)
  for (const types of [['checkin.created'], ['checkin.undone']] as const) {
    const url = `https://127.0.0.1:1/${types[0]}`
    await db.write(accountId, tx => webhooks.addEndpoint(tx, { url, types }))
  }
  await scan()
  await undo()
  const sent = await db.read(INSTANCE, tx =>
    tx.all<{ type: string; url: string }>(
      `SELECT d.type, e.url FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
       WHERE d.type <> 'ping' ORDER BY d.id`,
    ),
  )
  assert.deepEqual(
    sent.map(({ type, url }) => [type, url.split('/').at(-1)]),
    [
      ['checkin.created', 'checkin.created'],
      ['checkin.undone', 'checkin.undone'],
    ],
  )
})

test('a database with an undone check-in is whole, also after housekeeping, and one that lost a check-in is not', async t => {
  const { db, clock, accountId, ticket, scan, undo } = await start(t)
  const endpointId = await subscribeToAll(db, accountId)
  await scan('door-1')
  await undo()
  await scan('door-2')
  assert.deepEqual(await findDamage(db), [])
  await db.write(accountId, tx => tx.run('DELETE FROM check_ins WHERE attendee_id = $1', [ticket]))
  const found = await findDamage(db)
  assert.equal(found.length, 2)
  for (const sentence of found) assert.match(sentence, /names check_in chk_\w+, which is missing/)
  // What waits for an endpoint is kept for longer.
  await webhooks.removeEndpoint(db, accountId, endpointId)
  clock.advance(31 * DAY)
  await cleanUp(db, clock, 1)
  assert.deepEqual(await findDamage(db), [])
})

test('a database with an undone check-in is whole, whether or not an endpoint takes the undoing or anything', async t => {
  for (const types of [[], ['checkin.created'], ['checkin.undone']] as const) {
    const { db, accountId, ticket, scan, undo } = await start(t)
    if (types.length > 0)
      await db.write(accountId, tx => webhooks.addEndpoint(tx, { url: 'https://127.0.0.1:1/hook', types }))
    await scan('door-1')
    await undo()
    await scan('door-2')
    assert.deepEqual(await findDamage(db), [], types.join())
    await db.write(accountId, tx => tx.run('DELETE FROM check_ins WHERE attendee_id = $1', [ticket]))
    assert.match((await findDamage(db)).join('\n'), /names check_in chk_\w+, which is missing/, types.join())
  }
})

test('what is undone may have to be of one event, and the very check-in that was seen', async t => {
  const { accountId, applied, client, db, eventId, ticket, scan } = await start(t)
  const first = (await scan()).body
  const undo = (checkIn: { event_id?: string; id?: string }) =>
    db.write(accountId, tx => checkIns.undo(tx, ticket, checkIn))
  await assert.rejects(undo({ event_id: applied.account_id }), isNotFound)
  await undo({ event_id: eventId, id: first.id })
  await scan()
  await assert.rejects(undo({ event_id: eventId, id: first.id }), isNotFound)
  assert.equal((await client.get('/check-ins')).body.data.length, 1)
})
