import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, readAs } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'
import { eventually } from '#test/support/webhooks.ts'

after(closeBrowser)

test('a review saves itself in two tabs, which merge; of a score that both have given a person chooses; then it is done', async t => {
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
  const own = reviewerUrl({ baseUrl: sale.app.siteUrl, secret: row?.cursor_secret as string }, rosa)
  const openTab = async () => {
    const { page, messages } = await openPage(t, 'about:blank')
    await page.clock.install()
    await page.goto(`${own}/abstracts/${code}`)
    const score = (n: number) =>
      page
        .getByRole('group', { name: 'Clarity' })
        .getByRole('radio')
        .nth(n - 1)
    return { page, messages, score, comments: page.getByLabel('Comments to the authors') }
  }
  const read = async () => (await readAs(sale, rosa, code)).review
  const scored = (n: number) =>
    eventually(`the score is ${n}`, async () => Object.values((await read()).scores)[0] === n)
  const [one, other] = [await openTab(), await openTab()]
  await one.score(4).check()
  await one.page.clock.fastForward(15_000)
  await scored(4)
  await one.page.getByText(/^Saved at \d\d:\d\d, and not done yet\.$/).waitFor()
  await other.comments.fill('Well told.')
  await other.page.clock.fastForward(15_000)
  await eventually('the comment is saved', async () => (await read()).to_authors === 'Well told.')
  assert.equal(await other.score(4).isChecked(), true)
  await one.score(2).check()
  await one.page.clock.fastForward(15_000)
  await scored(2)
  assert.equal(await one.comments.inputValue(), 'Well told.')
  await other.score(5).check()
  await other.page.clock.fastForward(15_000)
  await other.page.getByText(/^Elsewhere it says:\s+2/).waitFor()
  assert.deepEqual(await faultsOf(other.page, 'asked'), [])
  await other.page.getByRole('button', { name: 'Keep what is here' }).click()
  await scored(5)
  await other.page.getByLabel('Accept').check()
  await other.page.getByRole('button', { name: 'Done, and on to the next' }).click()
  await other.page.getByText(/All of your reviews are done/).waitFor()
  assert.equal((await read()).recommendation, 'accept')
  assert.deepEqual(
    [...one.messages, ...other.messages].filter(each => !/409/.test(each)),
    [],
  )
})
