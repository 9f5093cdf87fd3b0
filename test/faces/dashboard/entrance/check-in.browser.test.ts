import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

after(closeBrowser)

const LONG = `${'Wolfeschlegelsteinhausen'.repeat(8)}<i>`
const ARABIC = `${'ليلى حداد '.repeat(19)}‮`

async function start(t: TestContext) {
  const waitlist = [LONG, ARABIC].map((name, at) => ({
    reference: `w-${at}`,
    registration_type: at === 0 ? 'Free' : LONG,
    name,
    email: `${'long-'.repeat(20)}${at}@example.org`,
  }))
  const types = ['Standard', 'Free', LONG].map(name => ({ name, price: 0, capacity: 50 }))
  const long = registration('long', {
    registration_type: LONG,
    buyer: { name: ARABIC, email: 'a@example.org' },
  })
  const server = await startDashboard(
    t,
    organization({ event: { registration_types: types, waitlist, registrations: [long] } }),
  )
  const { client, eventId, app } = server
  const attendees = ['Grace', 'Zoë', 'Ada', LONG, ARABIC].map(name => ({ name }))
  const { body } = await client.post('/registrations', newRegistration(server, { attendees }))
  const tickets = body.attendees as { id: string; qr_code: string }[]
  const path = `${app.siteUrl}/manage/e/${eventId}`
  const reader = await server.member('manager')
  const open = (url: string, options: BrowserContextOptions = {}) => {
    const cookie = {
      name: 'session',
      value: reader.cookies.get('session') as string,
      domain: '127.0.0.1',
      path: '/',
    }
    const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
    return openPage(t, url, { ...options, storageState: { cookies, origins: [] } })
  }
  return { ...server, tickets: tickets as [Ticket, Ticket, Ticket, Ticket, Ticket], path, open }
}

type Ticket = { id: string; qr_code: string }

/** Returns the text of the verdict, once the page has one that begins so. */
async function verdict(page: Page, begins: string): Promise<string> {
  const found = page.locator('.verdict', { hasText: new RegExp(`^${begins}`) })
  return (await found.innerText()).replace(/\s+/g, ' ')
}

const focused = (page: Page) => page.evaluate('document.activeElement.id')

test('a door is worked with a scanner and keys alone: one code after another, and a name in between', async t => {
  const { open, path, tickets } = await start(t)
  const { page, messages, requests } = await open(`${path}/check-in`)
  await page.locator('#q:focus').waitFor()
  for (const [at, name] of ['Grace', 'Zoë'].entries()) {
    // A scanner types at once, with Enter at its end.
    await page.keyboard.type(tickets[at]?.qr_code as string)
    await page.keyboard.press('Enter')
    assert.match(await verdict(page, `Admitted\\s*${name}`), /^Admitted/)
    assert.deepEqual([await focused(page), await page.inputValue('#q')], ['q', ''])
  }
  await page.keyboard.type(tickets[0].qr_code)
  await page.keyboard.press('Enter')
  assert.match(await verdict(page, 'Already used'), /Grace/)

  // What is typed is looked up without Enter, and the next keys reach the results.
  await page.keyboard.type('ad')
  await page.locator('#found tbody th', { hasText: 'Ada' }).waitFor()
  assert.equal(await page.inputValue('#q'), 'ad')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Check in Ada')
  await page.keyboard.press('Enter')
  assert.match(await verdict(page, 'Admitted\\s*Ada'), /Undo$/)
  assert.equal(await focused(page), 'q')
  assert.match(await page.locator('#figures dl').innerText(), /Inside\s+3/)
  assert.deepEqual(messages, [])
  const hosts = new Set(requests.map(url => new URL(url).origin))
  assert.deepEqual([...hosts], [new URL(path).origin])
})

test('a name that is typed before the page has its script is looked up too', async t => {
  const { open, path } = await start(t)
  const { page } = await open('about:blank')
  let arrive = () => {}
  const typed = new Promise<void>(resolve => {
    arrive = resolve
  })
  await page.route(/enhance/, async route => {
    await typed
    await route.continue()
  })
  await page.goto(`${path}/check-in`, { waitUntil: 'commit' })
  await page.locator('#q:focus').waitFor()
  await page.keyboard.type('gra')
  arrive()
  await page.locator('#found tbody th', { hasText: 'Grace' }).waitFor({ timeout: 5_000 })
})

test('the numbers renew themselves, and leave alone what somebody is typing', async t => {
  const { open, path, tickets, client } = await start(t)
  const { page } = await open('about:blank')
  await page.clock.install()
  await page.goto(`${path}/check-in`)
  await page.locator('#q:focus').waitFor()
  await page.keyboard.type('g')
  assert.equal((await client.post('/check-ins', { attendee_id: tickets[1].id })).status, 201)
  await page.clock.runFor(5_000)
  await page.locator('#figures tbody th', { hasText: 'Zoë' }).waitFor()
  assert.deepEqual([await focused(page), await page.inputValue('#q')], ['q', 'g'])
  await page.locator('#figures a').first().focus()
  assert.equal((await client.post('/check-ins', { attendee_id: tickets[2].id })).status, 201)
  const renewed = page.waitForResponse(`${path}/check-in**`)
  await page.clock.runFor(5_000)
  await renewed
  assert.match(await page.locator('#figures dl').innerText(), /Inside\s+1/)
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Undo…')
})

test('the screens have no barriers, and nothing is wider than a phone, whatever people are called', async t => {
  const { open, path, tickets, client } = await start(t)
  const { page, messages } = await open(`${path}/check-in`)
  const look = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      assert.deepEqual(await findBarriers(page), [], `${name} ${colorScheme}`)
    }
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [scroll, ...out] = (await page.evaluate('findOverflow()')) as string[]
      assert.deepEqual([scroll, out], [`scrolls to ${width}`, []], `${name} ${width}`)
    }
  }
  const scan = async (code: string, begins: string) => {
    await page.fill('#q', code)
    await page.keyboard.press('Enter')
    await verdict(page, begins)
  }
  await scan(tickets[3].qr_code, 'Admitted')
  await look('admitted')
  assert.deepEqual(await walkByTab(page, '#content'), [])
  await scan(tickets[3].qr_code, 'Already used')
  await look('used')
  await scan('SVC1.A', 'Not admitted')
  await look('refused')
  await client.post('/check-ins', { attendee_id: tickets[4].id })
  for (const address of ['check-in?q=grace', 'check-in?q=nobody', 'check-in/list', 'waitlist']) {
    await page.goto(`${path}/${address}`)
    await look(address)
  }
  await page.getByRole('link', { name: 'Remove…' }).first().click()
  await look('remove')
  await page.goto(`${path}/check-in/${tickets[3].id}/undo`)
  await look('undo')
  assert.deepEqual(messages, [])
})

test('a phone shows the places behind More to the Tab key, and where it is', async t => {
  const { open, path } = await start(t)
  const { page } = await open(path, { viewport: { width: 390, height: 640 } })
  await page.getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'More' }).getByRole('link').first().waitFor()
  assert.deepEqual(await walkByTab(page, '#more a', [390]), [])
})

test('the list on paper has the head of its table on each page and nothing of the screen', async t => {
  const { open, path } = await start(t)
  const { page } = await open(`${path}/check-in/list`)
  await page.emulateMedia({ media: 'print' })
  for (const hidden of ['.bar', '.nav', '.actions', '.crumbs']) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
  }
  assert.equal(await page.locator('.box').count(), 6)
  const display = await page.locator('thead').evaluate(head => getComputedStyle(head).display)
  assert.equal(display, 'table-header-group')
})
