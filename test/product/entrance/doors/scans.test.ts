import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { setAside } from '#product/entrance/check-ins/scan-decisions.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import type { SentItem } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

test('a scan that asks admits a good ticket once; each other ask is refused with when and where it was used', async t => {
  const { a, b, sell, inside, emitted, clock, db, accountId } = await startWithDoors(t)
  await subscribeToAll(db, accountId)
  const { code, ticket } = await sell()
  const item = a.scan({ code })
  const admitted = await a.one(item)
  assert.deepEqual([admitted.outcome, admitted.reason, admitted.first], ['admitted', null, null])
  assert.match(admitted.check_in_id, /^chk_/)
  assert.equal(admitted.ticket[0], ticket)
  assert.equal(admitted.ticket[3], 'Grace')
  const at = new Date(clock()).toISOString()
  clock.advance(SECOND)
  const refused = await b.one(b.scan({ code }))
  assert.deepEqual(
    [refused.outcome, refused.reason, refused.check_in_id, refused.first],
    ['refused', 'already_checked_in', null, { at, door: 'Door A' }],
  )
  assert.deepEqual(await a.one(item), { ...admitted, ticket: refused.ticket })
  const [checkIn, ...others] = await inside()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [checkIn?.id, checkIn?.source, checkIn?.checked_in_at],
    [admitted.check_in_id, 'scanner', at],
  )
  assert.equal(await emitted('checkin.created'), 1)
})

test('of two doors without a network one holds the check-in, the other is a conflict, and both hear of it', async t => {
  const { a, b, sell, inside, clock } = await startWithDoors(t)
  const { code, ticket } = await sell()
  const cursors = [(await a.copy()).body.cursor, (await b.copy()).body.cursor]
  const ofA = a.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  const ofB = b.scan({ code }, { shown: 'admitted' })
  clock.advance(MINUTE)
  assert.equal((await b.one(ofB)).outcome, 'admitted')
  const conflict = await a.one(ofA)
  assert.deepEqual(
    [conflict.outcome, conflict.reason, conflict.first],
    ['conflict', 'already_checked_in', { at: ofB.at, door: 'Door B' }],
  )
  // A check-in never changes: the first scan to reach the server keeps it.
  assert.deepEqual(
    (await inside()).map(({ checked_in_at }) => checked_in_at),
    [ofB.at],
  )
  const notices = (await b.changes(cursors[1])).body.notices
  assert.deepEqual(notices, [
    {
      scan_id: ofA.scan_id,
      outcome: 'conflict',
      reason: 'already_checked_in',
      ticket,
      at: ofA.at,
      door: 'Door A',
      first: { at: ofB.at, door: 'Door B' },
    },
  ])
  assert.deepEqual((await a.changes(cursors[0])).body.notices, [])
})

test('a mark that was given back, as the guest saw a refusal, goes to the oldest admission that stands', async t => {
  const { a, b, sell, inside, emitted, clock, pair, db, accountId } = await startWithDoors(t)
  await subscribeToAll(db, accountId)
  const { door: c } = await pair({ name: 'Door C' })
  const { code } = await sell()
  const ask = a.scan({ code })
  const granted = await a.one(ask)
  clock.advance(SECOND)
  const early = c.scan({ code }, { shown: 'admitted' })
  clock.advance(SECOND)
  const late = b.scan({ code }, { shown: 'admitted' })
  assert.equal((await b.one(late)).outcome, 'conflict')
  assert.equal((await c.one(early)).outcome, 'conflict')
  const cursor = (await c.copy()).body.cursor
  const back = await a.one({ ...ask, shown: 'refused', reason: 'not_valid_today' })
  assert.deepEqual([back.outcome, back.reason, back.check_in_id], ['refused', 'not_valid_today', null])
  const [checkIn, ...others] = await inside()
  assert.deepEqual(others, [])
  assert.notEqual(checkIn?.id, granted.check_in_id)
  assert.equal(checkIn?.checked_in_at, early.at)
  assert.equal((await c.one(early)).outcome, 'admitted')
  assert.equal((await b.one(late)).outcome, 'conflict')
  const { notices } = (await c.changes(cursor)).body
  assert.deepEqual(
    notices.map(({ scan_id, outcome }: { scan_id: string; outcome: string }) => [scan_id, outcome]),
    [[early.scan_id, 'admitted']],
  )
  assert.deepEqual([await emitted('checkin.created'), await emitted('checkin.undone')], [2, 1])
})

