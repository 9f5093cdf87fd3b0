import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherBrowsers, type SimpleBrowser, walkInOne } from '#test/support/other-browsers.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'

for (const [name, missing, open] of otherBrowsers) {
  const skip = missing ? `there is no ${name}` : false
  test(`in ${name} somebody signs in and changes an event`, { skip, timeout: 180_000 }, async t => {
    const { app, member, eventId, client } = await startDashboard(t)
    await member('owner')
    const walk = async (browser: SimpleBrowser) => {
      await browser.open(`${app.siteUrl}/manage/e/${eventId}/settings`)
      await browser.type('#email', 'owner@example.org')
      await browser.type('#password', PASSWORD)
      await browser.press('button.main', '#title')
      await browser.type('#title', `Ñandú in ${name}`)
      await browser.press('button.main', '.banner.good')
      assert.match(await browser.textOf('.banner.good'), new RegExp(`Ñandú in ${name}`))
      await browser.open(`${app.siteUrl}/manage/e/${eventId}/settings/page`)
      await browser.type('#venue', '<b>Hall</b>')
      await browser.press('button.main', '.banner.good')
    }
    await walkInOne(open, walk)
    const { title, venue, starts_at } = (await client.get(`/events/${eventId}`)).body
    assert.deepEqual([title, venue], [`Ñandú in ${name}`, '<b>Hall</b>'])
    assert.ok(starts_at === null || typeof starts_at === 'string')
  })
}
