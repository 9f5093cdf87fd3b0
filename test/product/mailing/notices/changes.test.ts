import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUntold } from '../../src/events/date-place.ts'
import * as events from '../../src/events/rules.ts'
import * as notices from '../../src/notices/rules.ts'
import { HOUR } from '../../src/time.ts'
import { startNoticed } from '../support/notices.ts'

const TELLING = { total: null, by: 'user:ada' }

test('a change is kept for those who know another date or place alone: of a draft, or without registrations, nobody does', async t => {
  const { db, accountId, eventId, order } = await startNoticed(t)
  const change = (venue: string) =>
    db.write(accountId, async tx => {
      await events.update(tx, accountId, eventId, { venue })
      return (await findUntold(tx, accountId, eventId))?.venue
    })
  assert.equal(await change('One'), undefined)
  await order('Grace')
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'draft' WHERE id = $1", [eventId]))
  assert.equal(await change('Two'), undefined)
  await db.write(accountId, tx => tx.run("UPDATE events SET status = 'published' WHERE id = $1", [eventId]))
  assert.equal(await change('Three'), 'Two')
  assert.equal(await change('Four'), 'Two')
  assert.equal(await change('Two'), undefined)
})

test('a change is told once, and neither of an event that is cancelled nor where it was taken back meanwhile', async t => {
  const { db, accountId, eventId, order, mail, finish, clock } = await startNoticed(t)
  await order('Grace')
  await mail.take()
  const nobody = { code: 'not_found' }
  // In one write, so that nothing of it is sent in between.
  await db.write(accountId, async tx => {
    const tell = () => notices.tellChange(tx, accountId, eventId, TELLING)
    await assert.rejects(tell, nobody)
    await events.update(tx, accountId, eventId, { venue: 'New Hall' })
    await tell()
    await assert.rejects(tell, nobody)
    await events.update(tx, accountId, eventId, { venue: 'Main Hall' })
  })
  await finish()
  await mail.take()
  await db.write(accountId, async tx => {
    await events.setStatus(tx, accountId, eventId, 'cancelled')
    await assert.rejects(notices.tellChange(tx, accountId, eventId, TELLING), nobody)
    await notices.tellCancelled(tx, accountId, eventId, TELLING)
    await events.setStatus(tx, accountId, eventId, 'published')
    await assert.rejects(notices.tellCancelled(tx, accountId, eventId, TELLING), nobody)
  })
  await finish()
  clock.advance(2 * HOUR)
  assert.deepEqual(await mail.take(), [])
  const rows = await db.read(tx =>
    tx.all("SELECT kind, status FROM emails WHERE kind LIKE 'event%' ORDER BY kind"),
  )
  assert.deepEqual(rows, [
    { kind: 'event_cancelled', status: 'withdrawn' },
    { kind: 'event_changed', status: 'withdrawn' },
  ])
})

test('what was changed while an event was cancelled by mistake is kept, to be told once it takes place after all', async t => {
  const { db, accountId, eventId, order } = await startNoticed(t)
  await order('Grace')
  await db.write(accountId, async tx => {
    await events.setStatus(tx, accountId, eventId, 'cancelled')
    await events.update(tx, accountId, eventId, { venue: 'New Hall' })
    await events.setStatus(tx, accountId, eventId, 'published')
    assert.equal((await findUntold(tx, accountId, eventId))?.venue, 'Main Hall')
    await notices.tellChange(tx, accountId, eventId, TELLING)
  })
})