test('what the guest saw is set once, and a scan that says something else under its id is told so', async t => {
  const { a, b, sell, inside } = await startWithDoors(t)
  const { code } = await sell()
  const { code: other } = await sell()
  const item = a.scan({ code })
  await a.one(item)
  assert.equal((await a.one({ ...item, shown: 'admitted' })).outcome, 'admitted')
  for (const changed of [
    { ...item, shown: 'refused' as const },
    { ...item, code: other },
    { ...item, offset: 1 },
    { ...item, at: new Date(Date.parse(item.at) + 1).toISOString() },
    { ...item, kind: 'undo' as const, code: undefined, of: 'somebody-else' },
  ]) {
    const { outcome, reason } = await a.one(changed)
    assert.deepEqual([outcome, reason], ['invalid', 'scan_id_reused'])
  }
  // Without what the guest saw it is the same scan, also if another door of the event sends it.
  assert.equal((await b.one(item)).outcome, 'admitted')
  assert.equal((await inside()).length, 1)
})

test('an undo gives the mark back, also when it comes before its scan; the log stays', async t => {
  const { a, b, sell, inside, emitted, db, accountId } = await startWithDoors(t)
  await subscribeToAll(db, accountId)
  const { code } = await sell()
  const first = a.scan({ code })
  assert.equal((await a.one(a.undo(first.scan_id))).outcome, 'undone')
  assert.equal((await a.one({ ...first, shown: 'admitted' })).outcome, 'undone')
  assert.deepEqual(await inside(), [])
  const second = b.scan({ code })
  assert.equal((await b.one(second)).outcome, 'admitted')
  const undo = a.undo(second.scan_id)
  assert.equal((await a.one(undo)).outcome, 'undone')
  assert.equal((await a.one(undo)).outcome, 'undone')
  assert.deepEqual(await inside(), [])
  assert.equal((await b.one(b.scan({ code }))).outcome, 'admitted')
  assert.deepEqual([await emitted('checkin.created'), await emitted('checkin.undone')], [2, 1])
  const rows = await db.read(INSTANCE, tx => tx.all('SELECT outcome FROM scans ORDER BY created_at, id'))
  assert.equal(rows.length, 5)
})

test('each of a request is answered for itself and in its order, and what is bad leaves nothing behind', async t => {
  const { a, sell, db } = await startWithDoors(t)
  const [one, two] = [await sell(), await sell()]
  const good = a.scan({ code: one.code })
  const items = [
    null,
    { ...a.scan({ code: two.code }), scan_id: 'with a space' },
    a.scan({ code: 'SVC1.FORGED' }),
    a.scan({ code: one.code.slice(0, -1) + (one.code.endsWith('A') ? 'B' : 'A') }),
    a.scan({ code: one.code.toLowerCase() }),
    good,
    { ...a.scan({ code: two.code }), at: 'yesterday' },
    { ...a.scan({ code: two.code }), shown: 'perhaps' },
    { ...a.scan({ code: two.code }), ticket: two.ticket },
    { ...a.scan({ code: two.code }), offset: 0.5 },
    a.scan({ ticket: two.ticket }),
    a.undo(good.scan_id),
  ]
  const { status, body } = await a.send(items)
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map(({ outcome, reason }: { outcome: string; reason: string }) => [outcome, reason]),
    [
      ['invalid', 'invalid_request'],
      ['invalid', 'invalid_request'],
      ['invalid', 'invalid_qr_code'],
      ['invalid', 'invalid_qr_code'],
      ['invalid', 'invalid_qr_code'],
      ['admitted', null],
      ['invalid', 'invalid_request'],
      ['invalid', 'invalid_request'],
      ['invalid', 'invalid_request'],
      ['invalid', 'invalid_request'],
      ['admitted', null],
      ['undone', null],
    ],
  )
  assert.equal((await db.read(INSTANCE, tx => tx.all('SELECT id FROM scans'))).length, 3)
  const beyond = await a.send(Array.from({ length: 501 }, () => a.scan({ code: one.code })))
  assert.deepEqual([beyond.status, beyond.body.error.code], [413, 'payload_too_large'])
  assert.equal((await a.send([])).status, 200)
})

