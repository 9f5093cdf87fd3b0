import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { findUnnotified } from '#product/catalog/events/date-place.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as notices from '#product/mailing/notices/rules.ts'
import { startNoticed } from '#test/support/notices.ts'

const NOTIFYING = { total: null, by: 'user:ada' }

test('a change is kept for those who know another date or place alone: of a draft, or without registrations, nobody does', async t => {
  const { db, accountId, eventId, order } = await startNoticed(t)
  const change = (venue: string) =>
    db.write(accountId, async tx => {
      await events.update(tx, eventId, { venue })
      return (await findUnnotified(tx, eventId))?.venue
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
  // One write has both, so that no mail is sent in between.
  await db.write(accountId, async tx => {
    const tell = () => notices.notifyChange(tx, eventId, NOTIFYING)
    await assert.rejects(tell, nobody)
    await events.update(tx, eventId, { venue: 'New Hall' })
    await tell()
    await assert.rejects(tell, nobody)
    await events.update(tx, eventId, { venue: 'Main Hall' })
  })
  await finish()
  await mail.take()
  await db.write(accountId, async tx => {
    await events.setStatus(tx, eventId, 'cancelled')
    await assert.rejects(notices.notifyChange(tx, eventId, NOTIFYING), nobody)
    await notices.notifyCancelled(tx, eventId, NOTIFYING)
    await events.setStatus(tx, eventId, 'published')
    await assert.rejects(notices.notifyCancelled(tx, eventId, NOTIFYING), nobody)
  })
  await finish()
  clock.advance(2 * HOUR)
  assert.deepEqual(await mail.take(), [])
  const rows = await db.read(INSTANCE, tx =>
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
    await events.setStatus(tx, eventId, 'cancelled')
    await events.update(tx, eventId, { venue: 'New Hall' })
    await events.setStatus(tx, eventId, 'published')
    assert.equal((await findUnnotified(tx, eventId))?.venue, 'Main Hall')
    await notices.notifyChange(tx, eventId, NOTIFYING)
  })
})
