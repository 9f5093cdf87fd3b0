import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

/** SHOTS is a folder for pictures of what is looked at. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true })
  }
}

test('the pages that exchange tickets and give them on have no barrier, nothing out of the window, and work by keyboard', {
  timeout: 400_000,
}, async t => {
  const sale = await startSale(t, {}, { give_on: true })
  const { app, eventId, member, take, pathOf, ticketPathOf, change, client, db, accountId } = sale
  await change({ title: names[0] })
  const order = await take({ Guest: [names[1] as string, 'Grace Hopper'] }, { name: names[1] })
  const { page, messages } = await openPage(t, `${app.siteUrl}${pathOf(order)}`)
  const wrong: string[] = []
  const look = async (name: string) => {
    wrong.push(...(await faultsOf(page, name)))
    await shoot(page, name.replaceAll(' ', '-'))
  }
  const ticketPath = await ticketPathOf(order.id, 1)
  for (const language of ['en', 'es']) {
    await page.goto(`${app.siteUrl}${pathOf(order)}?lang=${language}`)
    await look(`order ${language}`)
    await page.goto(`${app.siteUrl}${ticketPath}?lang=${language}`)
    await look(`ticket ${language}`)
    await page.goto(`${app.siteUrl}${ticketPath}/give?lang=${language}`)
    await look(`give ${language}`)
  }
  await page.goto(`${app.siteUrl}${ticketPath}/give`)
  await page.getByLabel('Name of the new holder').focus()
  await page.keyboard.type('Mary')
  await page.keyboard.press('Tab')
  await page.keyboard.type('nonsense')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').first().waitFor()
  await look('give refused')
  await page.getByLabel('E-mail of the new holder').fill('mary@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('The ticket goes to:').waitFor()
  await look('give sure')
  await page.getByRole('button', { name: 'Give it on' }).press('Enter')
  await page.getByText('Exchanged: another ticket has taken its place').waitFor()
  await look('ticket given')

  const owner = await member('owner')
  const cookie = { name: 'session', value: owner.cookies.get('session') as string, url: app.siteUrl }
  await page.context().addCookies([cookie])
  await client.get('/events')
  const registration = await db.read(accountId, tx =>
    tx.one<{ id: string; ticket: string }>(
      "SELECT r.id, a.id AS ticket FROM registrations r JOIN attendees a ON a.registration_id = r.id WHERE r.order_id = $1 AND r.status = 'confirmed' AND a.voided = 0 ORDER BY a.created_at, a.id",
      [order.id],
    ),
  )
  const guest = `${app.siteUrl}/manage/e/${eventId}/guests/${registration?.id}`
  for (const [name, path] of [
    ['guest', guest],
    ['exchange', `${guest}/tickets/${registration?.ticket}/exchange`],
    ['order for members', `${app.siteUrl}/manage/e/${eventId}/orders/${order.id}`],
    ['sale settings', `${app.siteUrl}/manage/e/${eventId}/settings/sale`],
  ] as const) {
    await page.goto(path)
    await look(name)
  }
  await page.goto(`${guest}/tickets/${registration?.ticket}/exchange`)
  await page.locator('input[type=radio]').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Exchange the ticket' }).waitFor()
  await look('exchange confirm')
  await page.getByRole('button', { name: 'Exchange the ticket' }).press('Enter')
  await page.getByText('In place of an exchanged ticket').first().waitFor()
  await look('guest exchanged')
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    messages.filter(message => !/status of 4/.test(message)),
    [],
  )
})