test('a ticket is judged by what it is when its scan arrives, at the instant at which it was scanned', async t => {
  const { a, sell, client, clock, inside } = await startWithDoors(t)
  const cancelled = await sell()
  const offline = a.scan({ code: cancelled.code }, { shown: 'admitted' })
  await client.post(`/registrations/${cancelled.id}/cancel`)
  clock.advance(HOUR)
  const result = await a.one(offline)
  assert.deepEqual(
    [result.outcome, result.reason, result.ticket[3]],
    ['conflict', 'registration_cancelled', null],
  )
  const good = await sell()
  const then = a.scan({ code: good.code }, { shown: 'admitted' })
  clock.advance(3 * DAY)
  assert.equal((await a.one(then)).outcome, 'admitted')
  assert.deepEqual(
    (await inside()).map(({ checked_in_at }) => checked_in_at),
    [then.at],
  )
})

test('the clock of a phone is corrected, and neither before its pairing nor after the receipt', async t => {
  const { a, sell, inside, clock } = await startWithDoors(t)
  const paired = clock()
  clock.advance(HOUR)
  const instants = []
  for (const [wrong, offset] of [
    [2 * HOUR, -2 * HOUR],
    [-5 * HOUR, 0],
    [5 * HOUR, 0],
  ] as const) {
    const { code } = await sell()
    const at = new Date(clock() - MINUTE + wrong).toISOString()
    assert.equal((await a.one(a.scan({ code }, { at, offset, shown: 'admitted' }))).outcome, 'admitted')
    instants.push((await inside())[0]?.checked_in_at)
  }
  assert.deepEqual(
    instants,
    [clock() - MINUTE, paired, clock()].map(at => new Date(at).toISOString()),
  )
})

test('a ticket is picked by hand only where the door may search, and twenty times a minute', async t => {
  const { a, pair, sell, inside } = await startWithDoors(t)
  const { door: blind } = await pair({ search: false })
  const { ticket } = await sell()
  const refused = await blind.one(blind.scan({ ticket }))
  assert.deepEqual([refused.outcome, refused.reason], ['invalid', 'search_off'])
  const tickets = []
  for (let count = 0; count < 22; count++) tickets.push((await sell()).ticket)
  const { body } = await a.send(tickets.map(each => a.scan({ ticket: each }, { shown: 'admitted' })))
  const outcomes = body.results.map(({ outcome }: { outcome: string }) => outcome)
  assert.deepEqual(outcomes, [...Array(20).fill('admitted'), 'held', 'held'])
  assert.equal((await inside()).length, 20)
  assert.equal((await a.one(a.scan({ ticket: 'not-an-id' }))).reason, 'invalid_request')
})

test('a device that was revoked sends what it holds, which admits nobody, and learns nothing more', async t => {
  const { a, aId, b, sell, db, accountId, inside } = await startWithDoors(t)
  const { code } = await sell()
  const { code: earlier } = await sell()
  const before = a.scan({ code: earlier })
  await a.one(before)
  // The answer came too late: the guest was let in.
  const late = a.scan({ code: earlier })
  assert.equal((await a.one(late)).outcome, 'refused')
  await db.write(accountId, tx => doors.revoke(tx, aId))
  assert.deepEqual([(await a.copy()).body.error.code, (await a.changes('0')).status], ['device_revoked', 403])
  const { status, body } = await a.send([
    a.scan({ code }, { shown: 'admitted' }),
    { ...before, shown: 'refused' },
    a.undo(before.scan_id),
    { ...late, shown: 'admitted' },
  ])
  assert.equal(status, 200)
  assert.deepEqual(
    body.results.map(({ outcome, reason, ticket }: Record<string, unknown>) => [outcome, reason, ticket]),
    [
      ['held', 'device_revoked', null],
      ['admitted', null, null],
      ['held', 'device_revoked', null],
      ['held', 'device_revoked', null],
    ],
  )
  assert.equal((await inside()).length, 1)
  assert.equal((await b.one(b.scan({ code }))).outcome, 'admitted')
})

test('what was taken back before it came is undone, also where it comes from a device that is revoked by then', async t => {
  const { a, aId, sell, db, accountId, inside } = await startWithDoors(t)
  const scan = a.scan({ code: (await sell()).code }, { shown: 'admitted' })
  assert.equal((await a.one(a.undo(scan.scan_id))).outcome, 'undone')
  await db.write(accountId, tx => doors.revoke(tx, aId))
  assert.equal((await a.one(scan)).outcome, 'undone')
  assert.deepEqual(await inside(), [])
})

