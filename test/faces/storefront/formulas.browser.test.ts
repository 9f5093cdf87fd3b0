import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { typedOf } from '#product/programme/submissions/typed-content.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { startSale } from '#test/support/people/sale.ts'
import { begin, contentOf, openCall } from '#test/support/submissions.ts'

after(closeBrowser)

const LONG = Array.from({ length: 16 }, (_, at) => `a_{${at}} x^{${at}}`).join(' + ')

const BACKGROUND = String.raw`Rooms hold $n \le 40$ people at $25\,^\circ\mathrm{C}$; the tickets cost $20 and $30. By \$5 less, $\bar{x} = \frac{1}{n}\sum_{i=1}^{n} x_i$ rises ($p < 0.05$, *$\chi^2$ test*), and the 3$\sigma$ level is $\overline{y} \pm \sqrt{s^2}$.

- water is H~2~O, or \ce{H2O} as $\ce{H2O}$
- $\ce{2H2 + O2 ->[\Delta] 2H2O}$
- what is wrong stays: $\frac{1}{$, $\href{https://x.example}{y}$

$$\int_{-\infty}^{\infty} e^{-x^2}\,dx = \sqrt{\pi}$$`

const RESULTS = String.raw`A long one in a line, $${LONG}$, and one of its own:

$$f(x) = ${LONG}$$

$$\begin{aligned} a + b &= c \\ d &= e + f + g \end{aligned}$$

$$A = \begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}, \quad |x| = \begin{cases} x & x \ge 0 \\ -x & x < 0 \end{cases}, \quad \begin{array}{c|c} 1 & 2 \\ \hline 3 & 4 \end{array}, \quad \boxed{E = mc^2}$$`

test('formulas are drawn where they are shown, in both colours, and wide ones scroll in boxes of their own', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const { app, db, accountId, member, eventId, clock } = sale
  const call = await openCall(sale, { sections: ['Background', 'Results'] })
  const sections = [
    { heading: 'Background', text: BACKGROUND },
    { heading: 'Results', text: RESULTS },
  ]
  const { submission, submitter } = await begin(sale, { draft: typedOf(contentOf({ sections }), call) })
  const secret = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const server = { baseUrl: app.siteUrl, secret: secret?.cursor_secret as string }
  const own = submissionUrl(server, submitter, submission)
  clock.advance(2_000)
  const { page, requests, messages } = await openPage(t, `${own}/send`)
  const wrong: string[] = []
  const look = async (name: string) => {
    // Of a single sign axe cannot say whether it is text. It has the colour of the text around it.
    const faults = await faultsOf(page, name)
    wrong.push(...faults.filter(fault => !/: color-contrast: <m[a-z]+/.test(fault)))
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const path = `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`
        if (process.env.SHOTS !== undefined) await page.screenshot({ path, fullPage: true })
      }
    }
    await page.setViewportSize({ width: 390, height: 900 })
  }
  const readMath = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll('math')]
      return {
        math: all.map(each => each.querySelector('annotation')?.textContent),
        typed: [...document.querySelectorAll('article code, .prose code')].map(each => each.textContent),
        // What the browser draws as an error.
        errors: document.querySelectorAll('merror').length,
        areDrawn: all.every(each => each.getBoundingClientRect().width > 0),
        styled: document.querySelectorAll('article [style], .prose [style]').length,
      }
    })
  await page.getByText('A formula stands as you typed it').waitFor()
  await look('formulas-check')
  const before = await readMath()
  assert.deepEqual(before.typed, ['$\\frac{1}{$', '$\\href{https://x.example}{y}$'])
  assert.deepEqual([before.errors, before.areDrawn, before.styled], [0, true, 0])
  assert.equal(before.math.length, 14)
  const box = page.locator('.formula[tabindex]').first()
  const { isWide, after: moved } = await box.evaluate(each => {
    const wide = each.scrollWidth > each.clientWidth
    each.scrollLeft = 50
    return { isWide: wide, after: each.scrollLeft }
  })
  assert.deepEqual([isWide, moved], [true, 50])
  await page.getByRole('button', { name: 'Send it' }).click()
  await page.waitForURL(/\?sent$/)
  assert.deepEqual(await readMath(), before)
  const { submission: sent } = await db.read(accountId, tx => submissions.get(tx, submission.id))
  const owner = await member('owner')
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  await page.goto(`${app.siteUrl}/manage/e/${eventId}/abstracts/${sent.abstract_id}`)
  await look('formulas-chair')
  assert.deepEqual(await readMath(), before)
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
    [],
  )
  assert.deepEqual(messages, [])
})
