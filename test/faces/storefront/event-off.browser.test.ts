import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import * as events from '#product/catalog/events/rules.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, sellAll, startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

test('the form for lost tickets, and the pages of every order of a cancelled event, have no barrier and nothing out of the window', {
  timeout: 240_000,
}, async t => {
  const sale = await startSale(t, {}, { contact_email: 'a@example.org' })
  const { app, path, db, accountId, eventId, change, clock, client } = sale
  await change({ title: names[0] })
  const { names: _, cancel: __, ...pages } = await sellAll(sale)
  const { page, requests, messages } = await openPage(t, `${app.siteUrl}${path}tickets`)
  const wrong = await faultsOf(page, 'lost')
  clock.advance(2 * SECOND)
  await page.locator('.end-bar .main').click()
  await page.getByText('Fill this in.').first().waitFor()
  wrong.push(...(await faultsOf(page, 'lost refused')))
  clock.advance(2 * SECOND)
  await page.getByLabel('Your e-mail').fill(`${'long'.repeat(14)}@${'a'.repeat(60)}.example`)
  await page.locator('.end-bar .main').click()
  await page.getByText('Look into your mail').first().waitFor()
  wrong.push(...(await faultsOf(page, 'lost sent')))
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  await client.get('/events')
  for (const [name, to] of Object.entries(pages))
    for (const language of ['en', 'es']) {
      await page.goto(`${app.siteUrl}${to}${to.includes('?') ? '&' : '?'}lang=${language}`)
      assert.match(
        (await page.locator('.headline').textContent()) ?? '',
        { en: /This event is cancelled/, es: /Este evento está cancelado/ }[language] as RegExp,
      )
      wrong.push(...(await faultsOf(page, `${name} in ${language}`)))
    }
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
    [],
  )
  assert.deepEqual(
    messages.filter(message => !/status of 4/.test(message)),
    [],
  )
})