test('a door admits its own types and its own event alone, whoever signed the code', async t => {
  const { pair, sell, types, a } = await startWithDoors(t)
  const { door } = await pair({
    registration_type_ids: [types.Free as string],
  })
  const { code } = await sell()
  const wrong = await door.one(door.scan({ code }))
  assert.deepEqual([wrong.outcome, wrong.reason, wrong.ticket[3]], ['refused', 'wrong_door', null])
  const shown = await door.one(door.scan({ code }, { shown: 'admitted' }))
  assert.deepEqual([shown.outcome, shown.reason], ['conflict', 'wrong_door'])
  assert.equal((await a.one(a.scan({ code }))).outcome, 'admitted')
})

test('what a door says of a refusal in its own words is kept for people, and is no code', async t => {
  const { a, sell, db, inside } = await startWithDoors(t)
  const { code } = await sell()
  const { outcome, reason } = await a.one(a.scan({ code }, { shown: 'refused', reason: 'Has no wristband.' }))
  assert.deepEqual([outcome, reason], ['refused', null])
  assert.deepEqual(await inside(), [])
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT note FROM scans')), [
    { note: 'Has no wristband.' },
  ])
  assert.deepEqual(await findDamage(db), [])
})

test('a copy tells of the doubles that a scan of its device is part of, until somebody has set them aside', async t => {
  const { a, b, pair, sell, db, accountId } = await startWithDoors(t)
  const { door: c } = await pair({ name: 'Door C' })
  const { code } = await sell()
  await a.one(a.scan({ code }))
  const double = b.scan({ code }, { shown: 'admitted' })
  await b.one(double)
  const noticesOf = async () =>
    Promise.all(
      [a, b, c].map(async door => (await door.copy()).body.notices.map((one: SentItem) => one.scan_id)),
    )
  assert.deepEqual(await noticesOf(), [[double.scan_id], [double.scan_id], []])
  await db.write(accountId, tx => setAside(tx, { id: double.scan_id }))
  assert.deepEqual(await noticesOf(), [[], [], []])
})

test('of a device that floods no more scans are taken than a phone may have, and those that are here are answered', async t => {
  const { a, aId, b, sell, db, accountId } = await startWithDoors(t)
  const { code } = await sell()
  const earlier = a.scan({ code })
  await a.one(earlier)
  await db.write(accountId, tx => tx.run('UPDATE devices SET taken = 249999 WHERE id = $1', [aId]))
  const { body } = await a.send([a.scan({ code }), a.scan({ code }), a.undo('nobody-s'), earlier])
  assert.deepEqual(
    body.results.map(({ outcome, reason }: SentItem) => [outcome, reason]),
    [
      ['refused', 'already_checked_in'],
      ['invalid', 'too_many_scans'],
      ['invalid', 'too_many_scans'],
      ['admitted', null],
    ],
  )
  assert.equal((await db.read(INSTANCE, tx => tx.all('SELECT id FROM scans'))).length, 2)
  assert.equal((await b.one(b.scan({ code }))).outcome, 'refused')
})

test('who is made anonymous is named by no words about their scans any more', async t => {
  const { a, sell, db, accountId } = await startWithDoors(t)
  const { code } = await sell({ buyer: { name: 'Grace', email: 'grace@example.org' } })
  const { code: other } = await sell({ buyer: { name: 'Joan', email: 'joan@example.org' } })
  const scan = a.scan({ code }, { shown: 'refused', reason: 'Grace was rude' })
  await a.send([scan, a.undo(scan.scan_id, { reason: 'Grace came back' })])
  await a.one(a.scan({ code: other }, { reason: 'Joan' }))
  const actor = { accountId, who: 'cli', requestId: null, address: null }
  await erasePerson(db, actor, 'grace@example.org')
  const notes = await db.read(INSTANCE, tx => tx.all('SELECT note FROM scans WHERE note IS NOT NULL'))
  assert.deepEqual(notes, [{ note: 'Joan' }])
})

test('an undo in the dashboard is one of the scan that holds the check-in, and the next in line follows', async t => {
  const { a, b, sell, db, accountId, inside } = await startWithDoors(t)
  const { code, ticket } = await sell()
  const first = a.scan({ code }, { shown: 'admitted' })
  const second = b.scan({ code }, { shown: 'admitted' })
  await a.one(first)
  await b.one(second)
  await db.write(accountId, tx => checkIns.undo(tx, ticket))
  assert.equal((await a.one(first)).outcome, 'undone')
  assert.equal((await b.one(second)).outcome, 'admitted')
  assert.equal((await inside()).length, 1)
})
