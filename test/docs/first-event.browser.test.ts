import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, type TestContext, test } from 'node:test'
import type { Tokens } from 'marked'
import type { Page } from 'playwright-core'
import { INSTANCE } from '#machinery/db/port.ts'
import * as links from '#product/administration/users/links.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { testClock } from '#test/support/clock.ts'
import { startServer } from '#test/support/server.ts'
import { blockOf, pages, tokensOf } from './pages.ts'

// `PICTURES=1 npm test -- first-event` makes the pictures of the page anew.

after(closeBrowser)

const GUIDE = 'docs/first-event.md'
const [WIDE, PHONE] = [1280, 390]

/** An empty server on the morning of the event, its set-up link open in a browser. */
async function begin(t: TestContext) {
  const server = await startServer(t, { clock: testClock('2027-05-14T07:30:00.000Z') })
  const { token } = await server.db.write(INSTANCE, tx => links.makeSetup(tx))
  const opened = await openPage(t, links.linkUrl(server.app.siteUrl, 'setup', token), { locale: 'en-GB' })
  opened.page.setDefaultTimeout(30_000)
  return { ...server, ...opened }
}

async function picture(page: Page, name: string, width = WIDE, most = 900): Promise<void> {
  if (process.env.PICTURES !== '1') return
  await page.setViewportSize({ width, height: most })
  await page.evaluate('scrollTo(0, 0)')
  const box = await page.locator('main > :last-child').last().boundingBox()
  const height = Math.min(most, Math.ceil((box?.y ?? 0) + (box?.height ?? 0)) + 24)
  await page.screenshot({ path: `docs/pictures/${name}.png`, clip: { x: 0, y: 0, width, height } })
}

test('a new organizer gets from the set-up link to a CSV of who is inside, and every page leads on to the next', {
  timeout: 180_000,
}, async t => {
  const { page, messages, requests, app } = await begin(t)
  let seen = ''
  const look = async () => {
    seen += `${await page.locator('body').innerText()}\n`
  }
  const press = async (name: string | RegExp) => {
    await look()
    const control = page
      .getByRole('button', { name, exact: true })
      .or(page.getByRole('link', { name, exact: true }))
    await control.first().click()
    await page.waitForLoadState()
  }
  const fill = async (fields: Record<string, string>) => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).last().fill(text)
  }

  await fill({ Organization: 'Riverside Club', 'Time zone': 'Europe/Madrid', 'Your name': 'Ada Byron' })
  await fill({ 'E-mail': 'ada@example.org', Password: 'a river runs past it' })
  await picture(page, 'set-up', PHONE, 1050)
  await page.setViewportSize({ width: WIDE, height: 900 })
  await press('Create')
  await fill({ Name: 'Spring Meeting', Starts: '2027-05-14T10:00', Ends: '2027-05-14T18:00' })
  await fill({ Venue: 'Boat House', City: 'Madrid' })
  await press('Create the event')
  await picture(page, 'draft')
  await press('Add a ticket')
  for (const [name, price, capacity] of [
    ['Member', '15', '80'],
    ['Guest', '0', '20'],
  ] as const) {
    await press('New ticket type')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await fill({ Price: price, Available: capacity })
    await press('Add the type')
  }
  await picture(page, 'tickets')
  await press('Continue to publish the event')
  await look()
  await page.getByRole('link', { name: 'Choose a link name' }).first().click()
  await page.getByLabel('Link name').fill('boats')
  await press('Save')
  await press('Add your legal details')
  await fill({ 'Legal name': 'Boat Club', 'Postal address': 'Quay 1' })
  for (const kind of ['Imprint', 'Privacy'])
    await page.getByRole('group', { name: kind }).getByLabel('A text written here').check()
  await fill({ 'Text of the imprint': 'Boat Club, Quay 1, Madrid' })
  await press('Save')
  await press('At the door only')
  await page.getByText('That is all it needs.').waitFor()
  await press('Publish')
  await page.getByRole('heading', { name: 'What comes next' }).waitFor()
  await picture(page, 'published', WIDE, 420)
  await page.setViewportSize({ width: WIDE, height: 900 })
  await press('Import')
  const file = { name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from(blockOf(GUIDE, 'csv')) }
  await page.getByLabel('File').setInputFiles(file)
  await press('Upload')
  await picture(page, 'columns')
  await press('Check the lines')
  await page.getByText('3 guests can be imported.').waitFor()
  await press('Import 3 guests')
  await page.getByRole('heading', { name: 'Import 3 guests?' }).waitFor()
  await press('Import 3 guests')
  await page.getByText('3 guests were added.').waitFor()
  await press('To the guests')
  assert.equal(await page.locator('main tbody tr').count(), 3)
  await press('Check-in')
  // Keys go to whatever page stands there: only once this one's field has the focus is it the new one.
  await page.locator('#q:focus').waitFor()
  await page.keyboard.type('grace')
  await page.locator('#found tbody th', { hasText: 'Grace Hopper' }).waitFor()
  await look()
  await page.locator('#found tbody button').click()
  await page.locator('.verdict', { hasText: /^Admitted/ }).waitFor()
  await picture(page, 'check-in', PHONE)
  await page.setViewportSize({ width: WIDE, height: 900 })
  await press('Reports')
  const coming = page.waitForEvent('download')
  await press('Download CSV')
  const csv = readFileSync(await (await coming).path(), 'utf8')
  const isCheckedIn = (name: string) =>
    csv.split('\n').map(row => row.includes(name) && row.includes('"true","2027-05-14T'))
  for (const name of ['Grace Hopper', 'Alan Turing', 'Zoë Lund']) {
    assert.ok(csv.includes(name), csv)
    assert.equal(isCheckedIn(name).includes(true), name === 'Grace Hopper', csv)
  }
  // The last step of the page names it like this: it stands among the pages of the organization.
  await page.goto(`${app.siteUrl}/manage`)
  await look()

  const guide = pages.find(({ path }) => path === GUIDE)
  assert.ok(guide)
  const bold = tokensOf(guide).filter((token): token is Tokens.Strong => token.type === 'strong')
  assert.ok(bold.length > 15)
  for (const { text } of bold.slice(1)) assert.ok(seen.includes(text), `no page says “${text}”`)
  assert.deepEqual(messages, [])
  assert.ok(requests.every(url => url.startsWith(app.siteUrl)))
})
