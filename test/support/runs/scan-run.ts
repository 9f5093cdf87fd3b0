import assert from 'node:assert/strict'
import type { App } from '#app/app.ts'
import { DAY } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { changeDoor } from '#product/entrance/doors/change-door.ts'
import * as changes from '#product/entrance/doors/change-store.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import * as doorChanges from '#product/guests/attendees/door-change-store.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { asInstance } from '#test/support/as-instance.ts'
import type { TestClock } from '../clock.ts'
import { pairDoor, secretOf } from '../door/door.ts'

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
  const item = one.scan({ ticket: ticketId })
  assert.equal((await one.one(item)).outcome, 'admitted')
  const double = other.scan({ ticket: ticketId }, { shown: 'admitted' })
  assert.equal((await other.one(double)).outcome, 'conflict')
  const { body } = await one.changes(cursor)
  assert.deepEqual([body.tickets.length, body.notices.length], [1, 1])
  assert.equal((await one.one({ ...item, shown: 'refused' })).outcome, 'refused')
  assert.equal((await other.one(other.undo(double.scan_id))).outcome, 'undone')
  assert.equal((await other.one(other.scan({ code: 'SVC1.X' }))).outcome, 'invalid')
  await db.write(accountId, async tx => {
    const { pairing_url } = await doors.renewPairing(tx, id, app.siteUrl)
    assert.ok(secretOf(pairing_url))
    assert.equal(await doors.findOwner(asInstance(tx), id), accountId)
    await attendees.noteEventAtDoors(tx, eventId)
    await doors.list(tx, eventId)
    await changeDoor(tx, id, { name: 'South door', registration_type_ids: null })
    await doors.revoke(tx, id)
  })
  assert.equal((await other.changes(cursor)).body.error.code, 'copy_again')
  clock.advance(1)
  await db.write(accountId, async tx => {
    await attendees.noteTicketAtDoors(tx, ticketId)
    const later = clock() + DAY
    assert.ok(await doorChanges.hasOlder(tx, later))
    assert.ok((await doorChanges.deleteOlder(tx, later, 500)) > 0)
    await changes.listOf(tx, eventId, 0)
  })
}
