import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as jobs from '../../src/jobs/rules.ts'
import { findBarriers } from '../support/axe.ts'
import { closeBrowser, openPage } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { organization, registration } from '../support/organization.ts'

after(closeBrowser)

const LONG = 'Bartholomew '.repeat(8) + 'Featherstone'.repeat(8)

async function start(t: Parameters<typeof startDashboard>[0]) {
  const guest = (reference: string, name: string, changes: object = {}) =>
    registration(reference, {
      registration_type: LONG,
      buyer: { name, email: `${reference.repeat(50)}@example.org` },
      answers: { [LONG.slice(0, 60)]: `<script>alert(1)</script>${LONG}` },
      ...changes,
    })
  const server = await startDashboard(
    t,
    organization({
      event: {
        registration_types: [{ name: LONG, price: 99_999_999, capacity: 100 }],
        registrations: [
          guest('a', LONG, {
            attendees: [
              { name: LONG, seat: 'A1' },
              { name: 'ليلى حداد', email: 'l@example.org' },
            ],
          }),
          guest('b', '<img src=x onerror=alert(1)>', { status: 'pending' }),
          guest('c', 'Grace Hopper', { status: 'cancelled', amount_total: 0 }),
        ],
      },
    }),
  )
  const { eventId, accountId, db, applied } = server
  const owner = await server.member('owner')
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const work = { kind: 'guests.cancel', eventId, input: { ids: [] }, total: 5, by: 'cli' }
  const job = await db.write(accountId, tx => jobs.prepare(tx, accountId, work))
  const event = `/manage/e/${eventId}`
  const one = `${event}/guests/${ids.a}`
  const open = async (path: string, options: object = {}) => {
    const url = server.app.siteUrl
    const cookies = [{ name: 'session', value: owner.cookies.get('session') as string, url }]
    const storageState = { cookies: [], origins: [] }
    const watched = await openPage(t, `${url}/healthz`, { storageState, ...options })
    await watched.page.context().addCookies(cookies)
    watched.messages.length = 0
    await watched.page.goto(url + path)
    return watched
  }
  const paths = ['', '/new', '/cancel?scope=all'].map(path => `${event}/guests${path}`)
  const ofOne = ['', '/edit', '/cancel', '/erase'].map(path => one + path)
  return { ...server, open, list: `${event}/guests`, pages: [...paths, ...ofOne, `${event}/jobs/${job.id}`] }
}

test('the pages have no barrier, fit a narrow phone, and say nothing in the console', async t => {
  const { open, pages } = await start(t)
  const { page, messages } = await open(pages[0] as string, { viewport: { width: 320, height: 700 } })
  for (const [at, path] of pages.entries()) {
    await page.setViewportSize({ width: at % 2 === 0 ? 320 : 1280, height: 700 })
    await page.emulateMedia({ colorScheme: at % 3 === 0 ? 'dark' : 'light' })
    await page.goto(new URL(path, page.url()).href)
    assert.deepEqual(await findBarriers(page), [], path)
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok((overflow as number) <= 0, `${path} at ${width}: ${overflow} pixels too wide`)
    }
  }
  assert.deepEqual(messages, [])
})

test('the search finds as somebody types, and keeps the address; a ticked row brings the bar', async t => {
  const { open, list } = await start(t)
  const { page } = await open(list)
  assert.equal(await page.locator('tbody tr').count(), 3)
  assert.equal(await page.locator('.bulk').isVisible(), false)
  await page.getByRole('searchbox').pressSequentially('hopp')
  await page.locator('tbody tr').filter({ hasText: 'Grace Hopper' }).waitFor()
  await page.waitForFunction("document.querySelectorAll('tbody tr').length === 1")
  assert.match(page.url(), /\?q=hopp/)
  await page.getByLabel('Select all').check()
  assert.equal(await page.locator('.bulk').isVisible(), true)
  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('heading', { name: 'There is nothing to cancel' }).waitFor()
})
