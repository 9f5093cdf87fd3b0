import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

after(closeBrowser)

const TOPICS = ['Rooms', names[1] ?? 'Doors']

test('a reviewer reads, scores, gives back and says what they know, and no page has a barrier or runs out of the window', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { contact_email: 'a@example.org', takes_abstracts: true })
  const { app, db } = sale
  const call = await openCall(sale, { topics: TOPICS, sections: ['Background', 'Results'] })
  const about = 'Look for **new** results.\n\n- rooms\n- doors'
  const criteria = [
    { name: names[0] ?? 'Originality', weight: 2 },
    { name: 'Clarity', weight: 1 },
  ]
  await openReview(sale, { wanted: 1, about, criteria })
  const sections = ['Background', 'Results'].map(heading => ({
    heading,
    text: 'Rooms are **full** of H~2~O.\n\n- one\n- two',
  }))
  for (const [at, title] of [names[0], names[3], 'On rooms'].entries()) {
    const { submission } = await begin(sale)
    const topic_id = call.topics[at % 2]?.id ?? null
    await send(sale, submission.id, contentOf({ title: title ?? '', topic_id, sections }))
  }
  const rosa = await inviteOne(sale, { name: names[1] ?? 'Rosa' })
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const own = reviewerUrl({ baseUrl: app.siteUrl, secret: row?.cursor_secret as string }, rosa)
  const { page, requests, messages } = await openPage(t, own)
  const wrong = await faultsOf(page, 'none')
  const shot = async (name: string) => {
    if (process.env.SHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SHOTS}/review-${name}.png`, fullPage: true })
    wrong.push(...(await faultsOf(page, name)))
  }
  await shot('none')
  await assignAll(sale)
  await page.reload()
  await shot('list')
  await page.getByRole('link', { name: 'On rooms' }).click()
  await shot('abstract')
  await page.getByRole('button', { name: 'Done, and on to the next' }).click()
  await page.getByText('A done review has each score').waitFor()
  await shot('refused')
  for (const group of await page.getByRole('group').all())
    if ((await group.getByRole('radio').count()) === 5) await group.getByRole('radio').nth(3).check()
  await page.getByLabel('Accept').check()
  await page.getByLabel('Comments to the authors').fill('Well told.')
  // The keyboard alone saves.
  await page.getByRole('button', { name: 'Save', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('It is saved, and not done yet.').waitFor()
  await shot('saved')
  await page.getByRole('button', { name: 'Done, and on to the next' }).click()
  await page.getByText('Done.', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'I cannot review this…' }).click()
  await shot('back')
  await page.getByRole('button', { name: 'It is not my field' }).click()
  await page.getByText('The abstract is given back.').waitFor()
  await shot('given-back')
  await page.getByRole('link', { name: 'All on one page' }).click()
  await shot('all')
  await page.goto(`${own}/profile`)
  await page.getByLabel('Rooms').check()
  await page.getByLabel('Conflicts of interest').fill(`${names[0]}\n${names[2]}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('It is saved.').waitFor()
  await shot('profile')
  await page.goto(`${own}?lang=es`)
  await shot('list-es')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    messages.filter(message => !/status of 4/.test(message)),
    [],
  )
  assert.deepEqual(
    requests.filter(url => !url.startsWith(app.siteUrl)),
    [],
  )
})
