import assert from 'node:assert/strict'
import { DAY, HOUR } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { readStandings } from '#product/programme/decisions/standings.ts'
import { give, listChoices, readReviews, take } from '#product/programme/reviews/assignments.ts'
import { isWriter } from '#product/programme/reviews/own.ts'
import * as people from '#product/programme/reviews/person.ts'
import { listQueue } from '#product/programme/reviews/reading.ts'
import { reviewReminders } from '#product/programme/reviews/reminders.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { assignAll, inviteOne, openReview, readAs, review } from '../reviews.ts'
import { sendDecisions } from './sending-run.ts'

/** Does everything that people do who review abstracts, and those who organize it. The event has at least two to review. */
export async function reviewAbstracts(
  db: Database,
  clock: () => number,
  { accountId, eventId, otherId }: { accountId: string; eventId: string; otherId: string },
): Promise<void> {
  const place = { db, accountId, eventId, clock }
  await openReview(place, { wanted: 2, blind: false })
  const rosa = await inviteOne(place)
  const ben = await inviteOne(place, { name: 'Ben', email: 'ben@reviews.test' })
  assert.equal(await db.read(INSTANCE, tx => reviewers.findAccount(tx, rosa.id)), accountId)
  const profile = { affiliation: 'Hospital', topics: [], conflicts: ['Nobody'] }
  await db.write(accountId, tx => reviewers.setProfile(tx, rosa.id, profile))
  const count = await assignAll(place)
  const ids: string[] = []
  for await (const some of readReviews(db, accountId, eventId))
    ids.push(...some.filter(each => each.reviewer_id === rosa.id).map(each => each.abstract_id))
  assert.equal(count, 2 * ids.length)
  const [first, second] = ids as [string, string]
  assert.ok(second !== undefined)
  const codeOf = async (id: string) => (await db.read(accountId, tx => getSubmitted(tx, id))).code
  await review(place, rosa, await codeOf(first))
  await readAs(place, rosa, await codeOf(second))
  await db.write(accountId, async tx => {
    await reviews.giveBack(tx, rosa, (await getSubmitted(tx, second)).code, 'field')
    await take(tx, eventId, { abstract_id: second, reviewer_id: rosa.id })
    await give(tx, eventId, { abstract_id: second, reviewer_id: rosa.id })
    await reviewers.remind(tx, eventId)
    await tx.run('UPDATE review_rounds SET closes_at = $2 WHERE event_id = $1', [
      eventId,
      clock() + 12 * HOUR,
    ])
    await reviewReminders.remind(tx, eventId)
    await reviewers.renew(tx, eventId, ben.id)
    await rounds.copy(tx, eventId, otherId, instant => instant + DAY)
  })
  await db.read(INSTANCE, tx => reviewReminders.list(tx, { closes_at: clock(), event_id: '' }, clock(), 10))
  await db.read(accountId, async tx => {
    assert.equal((await reviews.listOfAbstract(tx, first)).length, 2)
    assert.equal((await reviews.listOfReviewer(tx, rosa.id, 'chair@chairs.test')).length, ids.length)
    assert.equal((await listQueue(tx, rosa)).length, ids.length)
    assert.equal((await listChoices(tx, eventId, first)).length, 0)
    assert.equal((await reviewers.listByEmail(tx, rosa.email)).length, 1)
    assert.equal(await isWriter(tx, first, rosa.email), false)
  })
  const standings = await readStandings(db, { accountId, eventId, email: 'chair@chairs.test' })
  assert.ok(standings.count >= 2)
  await sendDecisions(place, [first, second])
  await db.write(accountId, async tx => {
    await reviewers.leave(tx, eventId, ben.id)
    await people.erase(tx, ben.id)
  })
  for await (const some of people.redactConflicts(db, accountId, 'nobody'))
    for (const row of some) await db.write(accountId, tx => people.replaceConflicts(tx, row))
}
