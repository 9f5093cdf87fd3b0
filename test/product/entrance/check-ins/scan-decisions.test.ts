import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import * as decisions from '#product/entrance/check-ins/scan-decisions.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { pairDoor } from '#test/support/door/door.ts'
import { readEventTypes } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

/** Starts an event with two doors, one of which is revoked on demand. Whatever a manager does is recorded. */
async function start(t: TestContext) {
  const server = await startWithOrganization(
    t,
    organization({ events: [{ slug: 'second', title: 'Second' }] }),
  )
  const { applied, client, db, eventId, clock } = server
  const accountId = applied.account_id
  await subscribeToAll(db, accountId)
  const secondId = applied.events.second?.id as string
  const sell = async () => {
    const { body } = await client.post('/registrations', newRegistration(server))
    return { ticket: body.attendees[0].id as string, code: body.attendees[0].qr_code as string }
  }
  const { door: a, id: aId } = await pairDoor(server, accountId, { event_id: eventId, name: 'Door A' })
  const { door: b } = await pairDoor(server, accountId, { event_id: eventId, name: 'Door B' })
  const actor = { accountId, who: 'user:ada', requestId: null, address: null }
  const rules = {
    undo: (id: string, of = accountId) =>
      recordedWrite(
        db,
        { ...actor, accountId: of },
        tx => decisions.undo(tx, { id, eventId }, 'By mistake'),
        decisions.decisionEntry('undo', id, 'By mistake'),
      ),
    admit: (id: string) =>
      recordedWrite(
        db,
        actor,
        tx => decisions.admitHeld(tx, { id, eventId }),
        decisions.decisionEntry('admit', id),
      ),
    dismiss: (id: string) =>
      recordedWrite(
        db,
        actor,
        tx => decisions.dismissHeld(tx, { id, eventId }),
        decisions.decisionEntry('dismiss', id),
      ),
    seen: (id: string) =>
      recordedWrite(
        db,
        actor,
        tx => decisions.setAside(tx, { id, eventId }),
        decisions.decisionEntry('seen', id),
      ),
  }
  const list = (which: scanLog.ScanList, event = eventId, limit = 100) =>
    db.read(accountId, async tx =>
      [...(await scanLog.list(tx, event, which, { limit }))].map(({ resource }) => resource),
    )
  const counts = () => db.read(accountId, tx => scanCases.count(tx, eventId, 1000))
  const revoke = () => db.write(accountId, tx => doors.revoke(tx, aId))
  const inside = async () =>
    (await client.get('/check-ins?limit=100')).body.data as { attendee_id: string; id: string }[]
  const emitted = async (type: string) => (await readEventTypes(db)).filter(each => each === type).length
  const logged = async () =>
    (await db.read(accountId, tx => accessLog.list(tx, 50)))
      .filter(({ action }) => action.startsWith('scan.'))
      .map(({ action, target_id, details }) => [action, target_id, details] as const)
  const more = { rules, list, counts, revoke, inside, emitted, logged }
  return { ...server, accountId, secondId, sell, a, b, aId, clock, ...more }
}

test('a scan is undone at any time with a reason, once: its check-in goes to the oldest admission that stands', async t => {
  const { a, b, sell, rules, inside, emitted, logged, clock, list } = await start(t)
  const { code, ticket } = await sell()
  const first = a.scan({ code }, { shown: 'admitted' })
  const second = b.scan({ code }, { shown: 'admitted' })
  await a.one(first)
  await b.one(second)
  const [before] = await inside()
  clock.advance(90 * MINUTE)
  const { scan, changed } = await rules.undo(first.scan_id)
  assert.deepEqual([scan.outcome, changed], ['undone', true])
  const [after, ...others] = await inside()
  assert.deepEqual([after?.attendee_id, others], [ticket, []])
  assert.notEqual(after?.id, before?.id)
  assert.equal((await b.one(second)).outcome, 'admitted')
  assert.deepEqual([await emitted('checkin.created'), await emitted('checkin.undone')], [2, 1])
  assert.equal((await rules.undo(first.scan_id)).changed, false)
  assert.deepEqual(await logged(), [
    ['scan.undo', first.scan_id, { outcome: 'undone', ticket, reason: 'By mistake' }],
  ])
  const [undo] = await list('all')
  assert.deepEqual(
    [undo?.kind, undo?.of, undo?.door, undo?.note, undo?.ticket?.name],
    ['undo', first.scan_id, null, 'By mistake', 'Grace'],
  )
  await rules.undo(second.scan_id)
  assert.deepEqual(await inside(), [])
  await assert.rejects(rules.undo(undo?.id ?? ''), { code: 'not_found' })
})

