import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { dataOf, type ReadPage } from '#test/support/people/page-reader.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, readAs, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  await openCall(sale)
  await openReview(sale, { wanted: 1, criteria: [{ name: 'Clarity', weight: 1 }] })
  const { submission } = await begin(sale)
  const { code } = await send(sale, submission.id, contentOf())
  const rosa = await inviteOne(sale)
  await assignAll(sale)
  const row = await sale.db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const own = reviewerUrl({ baseUrl: '', secret: row?.cursor_secret as string }, rosa)
  const openForm = () => sale.visitor().open(`${own}/abstracts/${code}`)
  /** Sends a form as its script does. */
  const save = async (form: ReadPage, changes: Record<string, string> = {}) => {
    const body = new URLSearchParams(
      [...dataOf(form.document.querySelector('form.form') as HTMLFormElement)].map(([name, value]) => [
        name,
        String(value),
      ]),
    )
    for (const [name, value] of Object.entries(changes)) body.set(name, value)
    const headers = { 'sec-fetch-site': 'same-origin' }
    const address = `${sale.app.siteUrl}${own}/abstracts/${code}/save`
    const answer = await fetch(address, { method: 'POST', headers, body })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : {} }
  }
  const read = async () => readAs(sale, rosa, code)
  return { ...sale, code, rosa, own, openForm, save, read }
}

const NEXT = 'review.revision'

test('a review saves itself as far as it is typed, is not done by that, and the answer has the revision for the next time', async t => {
  const at = await start(t)
  const form = await at.openForm()
  const first = await at.save(form, { to_authors: 'Half a sent' })
  assert.equal(first.status, 200)
  assert.match(first.body.said, /^Saved at \d\d:\d\d, and not done yet\.$/)
  const second = await at.save(form, { to_authors: 'A sentence.', [NEXT]: first.body.revision })
  assert.equal(second.status, 200)
  assert.notEqual(second.body.revision, first.body.revision)
  const { review: kept, isDone } = await at.read()
  assert.deepEqual([kept.to_authors, isDone], ['A sentence.', false])
  // The answer was lost on its way, so the script sends the same again by the revision before.
  const again = await at.save(form, { to_authors: 'A sentence.', [NEXT]: first.body.revision })
  assert.deepEqual([again.status, again.body.revision], [200, second.body.revision])
})

test('what was saved elsewhere is not saved over: the script is told to merge', async t => {
  const at = await start(t)
  const [mine, other] = [await at.openForm(), await at.openForm()]
  await at.save(other, { to_chairs: 'Elsewhere.' })
  const { status, body } = await at.save(mine, { to_authors: 'Here.' })
  assert.deepEqual([status, body.isElsewhere, body.isOver], [409, true, false])
  assert.deepEqual((await at.read()).review.to_authors, null)
})

test('Save by a button takes what its form has saved by itself meanwhile as its own, and merges only what came from elsewhere', async t => {
  const at = await start(t)
  const form = await at.openForm()
  const { body } = await at.save(form, { to_authors: 'Saved by itself.' })
  const revision = form.document.querySelector('[data-revision]') as HTMLInputElement
  revision.value = body.revision
  const saved = await form.fill({ 'Comments to the authors': 'Saved by a button.' }).press('Save')
  assert.match(saved.text, /It is saved, and not done yet\./)
  assert.equal((await at.read()).review.to_authors, 'Saved by a button.')
})

test('a form that was refused goes on from what it was shown with, so it saves over nothing of another tab', async t => {
  const at = await start(t)
  const [mine, other] = [await at.openForm(), await at.openForm()]
  await other.fill({ 'Comments to the chairs alone': 'Elsewhere.' }).press('Save')
  const refused = await mine.fill({ 'Comments to the authors': 'x'.repeat(5_001) }).press('Save')
  assert.equal(refused.status, 422)
  await refused.fill({ 'Comments to the authors': 'Short.' }).press('Save')
  const { to_authors, to_chairs } = (await at.read()).review
  assert.deepEqual([to_authors, to_chairs], ['Short.', 'Elsewhere.'])
})

test('a review that is done is not saved over by half a one, which says why; a whole one stays done', async t => {
  const at = await start(t)
  await review(at, at.rosa, at.code)
  const form = await at.openForm()
  const score = [...form.document.querySelectorAll('input[type=radio]')][0]?.getAttribute('name') ?? ''
  const { status, body } = await at.save(form, { [score]: '', to_authors: 'Changed.' })
  assert.equal(status, 422)
  assert.match(body.said, /A done review has each score/)
  assert.equal((await at.read()).review.to_authors, 'Well told.')
  const whole = await at.save(form, { [score]: '2' })
  assert.match(whole.body.said, /^Saved at \d\d:\d\d\. It stays done\.$/)
  const { review: kept, isDone } = await at.read()
  assert.deepEqual([Object.values(kept.scores), isDone], [[2], true])
})

test('once the review is over, or the abstract is given back, nothing is saved, and the script stops', async t => {
  const at = await start(t)
  const form = await at.openForm()
  const long = await at.save(form, { to_authors: 'x'.repeat(5_001) })
  assert.deepEqual([long.status, long.body.isOver], [422, false])
  assert.match(long.body.said, /5,?000/)
  at.clock.advance(15 * DAY)
  const late = await at.save(form, { to_authors: 'Late.' })
  assert.deepEqual([late.status, late.body.isOver], [409, true])
  assert.doesNotMatch(String((await at.openForm()).headers['content-security-policy']), /script-src/)
  at.clock.advance(40 * DAY)
  assert.equal((await at.save(form, { to_authors: 'Late.' })).status, 404)
})
