import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { asCsv, PRETIX } from '#test/support/shop-exports.ts'

after(closeBrowser)

const LONG = 'N'.repeat(195)
/** With a type of 200 letters that is an extra, and one that is written from right to left. */
const ADDON = PRETIX[0]?.indexOf('Add-on to position ID')
const TABLE = PRETIX.map((cells, line) =>
  cells.map((cell, column) =>
    line === 2 && column === ADDON ? '1' : cell === 'Dinner' ? LONG : cell === 'Ticket' ? 'تذكرة' : cell,
  ),
)

async function open(t: TestContext) {
  const file = organization({ event: { registration_types: [] } })
  const { app, eventId, member } = await startDashboard(t, file)
  const value = (await member('manager')).cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
  return openPage(t, `${app.siteUrl}/manage/e/${eventId}/guests/import`, {
    storageState: { cookies, origins: [] },
  })
}

async function look(page: Page, what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await findBarriers(page, 'main'), [], what)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(over <= 0, `${what} is ${over} px too wide`)
    const folder = process.env.SHOTS
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/moving-${what}-${width}.png`, fullPage: true })
  }
}

test('a move from pretix is carried out by keyboard, and no page of it bars anybody', async t => {
  const { page, messages } = await open(t)
  await look(page, 'upload')
  const file = { name: 'congress_orders.csv', mimeType: 'text/csv', buffer: asCsv(TABLE) }
  await page.setInputFiles('#file', file)
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/columns$/)
  await look(page, 'columns')
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav.tabs')
  await look(page, 'checked')
  await page.click('text=Cancelled')
  await look(page, 'cancelled')
  await page.focus('text=Make the ticket types')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/types$/)
  await look(page, 'types')
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav.tabs')
  await page.click('text=Import 2 lines')
  await look(page, 'question')
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.banner.good')
  await look(page, 'done')
  assert.match(await page.innerText('main'), /2 lines were added.*The codes of pretix let nobody in here/s)
  assert.deepEqual(messages, [])
})
