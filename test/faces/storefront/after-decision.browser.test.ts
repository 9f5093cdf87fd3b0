import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import { decideAs, makeCode } from '#test/support/after-decision.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

after(closeBrowser)

const [UNBROKEN, ARABIC] = names

test('a decision is read and confirmed, another author presents, and days are ticked, without a barrier in any page', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { contact_email: 'a@example.org', takes_abstracts: true })
  const { app, db, eventId, clock, member } = sale
  const call = await openCall(sale, { kinds: [{ name: UNBROKEN, minutes: 15, poster: false }] })
  await openReview(sale, { wanted: 2 })
  const { submission, submitter } = await begin(sale)
  const author = { email: null, orcid: null, affiliations: [] }
  const { id, code } = await send(
    sale,
    submission.id,
    contentOf({
      ...{ title: UNBROKEN, kind_id: call.kinds[0]?.id ?? null },
      authors: [
        { ...author, given: null, family: UNBROKEN.slice(0, 100), presenting: true },
        { ...author, given: null, family: ARABIC, presenting: false },
      ],
    }),
  )
  for (const [at, to_authors] of [UNBROKEN, `${ARABIC}\n\nTwo lines.`].entries()) {
    const reviewer = await inviteOne(sale, { email: `${at}@reviews.example` })
    await assignAll(sale)
    await review(sale, reviewer, code, { to_authors })
  }
  const { id: registration_code_id } = await makeCode(sale)
  const told = { confirm_by: clock() + 5 * DAY, comments_told_at: clock(), registration_code_id }
  await decideAs(sale, id, { decision: 'accepted', note: 'Well done.' }, told)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: app.siteUrl, secret: row?.cursor_secret as string }
  const { page, requests, messages } = await openPage(t, submissionUrl(server, submitter, submission))
  const wrong: string[] = []
  const look = async (name: string, of = page) => {
    if (process.env.SHOTS !== undefined)
      await of.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
    wrong.push(...(await faultsOf(of, name)))
  }
  await look('accepted')
  await page.getByRole('button', { name: 'Confirm: it will be presented' }).press('Enter')
  await page.getByText('You confirmed on').waitFor()
  await page.getByRole('link', { name: 'Another presenter…' }).press('Enter')
  await look('presenter')
  await page.getByLabel(ARABIC, { exact: true }).press('Space')
  await page.getByRole('button', { name: 'Save the presenter' }).press('Enter')
  await page.getByText('The presenter is saved').waitFor()
  await page.getByLabel('Wednesday, 2 December 2026').press('Space')
  await page.getByRole('button', { name: 'Save the days' }).press('Enter')
  await page.getByText('The days are saved.').waitFor()
  await look('confirmed')

  const owner = await member('owner')
  const value = owner.cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
  const list = `${app.siteUrl}/manage/e/${eventId}/abstracts`
  const chair = await openPage(t, `${list}/${id}`, { storageState: { cookies, origins: [] } })
  await look('chair', chair.page)
  await chair.page.getByRole('button', { name: 'Take back the confirmation' }).click()
  await chair.page.getByText('is taken back').waitFor()
  await chair.page.goto(`${list}?status=unconfirmed`)
  await look('unconfirmed', chair.page)
  await chair.page.getByRole('button', { name: 'Remind those who have not confirmed' }).click()
  await chair.page.getByText('Those of 1 abstract are reminded').waitFor()
  assert.deepEqual(wrong, [])
  for (const { requests: all, messages: said } of [{ requests, messages }, chair]) {
    assert.ok(all.every(url => url.startsWith(app.siteUrl)))
    assert.deepEqual(said, [])
  }
})
