import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SECOND } from '#base/time.ts'
import { addBank } from '#test/support/banked.ts'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { walkByTab } from '#test/support/keyboard.ts'
import { faultsOf } from '#test/support/page-faults.ts'
import { names, startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

const [LONG, ARABIC] = names

test('event page, form, review and order with extras and open prices have no barrier, in both languages, by keyboard, with long names', {
  timeout: 240_000,
}, async t => {
  const types = [
    { name: 'Guest', price: 0, capacity: 100 },
    { name: 'Supporter', price: 1000, capacity: 100, open_price: true, description: 'You help us' },
    { name: 'Dinner', kind: 'extra', price: 3000, capacity: 20, description: 'Three courses' },
    { name: LONG, kind: 'extra', price: 0, capacity: 20 },
    { name: ARABIC, kind: 'extra', price: 0, capacity: 0 },
    { name: 'Donation', kind: 'extra', price: 0, capacity: 100, open_price: true },
  ]
  const questions = [
    {
      ...{ key: 'size', label: 'Which size?', kind: 'one_of', choices: ['S', 'M', 'L'] },
      ...{ asked_for: 'ticket', registration_types: ['Dinner'] },
    },
  ]
  const sale = await startSale(
    t,
    { registration_types: types, questions, codes: [] },
    { terms: null, payment_ways: 'set_up_and_door' },
  )
  await addBank(sale)
  const { app, path, types: ids, clock } = sale
  const { page, messages } = await openPage(t, `${app.siteUrl}${path}`)
  const wrong: string[] = []
  const shoot = async (name: string) => {
    wrong.push(...(await faultsOf(page, name)))
    const { SHOTS } = process.env
    if (SHOTS === undefined) return
    for (const width of [390, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true })
      }
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await shoot('event')
  wrong.push(...(await walkByTab(page, '.top a')))
  await page.goto(`${app.siteUrl}${path}?lang=es`)
  await shoot('event-es')
  await page.goto(`${app.siteUrl}${path}`)
  await page.locator(`[name="q.${ids.Supporter}"]`).selectOption('1')
  await page.locator(`[name="p.${ids.Supporter}"]`).fill('5')
  await page.locator(`[name="q.${ids.Dinner}"]`).selectOption('2')
  await page.locator(`[name="q.${ids[LONG]}"]`).selectOption('1')
  await page.locator(`[name="q.${ids.Donation}"]`).selectOption('1')
  await page.locator(`[name="p.${ids.Donation}"]`).fill('12.50')
  await page.locator('.offers form > .button').click()
  await page.getByText('Give at least 10.00').first().waitFor()
  await shoot('form-refused')
  wrong.push(...(await walkByTab(page, '[name="buyer.name"]')))
  await page.locator(`[name="p.${ids.Supporter}"]`).fill('15')
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('Your e-mail').fill('grace@example.org')
  clock.advance(SECOND)
  await page.locator('.end-bar .main').click()
  await page.getByText('Is this right?').first().waitFor()
  assert.match((await page.locator('.sum').textContent()) ?? '', /€87\.50/)
  await shoot('review')
  await page.getByLabel('At the door').check()
  await page.locator('.end-bar .main').click()
  await page.getByText('2 × Dinner').first().waitFor()
  await shoot('order-waiting')
  await page.goto(`${app.siteUrl}${path}register?q.${ids.Guest}=1&q.${ids[LONG]}=2`)
  await page.getByLabel('Your name').fill('Grace')
  await page.getByLabel('Your e-mail').fill('grace@example.org')
  clock.advance(SECOND)
  await page.locator('.end-bar .main').click()
  await page.getByText('Is this right?').first().waitFor()
  await page.locator('.end-bar .main').click()
  await page.getByText('You are in').first().waitFor()
  await shoot('order')
  wrong.push(...(await walkByTab(page, '.top a')))
  assert.deepEqual(wrong, [])
  assert.deepEqual(messages, [])
})
