import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { MINUTE, SECOND } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { doBatch } from '#product/administration/jobs/batch.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import {
  type Counts,
  decideMany,
  type ManyScans,
  onlySome,
  previewDecision,
  start as startJob,
} from '#product/entrance/check-ins/decide-many.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import type { SentItem } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { openDatabase } from '#test/support/engine.ts'
import { readEventTypes } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

/** The ten thousand that were seen are for `npm run soak`. */
const REQUESTS = process.env.SOAK === undefined ? 4 : 20
const OF_ONE = 500

async function start(t: TestContext) {
  const server = await startWithDoors(t, organization({ events: [{ slug: 'second', title: 'Second' }] }))
  const { db, accountId, eventId, applied } = server
  await subscribeToAll(db, accountId)
  const revoke = (id: string) => db.write(accountId, tx => doors.revoke(tx, id))
  const casesOf = (at: Pick<Database, 'read'>, outcome: 'held' | 'conflict') =>
    at.read(accountId, async tx =>
      (await scanCases.list(tx, eventId, outcome, { limit: 100 })).map(({ resource }) => resource),
    )
  const cases = (outcome: 'held' | 'conflict') => casesOf(db, outcome)
  const look = (which: Omit<ManyScans, 'eventId'>) => previewDecision(db, accountId, { eventId, ...which })
  const begin = async (which: Omit<ManyScans, 'eventId'>) => {
    const looked = await look(which)
    const scans = { eventId, ...which }
    return db.write(accountId, tx => startJob(tx, scans, { look: looked, by: 'cli' }))
  }
  const decide = async (which: Omit<ManyScans, 'eventId'>) => {
    const { id } = await begin(which)
    const { state, outcome } = await runHere(db, accountId, id, decideMany)
    assert.equal(state, 'done')
    return onlySome(outcome as Counts)
  }
  /** Returns all rows that are written, except for what a look at something writes elsewhere. */
  const written = async () => {
    const events = await readEventTypes(db)
    return db.read(INSTANCE, async tx => ({
      events,
      scans: await tx.all('SELECT * FROM scans ORDER BY id'),
      cases: await tx.all('SELECT * FROM scan_cases ORDER BY id'),
      checkIns: await tx.all('SELECT * FROM check_ins ORDER BY id'),
    }))
  }
  const secondId = applied.events.second?.id as string
  return { ...server, secondId, revoke, cases, casesOf, look, begin, decide, written }
}

test('thousands of held scans of one ticket are one thing to decide, whose decision is looked at first and done once', {
  timeout: 300_000,
}, async t => {
  const { a, aId, sell, revoke, cases, casesOf, look, written, db, accountId, eventId, app, data, clock } =
    await start(t)
  const { code, ticket } = await sell()
  await revoke(aId)
  for (let request = 0; request < REQUESTS; request++) {
    const items = Array.from({ length: OF_ONE }, () => a.scan({ code }, { shown: 'admitted' }))
    const { results } = (await a.send(items)).body
    assert.ok(results.every(({ outcome }: { outcome: string }) => outcome === 'held'))
  }
  const [one, ...others] = await cases('held')
  assert.deepEqual(
    [one?.scans, one?.device_id, one?.door, one?.scan.ticket?.id, others],
    [REQUESTS * OF_ONE, aId, 'Door A', ticket, []],
  )
  assert.deepEqual(await db.read(accountId, tx => scanCases.count(tx, eventId, 1_000)), {
    ...{ conflicts: 0, held: 1 },
  })
  assert.deepEqual(
    [...(await db.read(accountId, tx => scanCases.countByEvent(tx, null, 10)))],
    [[eventId, 1]],
  )

  const before = await written()
  const looked = await look({ decision: 'count', caseId: one?.id as string })
  assert.deepEqual(onlySome(looked.outcomes), { admitted: 1, conflict: REQUESTS * OF_ONE - 1 })
  const [first, ...rest] = looked.tickets
  assert.deepEqual([first?.ticket?.name, first?.door, rest, looked.isMore], ['Grace', 'Door A', [], false])
  assert.deepEqual(await written(), before)

  // Killed halfway, it goes on where it was, once the lease of who was at it is over.
  await app.close()
  const opened = () => openDatabase(data, clock)
  const killed = await opened()
  const scans = { eventId, decision: 'count', caseId: one?.id as string } as const
  const { id } = await killed.write(accountId, tx => startJob(tx, scans, { look: looked, by: 'cli' }))
  let lastLease: number | null = null
  for (let batch = 0; batch < 20; batch++) {
    const mine: number | null = lastLease
    const lease: number | undefined = await killed.write(accountId, tx =>
      doBatch(tx, { id, ownLease: mine }, () => decideMany),
    )
    lastLease = lease ?? null
  }
  const [left] = await casesOf(killed, 'held')
  assert.ok((left?.scans ?? 0) > 0 && (left?.scans ?? 0) < REQUESTS * OF_ONE)
  await killed.close()
  clock.advance(MINUTE)
  const again = await opened()
  t.after(() => again.close())
  const done = await runHere(again, accountId, id, decideMany)
  assert.deepEqual(
    [done.done, onlySome(done.outcome as Counts)],
    [REQUESTS * OF_ONE, onlySome(looked.outcomes)],
  )
  assert.deepEqual(await casesOf(again, 'held'), [])
  assert.equal((await again.read(INSTANCE, tx => tx.all('SELECT id FROM check_ins'))).length, 1)
  // A guest who was let in beside the check-in is one conflict.
  assert.deepEqual(
    (await casesOf(again, 'conflict')).map(({ scans: n }) => n),
    [REQUESTS * OF_ONE - 1],
  )
  assert.deepEqual(await findDamage(again), [])
})

