import assert from 'node:assert/strict'
import type { Database } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { runHere } from '#product/administration/jobs/run-here.ts'
import { MARK_PRINTED, markPrinted } from '#product/entrance/badges/mark-printed.ts'
import {
  findBadges,
  findBadgesOf,
  listOfPrint,
  printOne,
  startPrint,
} from '#product/entrance/badges/rules.ts'
import { forgetPrinted } from '#product/guests/attendees/printed-badges.ts'

/** Prints the badges of an event in each way, and takes it back. */
export async function runBadges(db: Database, accountId: string, eventId: string): Promise<void> {
  const find = () => findBadges(db, accountId, { event_id: eventId }, [])
  const { waiting } = await find()
  const [one] = waiting
  if (one === undefined) assert.fail('The event has nobody with a ticket.')
  const by = { again: false, by: 'user:ada' }
  const { at } = await db.write(accountId, tx => startPrint(tx, eventId, { ids: [one], ...by }))
  assert.equal((await db.read(accountId, tx => listOfPrint(tx, eventId, at))).length, 1)
  const again = await db.write(accountId, tx => printOne(tx, eventId, one))
  assert.equal((await db.read(accountId, tx => findBadgesOf(tx, waiting))).get(one), true)
  await db.write(accountId, tx => forgetPrinted(tx, eventId, again.at))
  const input = { ids: waiting, at: again.at, again: true }
  const { id } = await db.write(accountId, tx =>
    jobs.start(tx, { kind: MARK_PRINTED, eventId, input, total: waiting.length, by: 'cli' }),
  )
  assert.equal((await runHere(db, accountId, id, markPrinted)).done, waiting.length)
  assert.deepEqual((await find()).prints, [{ at: again.at, badges: waiting.length }])
  await db.write(accountId, tx => forgetPrinted(tx, eventId, again.at))
}
