import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { Drawings } from '#machinery/ticket-documents/drawing/drawings.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { KeyboardWalk, keyboardOf } from '#test/support/keyboard-walk.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

const TEXTS = {
  en: ['Your file is not ready yet', 'Try again', /wait a few seconds, then try again\./],
  es: ['Tu archivo aún no está listo', 'Intentar otra vez', /espera unos segundos e inténtalo de nuevo\./],
} as const

test('a file that has to wait is a page with one button, for buyers and for members, which has the file once it can be drawn', {
  timeout: 120_000,
}, async t => {
  const { app, take, pathOf, member, eventId } = await startSale(t)
  const tickets = `${pathOf(await take({ Guest: ['Grace Hopper'] }))}/tickets.pdf`
  const isFull = t.mock.method(Drawings.prototype, 'draw', async () => {
    throw new Problem('documents_waiting', { retryAfter: 10 })
  })
  const wrong: string[] = []
  for (const language of ['en', 'es'] as const) {
    const { cookies } = await member(language === 'en' ? 'owner' : 'manager', { language })
    const { page } = await openPage(t, app.siteUrl)
    const session = cookies.get('session') as string
    await page.context().addCookies([{ name: 'session', value: session, url: app.siteUrl }])
    const [title, again, about] = TEXTS[language]
    for (const [name, path] of Object.entries({
      buyer: `${tickets}?lang=${language}`,
      member: `/manage/e/${eventId}/doors/paper/list?part=1`,
    })) {
      const answer = await page.goto(app.siteUrl + path)
      assert.deepEqual([answer?.status(), answer?.headers()['retry-after']], [503, '10'], name)
      assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), title)
      const main = await page.locator('main').innerText()
      assert.match(main, about)
      assert.doesNotMatch(main, /req_/, 'no number of a request: nothing is wrong')
      wrong.push(...(await faultsOf(page, `${name} ${language}`)))
      wrong.push(...(await walkByTab(page, 'a')))
      assert.equal(await page.getByRole('link', { name: again }).getAttribute('href'), path)
    }
  }
  assert.deepEqual(wrong, [])

  const { page } = await openPage(t, app.siteUrl)
  const walk = new KeyboardWalk(keyboardOf(page))
  await walk.open(`${app.siteUrl}${tickets}`, 'Your file is not ready yet')
  isFull.mock.restore()
  const downloaded = page.waitForEvent('download')
  await walk.to('Try again')
  await page.keyboard.press('Enter')
  assert.match((await downloaded).suggestedFilename(), /^[A-Z0-9]{4}-[A-Z0-9]{4}\.pdf$/)
})
