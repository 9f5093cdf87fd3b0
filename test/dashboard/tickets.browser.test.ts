import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import * as events from '../../src/events/rules.ts'
import * as registrationTypes from '../../src/registration-types/rules.ts'
import { findBarriers } from '../support/axe.ts'
import { closeBrowser, openPage } from '../support/browser.ts'
import { startDashboard } from '../support/dashboard.ts'
import { organization, registration } from '../support/organization.ts'
import { newType } from '../support/organizer.ts'

after(closeBrowser)

const DESCRIPTION =
  '# Welcome\n\n**Come** [here](https://example.org)\n\n- [ ] one\n\n> quoted\n\n|a|b|\n|-|-|\n|1|2|\n\n```\n' +
  `${'x'.repeat(300)}\n\`\`\``

test('the screens have no barrier and nothing wider than the window, by width and in light and dark', async t => {
  const file = organization({ event: { registrations: [registration('a', { amount_total: 5000 })] } })
  const { app, member, db, accountId, eventId, types } = await startDashboard(t, file)
  const pool = await db.write(accountId, async tx => {
    await events.update(tx, accountId, eventId, { description: DESCRIPTION })
    for (const name of ['W'.repeat(200), 'تذكرة الطلاب والباحثين', '<b>HTML</b>']) {
      await registrationTypes.create(tx, accountId, eventId, newType(name, { sales_start: 9e12 }))
    }
    const ids = (await registrationTypes.listDetails(tx, accountId, eventId)).map(({ id }) => id)
    const hall = { name: 'H'.repeat(200), capacity: 5, registration_type_ids: ids }
    return registrationTypes.createPool(tx, accountId, eventId, hall)
  })
  await db.write(accountId, tx => tx.run('UPDATE accounts SET created_at = 1', []))
  // The first of all users runs the instance.
  const { cookies } = await member('owner', { language: 'es' })
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const [name, value] = ['session', cookies.get('session') as string]
  await page.context().addCookies([{ name, value, url: app.siteUrl }])
  const event = `/manage/e/${eventId}`
  const screens = [
    `/manage/a/${accountId}`,
    event,
    `${event}/tickets`,
    `${event}/tickets/${types.Standard}`,
    `${event}/tickets/${types.Standard}/remove`,
    `${event}/tickets/${types.Free}/remove`,
    `${event}/tickets/shared/${pool.id}`,
    `${event}/duplicate`,
    `${event}/settings`,
  ]
  for (const path of screens) {
    await page.goto(app.siteUrl + path)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 900 })
    assert.deepEqual(await findBarriers(page), [], path)
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await overflow(page), [`scrolls to ${width}`], `${path} at ${width}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await findBarriers(page), [], `${path}, dark`)
  }
  assert.deepEqual(messages, [])
  assert.deepEqual(
    requests.filter(url => !url.startsWith(app.siteUrl) && !url.startsWith('data:')),
    [],
  )
})

function overflow(page: Page): Promise<string[]> {
  return page.evaluate('findOverflow()')
}
