import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

const LONG = 'n'.repeat(200)
const TABLE = `Name,Email,Ticket type,Diet,${'A header '.repeat(20)}\nمحمد,m@example.org,Free,,\n${LONG},n@example.org,Free,${LONG},\n<b>Bad</b>,bad,Free,,\n`

async function open(t: TestContext) {
  const { app, eventId, member } = await startDashboard(t)
  const value = (await member('manager')).cookies.get('session') as string
  const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true }
  const cookies = [{ ...cookie, secure: false, sameSite: 'Lax' as const }]
  const address = `${app.siteUrl}/manage/e/${eventId}/guests/import`
  return openPage(t, address, { storageState: { cookies, origins: [] } })
}

/** Checks a page on a small phone in the dark, and in a wide window by day. */
async function look(page: Page, what: string): Promise<void> {
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await findBarriers(page, 'main'), [], what)
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(over <= 0, `${what} is ${over} px too wide`)
  }
}

test('an import is carried out by keyboard, and no page of it bars anybody', async t => {
  const { page, messages, requests } = await open(t)
  await look(page, 'the upload')
  const file = { name: `${LONG}.csv`, mimeType: 'text/csv', buffer: Buffer.from(TABLE) }
  await page.setInputFiles('#file', file)
  await page.focus('#file')
  // A control for a file may have more than one stop in a browser.
  for (
    let tab = 0;
    tab < 3 && !(await page.evaluate(() => document.activeElement?.matches('button.main')));
    tab++
  )
    await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/columns$/)
  await look(page, 'the columns')
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  // The script alone shows the result: nobody loads the page again.
  await page.waitForSelector('nav.tabs')
  await look(page, 'the lines')
  await page.click('nav.tabs a:has-text("Wrong")')
  await look(page, 'what is wrong')
  await page.click('text=Import 2 guests')
  await look(page, 'the question')
  await page.focus('main button.main')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.banner.good')
  assert.match(await page.innerText('main'), /2 guests were added/)
  await page.click('text=Another file')
  await look(page, 'the earlier uploads')
  assert.deepEqual(messages, [])
  assert.ok(requests.every(address => address.startsWith(new URL(page.url()).origin)))
})
