import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { seller } from '#test/support/people/organizer.ts'

after(closeBrowser)

const LONG = `${'Wolfeschlegelsteinhausen'.repeat(6)}<i>`
const PASTED = '2027-02-29 10:00\n2027-03-28 02:30\n2027-10-31 02:30\n1.3.2027 9:00'

for (const [language, words] of [
  [
    'en',
    {
      day: 'Monday',
      show: 'Show the dates',
      make: 'Make the drafts',
      publish: /^Publish \d+ drafts$/,
      see: 'See the page of all dates',
    },
  ],
  [
    'es',
    {
      day: 'lunes',
      show: 'Mostrar las fechas',
      make: 'Crear los borradores',
      publish: /^Publicar \d+ borradores$/,
      see: 'Ver la página con todas las fechas',
    },
  ],
] as const) {
  test(`the pages that repeat an event in ${language} have no barriers, work without script, and fit a phone`, async t => {
    const server = await startDashboard(t, organization({ event: { title: LONG, status: 'draft' } }))
    const { db, accountId, eventId, app } = server
    await db.write(accountId, tx => accounts.update(tx, seller))
    const reader = await server.member('manager', { language })
    const value = reader.cookies.get('session') as string
    const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/' }
    const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
    const path = `${app.siteUrl}/manage/e/${eventId}/repeat`
    const { page, messages } = await openPage(t, path, { storageState: { cookies, origins: [] } })
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${name} ${colorScheme}`)
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          const [scroll, ...out] = (await page.evaluate('findOverflow()')) as string[]
          assert.equal(scroll, `scrolls to ${width}`, `${name}: ${out.slice(-2).join(' ')}`)
          if (process.env.SHOTS !== undefined)
            await page.screenshot({
              path: join(process.env.SHOTS, `${name}-${language}-${width}-${colorScheme}.png`),
              fullPage: true,
            })
        }
      }
    }
    await look('repeat')
    await page.getByRole('button', { name: words.show }).click()
    await look('repeat-refused')
    await page.getByLabel(words.day).check()
    await page.locator('#from').fill('2027-01-01')
    await page.locator('#until').fill('2027-01-31')
    await page.locator('#times').fill('10:00, 18:30')
    await page.locator('#pasted').fill(PASTED)
    await page.getByRole('button', { name: words.show }).click()
    await look('dates')
    await page.getByRole('button', { name: words.make }).click()
    await look('series')
    await page.getByRole('link', { name: words.publish }).click()
    await look('publish')
    await page.getByRole('button', { name: words.publish }).click()
    await look('published')
    await page.getByRole('link', { name: words.see }).click()
    await look('public-series')
    await page.locator('main a[href*="2027"]').first().click()
    await look('public-date')
    await page.goto(`${app.siteUrl}/manage/a/${accountId}?list=drafts`)
    await look('folded')
    const id = await db.write(accountId, async tx => {
      const starts = Array.from({ length: 190 }, (_, day) => Date.parse('2027-05-01T09:00:00Z') + day * DAY)
      const { series, made } = await repeatEvent(tx, eventId, { name: '', starts })
      for (const date of made.slice(0, 185)) await events.setStatus(tx, date.id, 'published')
      return series.id
    })
    await page.goto(`${app.siteUrl}/manage/a/${accountId}/series/${id}`)
    await look('many')
    await page.getByRole('link', { name: words.see }).click()
    await look('public-many')
    const address = page.url()
    await page.goto(`${app.siteUrl}/manage/a/${accountId}`)
    await look('folded-many')
    server.clock.set('2030-01-01T00:00:00Z')
    await page.goto(address)
    await look('public-none')
    // The form that was refused says so by its status.
    assert.equal(messages.filter(message => !message.includes('422')).length, 0)
  })
}
