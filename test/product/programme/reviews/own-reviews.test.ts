import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listQueue } from '#product/programme/reviews/reading.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import { assignAll, inviteOne, openReview, readAs, review } from '#test/support/reviews.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

test('whoever is named among the authors of what they have to review does not have it any more', async t => {
  const { db, applied, eventId, clock } = await startWithOrganization(t)
  const place = { db, accountId: applied.account_id, eventId, clock }
  await openCall(place)
  const { submission } = await begin(place)
  const one = await send(place, submission.id)
  const other = await begin(place, { email: 'max@example.org' })
  const two = await send(place, other.submission.id, contentOf({ title: 'On doors' }))
  await openReview(place, { wanted: 1 })
  const rosa = await inviteOne(place)
  await assignAll(place)
  const queue = async () =>
    (await db.read(place.accountId, tx => listQueue(tx, rosa))).map(({ code }) => code).sort()
  assert.deepEqual(await queue(), [one.code, two.code].sort())
  await readAs(place, rosa, one.code)

  const author = { given: 'R', family: 'Ruiz', email: 'ROSA@reviews.example', orcid: null, affiliations: [] }
  const authors = [...contentOf().authors, { ...author, presenting: false }]
  await send(place, submission.id, contentOf({ authors }))
  assert.deepEqual(await queue(), [two.code])
  await assert.rejects(readAs(place, rosa, one.code), { code: 'not_found' })
  await assert.rejects(review(place, rosa, one.code), { code: 'not_found' })
  await assert.rejects(
    db.write(place.accountId, tx => reviews.giveBack(tx, rosa, one.code, 'field')),
    { code: 'not_found' },
  )
  await review(place, rosa, two.code)
  // Nobody is reminded of what is not theirs to do.
  const remind = () => db.write(place.accountId, tx => reviewers.remind(tx, eventId))
  assert.equal(await remind(), 0)
  // Once the name is taken out, it is as before.
  await send(place, submission.id, contentOf())
  assert.deepEqual(await queue(), [one.code, two.code].sort())
  assert.equal(await remind(), 1)
})
