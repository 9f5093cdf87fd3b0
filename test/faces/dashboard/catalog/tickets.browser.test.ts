import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newType } from '#test/support/people/organizer.ts'

after(closeBrowser)

test('what needs somebody, and the pages that ask before they remove or refuse to, stand axe and a narrow window', async t => {
  const file = organization({ event: { registrations: [registration('a')] } })
  const { app, member, db, accountId, eventId, types } = await startDashboard(t, file)
  const idle = await db.write(accountId, async tx => {
    await tx.run('UPDATE accounts SET created_at = 1', [])
    return registrationTypes.create(tx, eventId, newType('<b>'.repeat(66)))
  })
  // The first of all users runs the instance.
  const { cookies } = await member('owner', { language: 'es' })
  const { page, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const value = cookies.get('session') as string
  await page.context().addCookies([{ name: 'session', value, url: app.siteUrl }])
  const tickets = `/manage/e/${eventId}/tickets`
  const paths = [
    `/manage/a/${accountId}`,
    `${tickets}/${types.Standard}/remove`,
    `${tickets}/${idle.id}/remove`,
  ]
  for (const path of paths) {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(app.siteUrl + path)
    assert.deepEqual(await page.evaluate('findOverflow()'), ['scrolls to 320'], path)
    assert.deepEqual(await findBarriers(page), [], path)
  }
  assert.match(await page.content(), /Quitar el tipo/)
  assert.deepEqual(messages, [])
})