test('what a revoked door sends is decided by a manager: it counts as any, as a conflict, or for nothing', async t => {
  const { a, b, sell, rules, revoke, inside, counts, list, logged, emitted } = await start(t)
  const [one, two, three, four] = [await sell(), await sell(), await sell(), await sell()]
  const earlier = a.scan({ code: four.code }, { shown: 'admitted' })
  await a.one(earlier)
  await revoke()
  const items = [
    a.scan({ code: one.code }, { shown: 'admitted' }),
    a.scan({ code: two.code }, { shown: 'admitted' }),
    a.scan({ code: three.code }, { shown: 'admitted' }),
    a.scan({ code: three.code }, { shown: 'refused', reason: 'not_valid_today' }),
    a.undo(earlier.scan_id),
    a.undo('never-seen'),
  ]
  const [good, double, dismissed, refused, undo, otherUndo] = items.map(({ scan_id }) => scan_id) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  await a.send(items)
  await b.one(b.scan({ code: two.code }))
  // Two scans are of one ticket, and so one thing to decide.
  assert.deepEqual(await counts(), { conflicts: 0, held: 5 })
  assert.equal((await list('held')).length, 6)
  assert.deepEqual((await rules.admit(good)).scan.outcome, 'admitted')
  const { scan } = await rules.admit(double)
  assert.deepEqual(
    [scan.outcome, scan.reason, scan.holder?.door],
    ['conflict', 'already_checked_in', 'Door B'],
  )
  const { scan: gone } = await rules.dismiss(dismissed)
  assert.deepEqual([gone.outcome, gone.reason], ['refused', 'dismissed'])
  assert.equal((await rules.dismiss(dismissed)).changed, false)
  assert.deepEqual((await rules.admit(refused)).scan.outcome, 'refused')
  assert.equal((await inside()).length, 3)
  assert.equal((await rules.admit(undo)).scan.outcome, 'undone')
  assert.deepEqual(
    (await inside()).map(({ attendee_id }) => attendee_id).sort(),
    [one.ticket, two.ticket].sort(),
  )
  assert.equal((await rules.dismiss(otherUndo)).scan.reason, 'dismissed')
  assert.deepEqual(await counts(), { conflicts: 1, held: 0 })
  await assert.rejects(rules.admit(good), { code: 'scan_ended' })
  await assert.rejects(rules.dismiss(good), { code: 'scan_ended' })
  // A manager may still admit a scan that was dismissed.
  assert.equal((await rules.admit(dismissed)).scan.outcome, 'admitted')
  assert.equal(await emitted('checkin.undone'), 1)
  assert.deepEqual((await logged()).map(([action, id, { code }]) => [action, id, code]).reverse(), [
    ['scan.admit', good, undefined],
    ['scan.admit', double, undefined],
    ['scan.dismiss', dismissed, undefined],
    ['scan.admit', refused, undefined],
    ['scan.admit', undo, undefined],
    ['scan.dismiss', otherUndo, undefined],
    ['scan.admit', good, 'scan_ended'],
    ['scan.dismiss', good, 'scan_ended'],
    ['scan.admit', dismissed, undefined],
  ])
})

