import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as accounts from '#product/administration/accounts/rules.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { KeyboardWalk, keyboardOf } from '#test/support/keyboard-walk.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

/** The Tab key makes at most this many stops. */
const MOST_STOPS = 80

test('an event is made, gets a ticket and is published by keyboard, in eighty stops at most', async t => {
  const { app, db, member, accountId, client } = await startDashboard(t)
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const owner = await member('owner')
  const { page } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  const walk = new KeyboardWalk(keyboardOf(page))
  await walk.open(`${app.siteUrl}/manage/a/${accountId}`, 'New event')
  await walk.skip('Skip to the content')
  await walk.press('New event', 'Create the event')
  await walk.typeFirst('Name', 'Open Web Days')
  await walk.to('Starts', true)
  // The parts of a date have stops of their own.
  await page.keyboard.type('12032026')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0900AM')
  await walk.press('Create the event', 'is there as a draft')
  await walk.skip('Skip to the content')
  await walk.press('Add a ticket', 'New ticket type')
  await walk.skip('Skip to the content')
  await walk.press('New ticket type', 'Add the type')
  await walk.typeFirst('Name', 'Standard')
  await walk.type('Price', '0')
  await walk.type('Available', '100')
  await walk.press('Add the type', 'Continue to publish the event')
  await walk.skip('Skip to the content')
  await walk.press('Continue to publish the event', 'That is all it needs')
  await walk.skip('Skip to the content')
  await walk.press('Publish', 'What comes next')
  const { body } = await client.get('/events?limit=100')
  const made = body.data.find(({ title }: { title: string }) => title === 'Open Web Days')
  assert.equal(made.status, 'published')
  assert.equal(made.starts_at, '2026-12-03T08:00:00.000Z')
  t.diagnostic(`${walk.stops} stops`)
  assert.ok(walk.stops <= MOST_STOPS, String(walk.stops))
})
