import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { DoorClient, pairDoor, type SentItem } from '#test/support/door/door.ts'
import { startWithDoors } from '#test/support/door/door-event.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startServer } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

interface Result {
  scan_id: string | null
  outcome: string
  reason: string | null
  check_in_id: string | null
}

test('after a backup of an hour ago is restored all scans come again: nothing is doubled, and nothing is lost', async t => {
  const { a, b, sell, pair, app, data, clock, db, accountId } = await startWithDoors(t)
  await subscribeToAll(db, accountId)
  const [before, after, double, taken] = [await sell(), await sell(), await sell(), await sell()]
  const ofA: SentItem[] = [a.scan({ code: before.code }), a.scan({ code: taken.code })]
  const first: Result = await a.one(ofA[0] as SentItem)
  await a.one(ofA[1] as SentItem)
  const epoch = (await a.copy()).body.epoch
  const ahead = await a.copy()
  const folder = temporaryFolder(t)
  const restored = join(folder, 'restored')
  const turnout = (...args: string[]) =>
    carryOut(args, { out: () => undefined, err: (text: string) => assert.fail(text), clock })
  await turnout('backup', join(folder, 'backup.db'), '--data', data, '--json')

  clock.advance(5 * MINUTE)
  const undo = a.undo(ofA[1]?.scan_id as string)
  assert.equal((await a.one(undo)).outcome, 'undone')
  clock.advance(HOUR)
  const { door: c } = await pair({ name: 'Door C' })
  const bought = await sell()
  ofA.push(
    ...[after, double].map(({ code }) => a.scan({ code }, { shown: 'admitted' })),
    ...[undo, a.scan({ code: bought.code }, { shown: 'admitted' })],
  )
  await a.send(ofA)
  const ofB = [b.scan({ code: double.code }, { shown: 'admitted' })]
  const ofC = [c.scan({ code: before.code }), c.scan({ code: taken.code })]
  assert.equal((await b.one(ofB[0] as SentItem)).outcome, 'conflict')
  await c.send(ofC)
  const { cursor } = (await a.copy()).body
  await app.close()
  await turnout('restore', join(folder, 'backup.db'), '--data', restored, '--json')

  clock.advance(MINUTE)
  const server = await startServer(t, { data: restored, clock })
  const at = (door: DoorClient) => {
    const same = new DoorClient(server.app.siteUrl, clock)
    same.token = door.token
    return same
  }
  const [newA, newB] = [at(a), at(b)]
  const copy = (await newA.copy()).body
  assert.notEqual(copy.epoch, epoch)
  // Whether its cursor is ahead of the server or not, a phone finds that it is another.
  const { error, epoch: now } = (await newA.changes(cursor)).body
  assert.ok(error?.code === 'copy_again' || now === copy.epoch)
  assert.equal((await newA.changes(ahead.body.cursor)).body.epoch, copy.epoch)
  // Everybody sends all of it, one of them twice.
  assert.equal((await newB.send(ofB)).body.results[0].outcome, 'admitted')
  await newA.send(ofA)
  const { results } = (await newA.send(ofA)).body as { results: Result[] }
  assert.deepEqual(
    results.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['admitted', null],
      ['undone', null],
      ['admitted', null],
      ['conflict', 'already_checked_in'],
      // The undo was in time, although the server that took it is gone, and the backup has had its scan for an hour.
      ['undone', null],
      // Nobody has bought it here; that it was admitted is kept.
      ['conflict', 'not_found'],
    ],
  )
  assert.equal(results[0]?.check_in_id, first.check_in_id)
  // A device that was paired later does not exist here, and is paired again.
  const refused = await at(c).send(ofC)
  assert.deepEqual([refused.status, refused.body.error.code], [401, 'invalid_device'])
  const { event } = copy
  const { door: again } = await pairDoor(server, accountId, { event_id: event.id, name: 'Door C' })
  const ofAgain = (await again.send(ofC)).body.results as Result[]
  assert.deepEqual(
    ofAgain.map(({ outcome }) => outcome),
    ['refused', 'admitted'],
  )
  const rows = await server.db.read(INSTANCE, tx =>
    tx.all<{ attendee_id: string }>('SELECT attendee_id FROM check_ins'),
  )
  const inside = [before, after, double, taken].map(({ ticket }) => ticket)
  assert.deepEqual(rows.map(({ attendee_id }) => attendee_id).sort(), inside.sort())
  assert.equal((await server.db.read(INSTANCE, tx => tx.all('SELECT id FROM scans'))).length, 9)
  assert.deepEqual(await findDamage(server.db), [])
})

