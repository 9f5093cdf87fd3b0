import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'

/** Returns the links and buttons that an empty list offers. */
const offered = (page: ReadPage) => page.document.querySelector('.empty .button')?.textContent ?? null

test('an empty list of an event offers its first action to whoever may do it, and to nobody else', async t => {
  const { member, eventId } = await startDashboard(t)
  const path = `/manage/e/${eventId}`
  const manager = await member('manager')
  for (const [list, action, heading] of [
    ['orders', 'Share', 'Share'],
    ['messages', 'Write an announcement', 'New announcement'],
    ['doors/scans', 'Add a door', 'Add a door'],
    ['doors', 'Add a door', 'Add a door'],
    ['waitlist', 'Settings', 'Settings'],
    ['abstracts', 'Set up the call for abstracts', 'Call for abstracts'],
  ] as const) {
    const page = await manager.open(`${path}/${list}`)
    assert.equal(offered(page), action, list)
    assert.equal((await page.follow(action)).heading, heading)
  }
  const finance = await (await member('finance')).open(`${path}/orders`)
  assert.match(finance.text, /No orders yet/)
  assert.equal(finance.document.querySelector('.empty .row'), null)
})

test('a preview lands on what it shows, and the page has it there', async t => {
  const { member, eventId } = await startDashboard(t)
  const manager = await member('manager')
  const path = `/manage/e/${eventId}`
  for (const form of ['settings/page', 'messages/announcements/new', 'messages/texts/abstract_accepted.en']) {
    const page = await manager.open(`${path}/${form}`)
    const button = page.document.querySelector('[formaction]')
    assert.match(button?.getAttribute('formaction') ?? '', /\/preview#preview$/, form)
  }
  const settings = await manager.open(`${path}/settings/page`)
  const shown = await settings.fill({ Description: '**Bring** a mug.' }).press('Preview')
  assert.equal(shown.document.querySelector('#preview')?.tagName, 'H2')
  assert.equal(shown.field('Description').value, '**Bring** a mug.')
})