test('twice changes nothing, and what comes after the look is not decided by it', async t => {
  const { a, aId, sell, revoke, cases, begin, decide, written, inside, db, accountId, clock } = await start(t)
  const [one, two, three] = [await sell(), await sell(), await sell()]
  await revoke(aId)
  const admitted = (code: string) => a.scan({ code }, { shown: 'admitted' })
  await a.send([admitted(one.code), admitted(two.code)])
  const first = await begin({ decision: 'count' })
  const second = await begin({ decision: 'dismiss' })
  clock.advance(SECOND)
  await a.send([admitted(three.code), admitted(one.code)])
  assert.equal((await runHere(db, accountId, first.id, decideMany)).done, 2)
  const after = await written()
  assert.equal((await runHere(db, accountId, second.id, decideMany)).done, 0)
  assert.deepEqual(await written(), after)
  assert.equal((await inside()).length, 2)
  assert.deepEqual(
    (await cases('held')).map(({ scans }) => scans),
    [1, 1],
  )
  assert.deepEqual(await decide({ decision: 'dismiss' }), { dismissed: 2 })
  assert.deepEqual(await decide({ decision: 'dismiss' }), {})
  assert.deepEqual(await decide({ decision: 'count' }), {})
  assert.equal((await inside()).length, 2)
})

test('what is held is decided for a door, a span of time or a case, and for no other', async t => {
  const { a, b, aId, bId, sell, revoke, cases, decide, look, clock, inside, secondId, db, accountId } =
    await start(t)
  const sold = [await sell(), await sell(), await sell(), await sell()]
  const [one, two, three, four] = sold as [
    (typeof sold)[0],
    (typeof sold)[0],
    (typeof sold)[0],
    (typeof sold)[0],
  ]
  await Promise.all([revoke(aId), revoke(bId)])
  const begun = clock()
  await a.send([a.scan({ code: one.code }, { shown: 'admitted' })])
  clock.advance(MINUTE)
  await a.send([a.scan({ code: two.code }, { shown: 'admitted' })])
  await b.send([
    b.scan({ code: three.code }, { shown: 'admitted' }),
    b.scan({ code: four.code }, { shown: 'refused' }),
  ])
  const inOf = async () => (await inside()).map(({ attendee_id }) => attendee_id).sort()

  const span = { from: begun, to: begun + SECOND }
  assert.equal((await look({ decision: 'count', ...span, deviceId: bId })).scans, 0)
  assert.deepEqual(await decide({ decision: 'count', ...span }), { admitted: 1 })
  assert.deepEqual(await inOf(), [one.ticket])
  assert.deepEqual(await decide({ decision: 'count', deviceId: bId }), { admitted: 1, refused: 1 })
  assert.deepEqual(await inOf(), [one.ticket, three.ticket].sort())
  const [last, ...others] = await cases('held')
  assert.deepEqual([last?.scan.ticket?.id, others], [two.ticket, []])
  // The same decision by another event of the account finds nothing.
  const elsewhere = { eventId: secondId, decision: 'count', caseId: last?.id as string } as const
  assert.equal((await previewDecision(db, accountId, elsewhere)).scans, 0)
  assert.equal((await look({ decision: 'seen', caseId: last?.id as string })).scans, 0)
  assert.deepEqual(await decide({ decision: 'dismiss', caseId: last?.id as string }), { dismissed: 1 })
  assert.deepEqual(await inOf(), [one.ticket, three.ticket].sort())
})

