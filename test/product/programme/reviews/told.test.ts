import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { readAfter } from '#product/programme/decisions/author-view.ts'
import type { Reviewer } from '#product/programme/reviews/reviewer-schemas.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { assignAll, inviteOne, openReview, readAs, review } from '#test/support/reviews.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, openCall, send } from '#test/support/submissions.ts'

test('what authors were told of reviews stands, whatever reviewers change or add afterwards, who see their own words', async t => {
  const { db, applied, eventId, clock } = await startWithOrganization(t)
  const place = { db, accountId: applied.account_id, eventId, clock }
  await openCall(place)
  const { submission } = await begin(place)
  const { id, code } = await send(place, submission.id)
  await openReview(place, { wanted: 3 })
  const [rosa, silent, late] = await Promise.all(
    ['Rosa', 'Silent', 'Late'].map(name => inviteOne(place, { name, email: `${name}@${name}.example` })),
  )
  assert.ok(rosa && silent && late)
  await assignAll(place)
  const say = (who: Reviewer, to_authors: string | null) => review(place, who, code, { to_authors })
  const comments = async () =>
    (await db.read(place.accountId, async tx => readAfter(tx, await getSubmitted(tx, id))))?.comments
  await say(rosa, 'Well told.')
  await say(silent, null)
  clock.advance(SECOND)
  // A decision alone tells nobody what reviews say, so that they change.
  await decideAs(place, id)
  await say(rosa, 'Very well told.')
  await decideAs(place, id, { decision: 'accepted' }, { comments_told_at: clock() })
  assert.deepEqual(await comments(), ['Very well told.'])
  clock.advance(SECOND)
  await say(rosa, 'Badly told.')
  await say(rosa, null)
  await say(silent, 'Now I speak.')
  await say(late, 'Too late.')
  await say(late, 'Later still.')
  assert.deepEqual(await comments(), ['Very well told.'])
  assert.equal((await readAs(place, rosa, code)).review.to_authors, null)
  assert.equal((await readAs(place, silent, code)).review.to_authors, 'Now I speak.')
})