/** The long form, with what a night without a network brings, is for `npm run soak`. */
const [BATCHES, SIZE, TICKETS] = process.env.SOAK === undefined ? [20, 60, 200] : [20, 500, 2_000]

test('a server that is killed between and within batches has each scan once, when all are sent again', {
  timeout: 120_000,
}, async t => {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const clock = Date.now
  const db = await openTestDatabase(t, { data, clock })
  const registrations = Array.from({ length: TICKETS / 20 }, (_, at) => ({
    reference: `R-${at}`,
    registration_type: 'Standard',
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: 20,
  }))
  await applyOrganization(db, organizationToday(registrations), { clock })
  const codes = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; qr_code: string }>('SELECT id, qr_code FROM attendees'),
  )
  const victim = await startServerProcess(t, data)
  const siteUrl = new URL(victim.url).origin
  const { door } = await pairDoor({ app: { siteUrl }, db, clock }, accountId, { event_id: eventId })
  const items = Array.from({ length: BATCHES * SIZE }, (_, at) => {
    const item = door.scan({ code: codes[at % codes.length]?.qr_code as string }, { shown: 'admitted' })
    if (at % 50 === 7) return { ...item, code: 'SVC1.FORGED' }
    if (at % 50 === 23) return { ...item, at: 'yesterday' }
    return at % 50 === 41 ? door.undo((item as SentItem).scan_id) : item
  })
  const batches = Array.from({ length: BATCHES }, (_, at) => items.slice(at * SIZE, (at + 1) * SIZE))
  const answered = new Map<string, Result>()
  const dieAt = 3 + Math.floor(Math.random() * (BATCHES - 6))
  for (const [at, batch] of batches.entries()) {
    if (at === dieAt) setTimeout(Math.random() * 10).then(() => victim.kill('SIGKILL'))
    const answer = await door.send(batch).catch(() => undefined)
    if (answer === undefined) break
    for (const result of answer.body.results) answered.set(result.scan_id, result)
  }
  assert.equal((await victim.ended).signal, 'SIGKILL')
  assert.ok(answered.size >= 3 * SIZE && answered.size < items.length)
  assert.deepEqual(await findDamage(db), [])

  const server = await startServerProcess(t, data)
  const again = new DoorClient(new URL(server.url).origin, clock)
  again.token = door.token
  for (const [at, batch] of batches.entries()) {
    const { results } = (await again.send(batch)).body as { results: Result[] }
    assert.equal(results.length, SIZE)
    for (const [place, result] of results.entries()) {
      const number = (at * SIZE + place) % 50
      assert.equal(result.outcome === 'invalid', number === 7 || number === 23)
      const before = answered.get(result.scan_id as string)
      if (before !== undefined)
        assert.deepEqual([result.outcome, result.check_in_id], [before.outcome, before.check_in_id])
    }
  }
  server.kill('SIGKILL')
  await server.ended
  const good = items.filter((_, at) => at % 50 !== 7 && at % 50 !== 23)
  const scans = await db.read(INSTANCE, tx => tx.all<{ id: string }>('SELECT id FROM scans'))
  assert.deepEqual(scans.map(({ id }) => id).sort(), good.map(({ scan_id }) => scan_id).sort())
  const admitted = await db.read(INSTANCE, tx => tx.all("SELECT id FROM scans WHERE outcome = 'admitted'"))
  const inside = await db.read(INSTANCE, tx => tx.all('SELECT id FROM check_ins'))
  const scanned = new Set(good.filter(({ kind }) => kind === 'scan').map(({ code }) => code as string))
  assert.deepEqual([admitted.length, inside.length], [scanned.size, scanned.size])
  assert.deepEqual(await findDamage(db), [])
})
