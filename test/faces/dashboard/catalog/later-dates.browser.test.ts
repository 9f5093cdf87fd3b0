import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as types from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

const LONG = `${'Wolfeschlegelsteinhausen'.repeat(6)}<i>`

for (const [language, later, save] of [
  ['en', /This date and the later ones/, 'Save'],
  ['es', /Esta fecha y las posteriores/, 'Guardar'],
] as const) {
  test(`forms in ${language} that save for later dates have no barriers, and fit a phone`, async t => {
    const server = await startDashboard(t, organization({}))
    const { db, accountId, eventId, app } = server
    const { id } = await db.write(accountId, async tx => {
      const starts = ['2027-03-01T09:00:00Z', '2027-03-02T09:00:00Z'].map(Date.parse)
      const { made } = await repeatEvent(tx, eventId, { name: 'Talks', slug: 'talks', starts })
      const [type] = await types.listDetails(tx, eventId)
      for (const date of made) await events.update(tx, date.id, { currency: 'GBP' })
      const logo = { hash: 'a'.repeat(64), width: 8, height: 8, page: 'png', pageContent: null } as const
      await looks.setLogo(tx, eventId, { ...logo, content: '' })
      return types.update(tx, eventId, type?.id as string, { name: LONG })
    })
    const reader = await server.member('manager', { language })
    const value = reader.cookies.get('session') as string
    const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/' }
    const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
    const at = (path: string) => `${app.siteUrl}/manage/e/${eventId}/${path}`
    const options = { storageState: { cookies, origins: [] } }
    const { page } = await openPage(t, at(`tickets/${id}`), options)
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${name} ${colorScheme}`)
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          const [scroll, ...out] = (await page.evaluate('findOverflow()')) as string[]
          assert.equal(scroll, `scrolls to ${width}`, `${name}: ${out.slice(-2).join(' ')}`)
          if (process.env.SHOTS !== undefined) {
            const path = join(process.env.SHOTS, `${name}-${language}-${width}-${colorScheme}.png`)
            await page.screenshot({ path, fullPage: true })
          }
        }
      }
    }
    await page.locator('[name="capacity"]').fill('90')
    await page.getByLabel(later).check()
    await page.getByRole('button', { name: save, exact: true }).click()
    assert.match(
      (await page.locator('main').textContent()) ?? '',
      /2027-03-01, 10:00.*Wolfeschlegelsteinhausen/s,
    )
    await look('refused')
    for (const path of [
      'tickets/codes/new',
      'tickets/questions/new',
      'settings/look',
      'settings/look/logo',
    ]) {
      await page.goto(at(path))
      await look(path.replaceAll('/', '-'))
    }
  })
}
