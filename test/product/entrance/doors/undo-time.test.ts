import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { importLine } from '#product/entrance/check-ins/door-history.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const LATE = ['refused', 'undo_too_late']
const UNDONE = ['undone', null]

test('a device takes back what it has let in for ten minutes, by the clock of the server, whatever instant it makes up', async t => {
  const { a, b, sell, inside, emitted, clock, db, accountId } = await startWithDoors(t)
  await subscribeToAll(db, accountId)
  const [one, two] = [await sell(), await sell()]
  const [first, second] = [a.scan({ code: one.code }), a.scan({ code: two.code }, { shown: 'admitted' })]
  await a.send([first, second])
  const came = async (undo: ReturnType<typeof a.undo>, by = a) => {
    const { outcome, reason, ticket } = await by.one(undo)
    return { came: [outcome, reason], ticket }
  }
  clock.advance(10 * MINUTE - 1)
  assert.deepEqual((await came(a.undo(first.scan_id))).came, UNDONE)
  clock.advance(1)
  const late = a.undo(second.scan_id)
  const forged = a.undo(second.scan_id, { at: second.at })
  const shifted = a.undo(second.scan_id, { offset: -10 * MINUTE })
  for (const undo of [late, forged, shifted, late]) {
    const { came: now, ticket } = await came(undo)
    assert.deepEqual(now, LATE)
    // The phone learns that the ticket is used.
    assert.notEqual(ticket[6], null)
  }
  assert.deepEqual((await came(b.undo(second.scan_id), b)).came, LATE)
  // An undone scan stays undone, whoever sends the undo again and when.
  assert.deepEqual((await came(a.undo(first.scan_id))).came, UNDONE)
  assert.deepEqual(
    (await inside()).map(({ attendee_id }) => attendee_id),
    [two.ticket],
  )
  assert.equal(await emitted('checkin.undone'), 1)
  assert.equal((await a.one(second)).outcome, 'admitted')
  // People take it back at any time.
  await db.write(accountId, tx => checkIns.undo(tx, two.ticket))
  assert.deepEqual(await inside(), [])
})

test('what a phone did without a network counts by its own instants, however late it comes, with its undo or before', async t => {
  const { a, sell, inside, clock } = await startWithDoors(t)
  const sold = [await sell(), await sell(), await sell(), await sell(), await sell()]
  clock.advance(3 * HOUR)
  const at = (ago: number) => new Date(clock() - ago).toISOString()
  const scan = (which: number) =>
    a.scan({ code: sold[which]?.code as string }, { at: at(2 * HOUR), shown: 'admitted' })
  const undo = (of: { scan_id: string }, after: number) => a.undo(of.scan_id, { at: at(2 * HOUR - after) })
  const [together, later, tooLate, early, earlyTooLate] = [scan(0), scan(1), scan(2), scan(3), scan(4)]
  const undoOf = undo(early, 9 * MINUTE)
  const undoTooLate = undo(earlyTooLate, 10 * MINUTE)
  const { results } = (
    await a.send([
      together,
      undo(together, 3 * MINUTE),
      later,
      tooLate,
      undo(tooLate, 10 * MINUTE),
      ...[undoOf, undoTooLate, early, earlyTooLate],
    ])
  ).body
  const came = ({ outcome, reason }: { outcome: string; reason: string | null }) => [outcome, reason]
  assert.deepEqual(results.map(came), [
    ...[['admitted', null], UNDONE],
    ['admitted', null],
    ...[['admitted', null], LATE],
    // As long as their scan is missing, nobody can tell when it was.
    ...[UNDONE, UNDONE, UNDONE],
    ['admitted', null],
  ])
  // The result of an undo is sent under its own id.
  assert.deepEqual(came(await a.one(undoTooLate)), LATE)
  assert.deepEqual(came(await a.one(undoOf)), UNDONE)
  // The next request sends the rest of what waited.
  clock.advance(5 * SECOND)
  assert.deepEqual(came(await a.one(undo(later, 2 * MINUTE))), UNDONE)
  const isIn = (await inside()).map(({ attendee_id }) => attendee_id).sort()
  assert.deepEqual(isIn, [sold[2]?.ticket, sold[4]?.ticket].sort())
})

test('what another server took back in time is taken back here, also where its phone had told it here too late', async t => {
  const { a, sell, inside, clock, db, accountId, eventId } = await startWithDoors(t)
  const { code, ticket } = await sell()
  const scan = a.scan({ code })
  await a.one(scan)
  clock.advance(HOUR)
  const undo = a.undo(scan.scan_id)
  assert.equal((await a.one(undo)).reason, 'undo_too_late')
  const line = {
    kind: 'undo',
    ...{ id: undo.scan_id, event_id: eventId, door: 'Door A', of: scan.scan_id, ticket },
    ...{ at: Date.parse(undo.at), offset: 0, scanned_at: Date.parse(undo.at), note: null },
  } as const
  const brought = await db.write(accountId, tx => importLine(tx, line))
  assert.equal(brought.outcome, 'undone')
  assert.deepEqual(await inside(), [])
  assert.equal((await a.one(undo)).outcome, 'undone')
  // An undo of a scan that nobody here has yet has no limit either.
  await a.one(a.scan({ code }))
  const [checkIn] = await inside()
  assert.ok(checkIn)
  const other = await db.read(INSTANCE, tx =>
    tx.one<{ id: string }>("SELECT id FROM scans WHERE outcome = 'admitted' AND kind = 'scan'"),
  )
  clock.advance(HOUR)
  const more = { ...line, id: 'brought', of: other?.id as string, at: clock(), scanned_at: clock() }
  assert.equal((await db.write(accountId, tx => importLine(tx, more))).outcome, 'undone')
  assert.deepEqual(await inside(), [])
})

test('a hundred undos that came too early for a scan, and too late by their instants, harm nobody', async t => {
  const { sell, inside, clock, db, accountId, eventId, aId } = await startWithDoors(t)
  const { ticket } = await sell()
  clock.advance(HOUR)
  const now = clock()
  const door = { deviceId: aId, eventId, name: 'Door A', typeIds: null, isRevoked: false }
  const common = { deviceAt: now, offset: 0, at: now, note: null }
  await db.write(accountId, async tx => {
    for (let count = 0; count < 150; count++)
      await scans.receive(tx, door, { ...common, id: `undo-${count}`, kind: 'undo', of: 'scan' })
    const scan = { ...common, at: now - 20 * MINUTE, id: 'scan', kind: 'scan', ticketId: ticket } as const
    const { outcome } = await scans.receive(tx, door, {
      ...scan,
      signedFor: eventId,
      shown: 'admitted',
    })
    assert.equal(outcome, 'admitted')
  })
  assert.equal((await inside()).length, 1)
})