test('an admission that a held undo takes back makes room for the next, in the look as in the deed', async t => {
  const { a, b, aId, sell, revoke, look, decide, inside, clock } = await start(t)
  const { code } = await sell()
  await revoke(aId)
  const items: SentItem[] = []
  for (let count = 0; count < 3; count++) {
    items.push(a.scan({ code }, { shown: 'admitted' }))
    clock.advance(SECOND)
  }
  items.push(a.undo(items[0]?.scan_id as string), a.undo('never-seen'))
  clock.advance(SECOND)
  await a.send(items)
  const expected = { admitted: 1, conflict: 2, undone: 2 }
  assert.deepEqual(onlySome((await look({ decision: 'count' })).outcomes), expected)
  assert.deepEqual(await decide({ decision: 'count' }), expected)
  assert.equal((await inside()).length, 1)
  assert.equal((await b.one(b.scan({ code }))).outcome, 'refused')
})

test('conflicts of one ticket at one door are one, and who forges ids fills no list with tickets that are none', async t => {
  const { a, b, sell, cases, look, decide, db } = await start(t)
  const { code } = await sell()
  await b.one(b.scan({ code }))
  await a.send(Array.from({ length: 300 }, () => a.scan({ code }, { shown: 'admitted' })))
  await a.send(Array.from({ length: 300 }, () => a.scan({ ticket: newUuid() }, { shown: 'admitted' })))
  assert.deepEqual(
    (await cases('held')).map(({ scans, scan }) => [scans, scan.ticket]),
    [[280, null]],
  )
  const conflicts = (await cases('conflict')).map(({ scans, scan }) => [scans, scan.ticket?.name])
  assert.deepEqual(conflicts.sort(), [
    [20, undefined],
    [300, 'Grace'],
  ])
  const [one] = await cases('conflict')
  assert.deepEqual(onlySome((await look({ decision: 'seen' })).outcomes), { seen: 320 })
  await decide({ decision: 'seen', caseId: one?.id as string })
  assert.equal((await cases('conflict')).length, 1)
  assert.deepEqual(await decide({ decision: 'seen' }), { seen: 320 - (one?.scans as number) })
  assert.deepEqual(await cases('conflict'), [])
  // A new one is one again.
  await a.one(a.scan({ code }, { shown: 'admitted' }))
  assert.deepEqual(
    (await cases('conflict')).map(({ scans }) => scans),
    [1],
  )
  assert.deepEqual(await findDamage(db), [])
})

test('of two thousand conflicts of its ticket a phone is told one, and may still take its own admission back at once', async t => {
  const { a, b, sell, clock } = await start(t)
  const { code } = await sell()
  const own = b.scan({ code })
  await b.one(own)
  const { cursor } = (await b.copy()).body
  for (let request = 0; request < 4; request++) {
    clock.advance(SECOND)
    await a.send(Array.from({ length: OF_ONE }, () => a.scan({ code }, { shown: 'admitted' })))
  }
  const { notices } = (await b.changes(cursor)).body
  assert.equal(notices.length, 1)
  // The next in line is found by an index, and not among all of them.
  const began = process.cpuUsage()
  assert.equal((await b.one(b.undo(own.scan_id))).outcome, 'undone')
  const { user, system } = process.cpuUsage(began)
  assert.ok(user + system < 500_000, `${(user + system) / 1_000} ms`)
})
