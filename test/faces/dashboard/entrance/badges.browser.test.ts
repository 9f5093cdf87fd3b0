import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

// `PICTURES=1 npm test -- badges.browser` makes the picture of the docs anew.

after(closeBrowser)

const LONG = `${'Wolfeschlegelsteinhausen'.repeat(8)}<i>`
const ARABIC = `${'ليلى حداد '.repeat(19)}‮`

const layout = {
  ...{ format: 'labels_14', width: 620, height: 400, offset_x: 0, offset_y: 0 },
  ...{ question: 'company', qr: true },
}
const company = { key: 'company', label: 'Company', kind: 'text', asked_for: 'ticket', required: false }

for (const [language, words] of [
  ['en', { print: 'Print 4 badges', heading: '4 badges to print' }],
  ['es', { print: 'Imprimir 4 credenciales', heading: '4 credenciales para imprimir' }],
] as const) {
  test(`the pages of badges in ${language} have no barriers, work by keyboard, and fit a phone with the longest names`, async t => {
    const types = ['Standard', LONG].map(name => ({ name, price: 0, capacity: 50 }))
    const file = organization({
      event: { registration_types: types, questions: [company], badge_layout: layout },
    })
    const server = await startDashboard(t, file)
    const { client, eventId, app } = server
    const attendees = ['Grace', 'Zoë', LONG, ARABIC].map(name => ({ name }))
    await client.post('/registrations', newRegistration(server, { attendees }))
    const reader = await server.member('manager', { language })
    const value = reader.cookies.get('session') as string
    const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/' }
    const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
    const path = `${app.siteUrl}/manage/e/${eventId}`
    const { page, messages } = await openPage(t, `${path}/badges`, { storageState: { cookies, origins: [] } })
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${name} ${colorScheme}`)
      }
      await page.emulateMedia({ colorScheme: 'light' })
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const [scroll, ...out] = (await page.evaluate('findOverflow()')) as string[]
        assert.equal(scroll, `scrolls to ${width}`, `${name}: ${out.slice(-2).join(' ')}`)
        if (process.env.SHOTS !== undefined)
          await page.screenshot({
            path: join(process.env.SHOTS, `${name}-${language}-${width}.png`),
            fullPage: true,
          })
      }
    }
    await look('badges')
    await page.getByRole('button', { name: words.print }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: words.heading }).waitFor()
    await look('badge-print')
    await page.goto(`${path}/badges`)
    await look('badges-printed')
    if (process.env.PICTURES === '1' && language === 'en')
      await page.screenshot({
        path: 'docs/pictures/badges.png',
        clip: { x: 0, y: 0, width: 1280, height: 820 },
      })
    await page.goto(`${path}/badges/layout`)
    await look('badge-layout')
    await page.goto(`${path}/check-in?q=grace`)
    await look('badge-one')
    assert.deepEqual(messages, [])
  })
}
