import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { markDeleting } from '#product/catalog/events/deleting.ts'
import { reviewReminders } from '#product/programme/reviews/reminders.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import { startNoticed } from '#test/support/notices.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, openCall, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

/** The deadline is in the zone of the event, Madrid; the reminders are due at 21:00 there. */
const CLOSES = Date.parse('2026-12-10T22:59:00Z')
const FIRST = '2026-12-07T20:00:00Z'
const SECOND = '2026-12-09T20:00:00Z'

async function start(t: TestContext) {
  const at = await startNoticed(t)
  const { db, accountId, eventId, clock, mail, app } = at
  await openCall(at)
  await openReview(at, { closes_at: CLOSES, wanted: 2 })
  const { submission } = await begin(at)
  const { code } = await send(at, submission.id)
  const rosa = await inviteOne(at)
  const ben = await inviteOne(at, { name: 'Ben', email: 'ben@example.net' })
  await assignAll(at)
  await inviteOne(at, { name: 'Idle', email: 'idle@example.net' })
  await at.finish()
  await mail.take()
  /** What the server does each minute. @returns who is reminded */
  const reminded = async (instant?: string) => {
    if (instant !== undefined) clock.set(instant)
    await app.settled('calls')
    await at.finish()
    const told = subjectsOf(await mail.take()) as [to: string, subject: string][]
    return told.filter(([, subject]) => /^Reviews not done yet/.test(subject)).map(([to]) => to)
  }
  const write = <Result>(work: Parameters<typeof db.write<string, Result>>[1]) => db.write(accountId, work)
  return { ...at, code, rosa, ben, reminded, write, eventId }
}

test('whoever has not done all is reminded three days and one day before the end, once each, and nobody else', async t => {
  const at = await start(t)
  assert.deepEqual(await at.reminded('2026-12-07T19:59:59Z'), [])
  assert.deepEqual(await at.reminded(FIRST), ['ben@example.net', 'rosa@reviews.example'])
  assert.deepEqual(await at.reminded('2026-12-07T20:01:00Z'), [])
  await review(at, at.ben, at.code)
  assert.deepEqual(await at.reminded(SECOND), ['rosa@reviews.example'])
  for (const later of ['2026-12-09T20:01:00Z', '2026-12-10T22:00:00Z', '2026-12-11T20:00:00Z'])
    assert.deepEqual(await at.reminded(later), [])
})

test('a server that was off for both sends the later one, and another deadline has reminders of its own', async t => {
  const at = await start(t)
  assert.deepEqual(await at.reminded(SECOND), ['ben@example.net', 'rosa@reviews.example'])
  await openReview(at, { closes_at: Date.parse('2026-12-14T22:59:00Z'), wanted: 2 })
  assert.deepEqual(await at.reminded('2026-12-11T19:59:00Z'), [])
  assert.deepEqual((await at.reminded('2026-12-11T20:00:00Z')).length, 2)
})

for (const hour of [1, 5, 10, 15, 19])
  test(`whoever a chair has reminded ${hour} hours before is not reminded again`, async t => {
    const at = await start(t)
    at.clock.set(new Date(Date.parse(FIRST) - hour * HOUR).toISOString())
    assert.equal(await at.write(tx => reviewers.remind(tx, at.eventId)), 2)
    assert.equal((await at.reminded()).length, 2)
    assert.deepEqual(await at.reminded(FIRST), [])
  })

test('two servers that look at once write one mail to each; a write that is cut off writes none, and the next one all', async t => {
  const at = await start(t)
  at.clock.set(FIRST)
  const cut = at.write(async tx => {
    await reviewReminders.remind(tx, at.eventId)
    throw new Error('cut off')
  })
  await assert.rejects(cut, /cut off/)
  const both = [1, 2].map(() => at.write(tx => reviewReminders.remind(tx, at.eventId)))
  assert.deepEqual((await Promise.all(both)).sort(), [0, 2])
  assert.equal((await at.reminded()).length, 2)
})

test('nobody is reminded of a cancelled event, or of one that is being deleted', async t => {
  const at = await start(t)
  await at.write(tx => tx.run("UPDATE events SET status = 'cancelled' WHERE id = $1", [at.eventId]))
  assert.deepEqual(await at.reminded(FIRST), [])
  await at.write(tx => tx.run("UPDATE events SET status = 'published' WHERE id = $1", [at.eventId]))
  await at.write(tx => markDeleting(tx, at.eventId))
  assert.deepEqual(await at.reminded('2026-12-07T20:01:00Z'), [])
})
