import assert from 'node:assert/strict'
import type { App } from '../../src/app/app.ts'
import * as doorChanges from '../../src/attendees/door-change-store.ts'
import * as attendees from '../../src/attendees/rules.ts'
import type { Database } from '../../src/db/port.ts'
import * as changes from '../../src/doors/change-store.ts'
import * as doors from '../../src/doors/rules.ts'
import { DAY } from '../../src/time.ts'
import type { TestClock } from './clock.ts'
import { pairDoor, secretOf } from './door.ts'

interface Doors {
  app: App
  db: Database
  clock: TestClock
  accountId: string
  eventId: string
  ticketId: string
}

/** Does what scanners do, each once. */
export async function runScanners({ app, db, clock, accountId, eventId, ticketId }: Doors): Promise<void> {
  const server = { app, db, clock }
  const { door: one, id } = await pairDoor(server, accountId, { event_id: eventId })
  const { door: other } = await pairDoor(server, accountId, { event_id: eventId })
  const { cursor } = (await one.copy()).body
  const asked = one.scan({ ticket: ticketId })
  assert.equal((await one.one(asked)).outcome, 'admitted')
  const double = other.scan({ ticket: ticketId }, { shown: 'admitted' })
  assert.equal((await other.one(double)).outcome, 'conflict')
  const { body } = await one.changes(cursor)
  assert.deepEqual([body.tickets.length, body.notices.length], [1, 1])
  assert.equal((await one.one({ ...asked, shown: 'refused' })).outcome, 'refused')
  assert.equal((await other.one(other.undo(double.scan_id))).outcome, 'undone')
  assert.equal((await other.one(other.scan({ code: 'SVC1.X' }))).outcome, 'invalid')
  await db.write(accountId, async tx => {
    const { pairing_url } = await doors.renewPairing(tx, accountId, id, app.siteUrl)
    assert.ok(secretOf(pairing_url))
    assert.equal(await doors.findOwner(tx, id), accountId)
    await attendees.noteEventAtDoors(tx, accountId, eventId)
    await doors.list(tx, accountId, eventId)
    await doors.revoke(tx, accountId, id)
  })
  assert.equal((await other.changes(cursor)).body.error.code, 'copy_again')
  clock.advance(1)
  await db.write(accountId, async tx => {
    await attendees.noteTicketAtDoors(tx, accountId, ticketId)
    const later = clock() + DAY
    assert.ok(await doorChanges.hasOlder(tx, accountId, later))
    assert.ok((await doorChanges.deleteOlder(tx, accountId, later, 500)) > 0)
    await changes.listOf(tx, accountId, eventId, 0)
  })
}
