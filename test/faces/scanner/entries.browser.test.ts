import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, sharedBrowser } from '#test/support/browser.ts'
import { openDoor, startEvent } from '#test/support/door/door-page.ts'

after(closeBrowser)

const SIZES = [
  { width: 390, height: 780 },
  { width: 1280, height: 800 },
]

test('a phone shows a later entry as one, with and without a network, and a way out lets nobody in', async t => {
  const event = await startEvent(t, { ends_at: new Date(Date.now() + 4 * DAY).toISOString() })
  const typeId = event.types.Standard as string
  await event.db.write(event.accountId, tx =>
    registrationTypes.update(tx, event.eventId, typeId, { entries: 'each_day', reentry: true }),
  )
  const [guest, other, once] = [await event.sell(), await event.sell(), await event.sellFree()]
  const browser = await sharedBrowser()
  const north = await openDoor(browser, (await event.addDoor({ name: 'North' })).url)
  const out = await openDoor(browser, (await event.addDoor({ name: 'Way out', way: 'out' })).url)
  for (const { context } of [north, out]) t.after(() => context.close())
  const { page } = north
  const look = async (name: string, { page } = north) => {
    for (const size of SIZES) {
      await page.setViewportSize(size)
      assert.deepEqual(await findBarriers(page), [], name)
      const { SHOTS } = process.env
      if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, `door-${name}-${size.width}.png`) })
    }
    await page.setViewportSize(SIZES[0] as (typeof SIZES)[number])
  }
  const later = () => page.locator('#result .later').allTextContents()

  assert.equal(await out.page.textContent('#way'), 'Way out')
  assert.equal(await out.give(guest.code), 'stays')
  assert.equal(await out.page.getAttribute('#result', 'data-reason'), 'not_inside')
  await look('not-inside', out)
  assert.equal(await north.give(guest.code), 'admitted')
  assert.deepEqual(await later(), [])
  assert.equal(await north.give(guest.code), 'used')
  // No more than passes here anyway: a phone may still go by what it has heard of the time before.
  event.clock.advance(100)
  assert.equal(await out.give(guest.code), 'left')
  await look('left', out)
  await page.waitForSelector('#inside[data-inside="0"]')
  // An exit is taken back on the screen that tells of it, and the guest is inside again.
  await out.page.click('#undo')
  await out.page.getByRole('heading', { name: 'Take this exit back?' }).waitFor()
  await look('undo-exit', out)
  await out.page.click('#undo-confirm')
  await out.page.waitForSelector('#result[data-outcome="undone"]')
  await out.page.waitForSelector('#inside[data-inside="1"]')
  await page.waitForSelector('#inside[data-inside="1"]')
  assert.equal(await north.give(guest.code), 'used')
  event.clock.advance(100)
  assert.equal(await out.give(guest.code), 'left')
  await page.waitForSelector('#inside[data-inside="0"]')
  assert.equal(await north.give(guest.code), 'admitted')
  assert.match((await later()).join(), /^Back: left \d\d:\d\d$/)
  await look('back')
  await page.waitForSelector('#inside[data-inside="1"][data-here="1"]')
  await out.page.waitForSelector('#inside[data-inside="1"][data-here="0"]')

  // The page decides the same without a network.
  await north.context.setOffline(true)
  await out.context.setOffline(true)
  assert.equal(await north.give(guest.code), 'used')
  assert.equal(await north.give(other.code), 'admitted')
  assert.equal(await out.give(once.code), 'stays')
  assert.equal(await out.page.getAttribute('#result', 'data-reason'), 'no_reentry')
  await look('no-way-back', out)
  assert.equal(await out.give(guest.code), 'left')
  assert.equal(await out.page.getAttribute('#result', 'data-own'), 'true')
  for (const { context } of [north, out]) await context.setOffline(false)
  for (const each of [north, out]) await each.page.waitForSelector('#waiting[data-count="0"]')
  await page.waitForSelector('#inside[data-inside="1"]')

  event.clock.advance(DAY)
  // A page that is open goes by its shortest round trip of five minutes, and no real clock goes on by a day in that time.
  const next = await openDoor(browser, (await event.addDoor({ name: 'South' })).url)
  t.after(() => next.context.close())
  await next.page.waitForSelector('#clock')
  assert.equal(await next.give(other.code), 'admitted')
  // Before six in the morning it is the day before, so which one it is depends on when this runs.
  assert.match((await next.page.locator('#result .later').allTextContents()).join(), /^Day [12]$/)
  await look('day-2', next)
  assert.equal(await next.give(other.code), 'used')
  await look('used-on-day-2', next)
})
