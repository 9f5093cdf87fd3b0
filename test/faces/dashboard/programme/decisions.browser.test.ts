import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { give } from '#product/programme/reviews/assignments.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'
import { inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

after(closeBrowser)

const [UNBROKEN, ARABIC] = names

for (const language of ['en', 'es'] as const) {
  test(`the table of the chairs is used by keyboard and pointer, without a barrier in any page, in ${language}`, {
    timeout: 240_000,
  }, async t => {
    const sale = await startSale(t, {}, { takes_abstracts: true })
    const { app, db, accountId, eventId, member } = sale
    const kinds = [
      { name: UNBROKEN.slice(0, 100), minutes: 20, poster: false },
      { name: 'Poster', minutes: null, poster: true },
    ]
    const call = await openCall(sale, { per_person: 50, kinds, topics: ['Rooms', UNBROKEN.slice(0, 100)] })
    const chair = await member('chair', { language })
    const value = chair.cookies.get('session') as string
    const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
    const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
    const table = `${app.siteUrl}/manage/e/${eventId}/decisions`
    const { page, messages } = await openPage(t, table, { storageState: { cookies, origins: [] } })
    const wrong: string[] = []
    const look = async (name: string) => {
      if (process.env.SHOTS !== undefined)
        for (const [width, colorScheme] of [
          ...([[1280, 'light']] as const),
          ...([
            [390, 'light'],
            [1280, 'dark'],
            [390, 'dark'],
          ] as const),
        ]) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme })
          const path = `${process.env.SHOTS}/${language}-${name}-${width}-${colorScheme}.png`
          await page.screenshot({ path, fullPage: true })
        }
      wrong.push(...(await faultsOf(page, name)))
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await look('empty')
    const submit = async (title: string, at: number, email = 'lin@writers.example') => {
      const { submission } = await begin(sale, { email })
      const of = { topic_id: call.topics[at % 2]?.id ?? null, kind_id: call.kinds[at % 2]?.id ?? null }
      return send(sale, submission.id, contentOf({ title, ...of }))
    }
    const titles = ['On rooms', UNBROKEN, ARABIC, 'On doors and what they open to', 'On halls']
    const sent: Awaited<ReturnType<typeof submit>>[] = []
    for (const [at, title] of titles.entries()) sent.push(await submit(title, at))
    await submit('Of the chair', 0, 'chair@example.org')
    await page.goto(table)
    await look('unreviewed')
    const { criteria } = await openReview(sale)
    for (let who = 0; who < 3; who++) {
      const reviewer = await inviteOne(sale, { name: `Reviewer ${who}`, email: `r${who}@reviews.example` })
      for (const [at, { id, code }] of sent.entries()) {
        await db.write(accountId, tx => give(tx, eventId, { abstract_id: id, reviewer_id: reviewer.id }))
        const scores = Object.fromEntries(criteria.map(each => [each.id, 1 + ((at * 2 + who) % 5)]))
        const recommendation = (['accept', 'unsure', 'reject'] as const)[(at + who) % 3] ?? null
        await review(sale, reviewer, code, { scores, recommendation })
      }
    }
    await proposeFor(sale, sent[0]?.id as string, { kind_id: call.kinds[0]?.id ?? null, note: UNBROKEN })
    await proposeFor(sale, sent[3]?.id as string, { decision: 'rejected' })
    await page.goto(table)
    await look('table')
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.getByRole('link', { name: language === 'en' ? 'Spread' : 'Amplitud' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/sort=spread/)
    assert.equal(await page.locator('th[aria-sort="descending"]').count(), 1)
    await page.goto(`${table}?topic=${call.topics[1]?.id}&least=1&most=5&sort=-mean`)
    await look('narrowed')
    await page.goto(`${table}?least=many`)
    await look('nothing-found')
    await page.goto(table)
    await page.locator('input[name="id"]').nth(0).check()
    await page.locator('input[name="id"]').nth(1).check()
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.ok(await page.locator('.bulk').isVisible())
    await page.locator('.bulk button').first().click()
    await page.waitForURL(/decisions\/propose/)
    await look('asked')
    await page.locator('form[method="post"] button[type="submit"]').click()
    await page.waitForURL(/\/decisions$/)
    await look('kept')
    await page.goto(`${app.siteUrl}/manage/e/${eventId}/abstracts/${sent[0]?.id}`)
    await look('abstract')
    await page.goto(`${app.siteUrl}/manage/e/${eventId}/abstracts/${sent[0]?.id}/proposal`)
    await look('proposal')
    assert.deepEqual(wrong, [])
    assert.deepEqual(messages, [])
  })
}
