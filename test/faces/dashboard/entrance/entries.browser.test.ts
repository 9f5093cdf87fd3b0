import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { DOOR, DoorClient, secretOf } from '#test/support/door/door.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

after(closeBrowser)

const LONG = `${'Wolfeschlegelsteinhausen'.repeat(8)}<i>`
const ARABIC = `${'ليلى حداد '.repeat(19)}‮`

for (const [language, words] of [
  ['en', { title: 'Entries', none: 'Nobody has come in yet', inside: 'Inside now', back: 'Doors' }],
  ['es', { title: 'Accesos', none: 'Aún no ha entrado nadie', inside: 'Dentro ahora', back: 'Puertas' }],
] as const) {
  test(`the page of entries in ${language} is for everybody, empty and full, with the longest names, and leads back to the doors`, async t => {
    const dates = {
      starts_at: '2026-11-21T09:00:00Z',
      ends_at: '2026-12-05T18:00:00Z',
      timezone: 'Europe/Madrid',
    }
    const types = [{ name: LONG, price: 0, capacity: 50 }]
    const server = await startDashboard(
      t,
      organization({ event: { ...dates, title: ARABIC, registration_types: types } }),
    )
    const { client, clock, db, eventId, app, accountId } = server
    // The door was there from the first day on, and sends all that it did without a network.
    clock.set('2026-11-21T10:00:00Z')
    const door = async (name: string) => {
      const input = { ...DOOR, name, event_id: eventId }
      const made = await db.write(accountId, tx => doors.add(tx, input, app.siteUrl))
      const phone = new DoorClient(app.siteUrl, clock)
      await phone.pair(secretOf(made.pairing_url))
      return phone
    }
    const phone = await door('D'.repeat(60))
    clock.set('2026-11-23T15:30:00Z')
    const reader = await server.member('manager', { language })
    const value = reader.cookies.get('session') as string
    const cookie = { name: 'session', value, domain: '127.0.0.1', path: '/' }
    const cookies = [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }]
    const path = `${app.siteUrl}/manage/e/${eventId}/doors`
    const { page, messages } = await openPage(t, path, { storageState: { cookies, origins: [] } })
    const look = async (name: string) => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        assert.deepEqual(await findBarriers(page), [], `${name} ${colorScheme}`)
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          const [scroll, ...out] = (await page.evaluate('findOverflow()')) as string[]
          assert.equal(scroll, `scrolls to ${width}`, `${name}: ${out.slice(-2).join(' ')}`)
          const { SHOTS } = process.env
          if (SHOTS !== undefined)
            await page.screenshot({
              path: join(SHOTS, `${name}-${language}-${colorScheme}-${width}.png`),
              fullPage: true,
            })
        }
      }
    }
    // Nobody needs the page where tickets admit once.
    assert.equal(await page.getByRole('link', { name: words.title, exact: true }).count(), 0)
    const [type] = await db.read(accountId, tx => registrationTypes.listDetails(tx, eventId))
    await db.write(accountId, tx =>
      registrationTypes.update(tx, eventId, type?.id as string, { entries: 'each_day', reentry: true }),
    )
    await page.goto(path)
    await page.getByRole('link', { name: words.title, exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: words.none }).waitFor()
    await look('entries-none')

    const attendees = ['Grace', 'Zoë', LONG, ARABIC].map(name => ({ name }))
    const changes = { attendees, registration_type_id: type?.id }
    const { body } = await client.post('/registrations', newRegistration(server, changes))
    const codes = (body.attendees as { qr_code: string }[]).map(({ qr_code: code }) => code)
    for (let day = 0; day < 3; day++) {
      const at = (minutes: number) =>
        new Date(Date.parse('2026-11-21T13:00:00Z') + day * DAY + minutes * MINUTE).toISOString()
      for (const [guest, code] of codes.entries()) {
        const scan = phone.scan({ code }, { at: at(guest * 20), shown: 'admitted' })
        assert.equal((await phone.one(scan)).outcome, 'admitted')
      }
      await phone.one(phone.exit({ code: codes[day] as string }, { at: at(80) }))
    }
    await page.reload()
    const rows = async () => (await page.locator('tbody tr').all()).length
    assert.equal(await rows(), 6)
    assert.match(await page.locator('.stat', { hasText: words.inside }).innerText(), /\b3\b/)
    await look('entries')
    await page.getByRole('link', { name: words.back, exact: true }).first().click()
    await page.waitForURL(path)
    assert.deepEqual(messages, [])
  })
}
