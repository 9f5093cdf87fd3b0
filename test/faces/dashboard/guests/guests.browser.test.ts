import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'

after(closeBrowser)

test('the search finds as somebody types, and keeps the address; a ticked row brings the bar', async t => {
  const guest = (reference: string, name: string, changes: object = {}) =>
    registration(reference, { buyer: { name, email: `${reference}@example.org` }, ...changes })
  const registrations = [guest('a', 'Ada Lovelace'), guest('b', 'Grace Hopper', { status: 'cancelled' })]
  const { app, member, eventId } = await startDashboard(t, organization({ event: { registrations } }))
  const owner = await member('owner')
  const { page, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  await page.goto(`${app.siteUrl}/manage/e/${eventId}/guests`)
  const rows = page.locator('tbody tr')
  assert.equal(await rows.count(), 2)
  assert.equal(await page.locator('.bulk').isVisible(), false)
  await page.getByRole('searchbox').pressSequentially('hopp')
  await rows.filter({ hasText: 'Ada Lovelace' }).waitFor({ state: 'detached' })
  assert.match(await rows.innerText(), /Grace Hopper/)
  assert.match(page.url(), /\?q=hopp/)
  await page.getByLabel('Select all').check()
  assert.equal(await page.locator('.bulk').isVisible(), true)
  await page.getByRole('button', { name: 'Cancel…' }).click()
  await page.getByRole('heading', { name: 'There is nothing to cancel' }).waitFor()
  assert.deepEqual(messages, [])
})