test('a scan that was dismissed admits nobody when its scanner says what the guest saw, and is no heir', async t => {
  const { a, b, sell, rules, inside } = await start(t)
  const tickets = []
  for (let count = 0; count < 21; count++) tickets.push(await sell())
  const items = tickets.map(({ ticket }) => a.scan({ ticket }))
  await a.send(items)
  const last = items[20] as (typeof items)[0]
  await rules.dismiss(last.scan_id)
  const { outcome, reason } = await a.one({ ...last, shown: 'admitted' })
  assert.deepEqual([outcome, reason], ['conflict', 'dismissed'])
  const other = b.scan({ code: tickets[20]?.code as string }, { shown: 'admitted' })
  assert.equal((await b.one(other)).outcome, 'admitted')
  await rules.undo(other.scan_id)
  assert.equal((await inside()).length, 20)
})

test('a conflict is set aside once somebody has looked at it, and stays in the log', async t => {
  const { a, b, sell, rules, counts, list, logged } = await start(t)
  const { code } = await sell()
  await a.one(a.scan({ code }))
  const double = b.scan({ code }, { shown: 'admitted' })
  await b.one(double)
  assert.deepEqual(await counts(), { conflicts: 1, held: 0 })
  const { scan, changed } = await rules.seen(double.scan_id)
  assert.ok(changed && scan.seen_at !== null)
  assert.equal((await rules.seen(double.scan_id)).changed, false)
  assert.deepEqual([await counts(), await list('conflict')], [{ conflicts: 0, held: 0 }, []])
  assert.equal((await list('all')).length, 2)
  assert.equal((await logged()).length, 1)
  assert.equal((await b.one(double)).outcome, 'conflict')
})

test('scans are listed a page at a time, and none of another event or account is found; nor whose ticket it named', async t => {
  const { a, apply, sell, db, rules, list, accountId, eventId, secondId, clientOf, clock } = await start(t)
  const stranger = await apply(organization({ email: 'eve@example.org' }))
  const foreign = await (await clientOf(stranger.account_id)).post('/registrations', {
    ...newRegistration({
      eventId: stranger.events['spring-meeting']?.id as string,
      types: stranger.events['spring-meeting']?.registration_types as Record<string, string>,
    }),
  })
  const items = []
  for (let count = 0; count < 3; count++) {
    const item = a.scan({ code: (await sell()).code })
    items.push(item)
    await a.one(item)
    clock.advance(SECOND)
  }
  const named = a.scan({ ticket: foreign.body.attendees[0].id })
  assert.equal((await a.one(named)).reason, 'not_found')
  const page = (after?: { created_at: number; id: string }) =>
    db.read(accountId, async tx => [...(await scanLog.list(tx, eventId, 'all', { limit: 2, after }))])
  const first = await page()
  const rest = await page(first[1]?.position)
  assert.deepEqual(
    [...first, ...rest].map(({ resource: { id } }) => id),
    [named, ...items.toReversed()].map(({ scan_id }) => scan_id),
  )
  assert.deepEqual([first[0]?.resource.ticket, first[0]?.resource.holder], [null, null])
  assert.deepEqual(await list('all', secondId), [])
  const other = stranger.account_id
  const id = items[0]?.scan_id as string
  await assert.rejects(rules.undo(id, other), { code: 'not_found' })
  await assert.rejects(
    db.read(accountId, tx => scanLog.get(tx, id, secondId)),
    { code: 'not_found' },
  )
  await assert.rejects(
    db.read(other, tx => scanLog.list(tx, eventId, 'all', { limit: 1 })),
    { code: 'not_found' },
  )
  for (const decide of [decisions.admitHeld, decisions.dismissHeld, decisions.setAside]) {
    await assert.rejects(
      db.write(accountId, tx => decide(tx, { id, eventId: secondId })),
      { code: 'not_found' },
    )
  }
})

test('an undo of a check-in that no scanner has made is in the log of scans, with its reason', async t => {
  const { client, sell, db, accountId, list } = await start(t)
  const { ticket } = await sell()
  const { body } = await client.post('/check-ins', { attendee_id: ticket })
  await db.write(accountId, tx => checkIns.undo(tx, ticket, {}, 'Wrong person'))
  const [undo, ...others] = await list('all')
  assert.deepEqual([undo?.of, undo?.note, undo?.ticket?.id, others], [body.id, 'Wrong person', ticket, []])
})
