import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { tellUnavailable } from '#product/programme/decisions/availability.ts'
import { confirm } from '#product/programme/decisions/confirming.ts'
import { changePresenter } from '#product/programme/decisions/presenter-change.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { decideAs, makeCode } from '#test/support/after-decision.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

for (const blind of [true, false]) {
  test(`what is decided, and what authors do then, changes nothing that a reviewer of a ${blind ? 'blind' : 'open'} review sees`, async t => {
    const at = await startSale(t, {}, { takes_abstracts: true })
    const kinds = [
      { name: 'Talk', minutes: 20, poster: false },
      { name: 'Poster', minutes: null, poster: true },
    ]
    const call = await openCall(at, { kinds })
    await openReview(at, { blind, wanted: 1 })
    const { db, accountId, visitor } = at
    const [talk, poster] = call.kinds.map(({ id }) => id)
    const { submission } = await begin(at)
    const { id, code } = await send(at, submission.id, contentOf({ kind_id: talk ?? null }))
    const reviewer = await inviteOne(at)
    await assignAll(at)
    await review(at, reviewer, code)
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
    )
    const own = reviewerUrl({ baseUrl: '', secret: row?.cursor_secret as string }, reviewer)
    const reader = visitor()
    const seen = async () => {
      const pages = []
      for (const path of [own, `${own}/all`, `${own}/abstracts/${code}`]) {
        const { status, html } = await reader.open(path)
        pages.push({ path, status, html })
      }
      return pages
    }
    const before = await seen()
    assert.ok(before.every(({ status, html }) => status === 200 && html.includes('On rooms')))
    const { id: registration_code_id } = await makeCode(at)
    const told = { confirm_by: at.clock() + DAY, comments_told_at: at.clock(), registration_code_id }
    await decideAs(at, id, { decision: 'accepted', kind_id: poster ?? null, note: 'Secret note' }, told)
    assert.deepEqual(await seen(), before)
    await db.write(accountId, async tx => {
      await confirm(tx, id)
      await tellUnavailable(tx, id, ['2026-12-01'])
      await changePresenter(tx, submission.id, { at: 1, revision: 1 })
    })
    assert.deepEqual(await seen(), before)
    await decideAs(at, id, { decision: 'rejected' })
    assert.deepEqual(await seen(), before)
  })
}
