import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { emit } from '#product/administration/webhooks/outbox.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { findBarriers } from '#test/support/axe.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { answering, startReceiver } from '#test/support/receiver.ts'

after(closeBrowser)

/** Returns the faults of a page as it stands, on a phone and on a desktop. */
async function faultsOf(page: Page): Promise<string[]> {
  const wrong: string[] = []
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 900 })
    const [scrolls, ...out] = (await page.evaluate('findOverflow()')) as string[]
    if (scrolls !== `scrolls to ${width}`) wrong.push(`${scrolls} ${out.join(' ')}`)
    wrong.push(...(await findBarriers(page)))
  }
  return wrong.map(each => `${page.url()}: ${each}`)
}

test('a failure renews itself on the page, the secret is copied, and a backup shows that it is made, without a barrier', async t => {
  const settings = { allowInsecureWebhooks: true, backupDir: join(temporaryFolder(t), 'backups') }
  const { app, db, accountId, member } = await startDashboard(t, organization(), { settings })
  const owner = await member('owner')
  const receiver = await startReceiver(t)
  receiver.behave(answering(500, { 'content-type': 'text/html' }, `<b>${'long'.repeat(200)}</b>`))
  const { id, secret } = await db.write(accountId, tx =>
    webhooks.addEndpoint(tx, { url: receiver.url, types: ['registration.created'] }),
  )
  const { page, messages } = await openPage(t, `${app.siteUrl}/manage/sign-in`)
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${app.siteUrl}/manage/a/${accountId}/webhooks/${id}`)
  await db.write(accountId, tx => emit(tx, 'registration.created', { name: 'Grace' }))
  await page.getByRole('link', { name: 'Registration confirmed' }).waitFor()
  const wrong = await faultsOf(page)

  await page.getByRole('button', { name: 'Show the secret' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret)
  wrong.push(...(await faultsOf(page)))

  await page.getByRole('link', { name: 'Registration confirmed' }).click()
  await page.getByText('Attempt 1 of 8').waitFor()
  wrong.push(...(await faultsOf(page)))

  await page.goto(`${app.siteUrl}/manage/a/${accountId}/system`)
  await page.getByRole('button', { name: 'Back up now' }).click()
  await page.getByText('The last one was finished').waitFor()
  wrong.push(...(await faultsOf(page)))
  assert.deepEqual(wrong, [])
  assert.deepEqual(messages, [])
})
