import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { closeBrowser, openPage } from '#test/support/browser.ts'
import { keyboardOf } from '#test/support/keyboard-walk.ts'
import { comeTooLate, pay, purchase, purchased } from '#test/support/people/purchase.ts'
import { startSale } from '#test/support/people/sale.ts'

after(closeBrowser)

for (const { language, javaScriptEnabled } of [
  { language: 'en', javaScriptEnabled: true },
  { language: 'es', javaScriptEnabled: false },
] as const) {
  const how = `on a phone, by keyboard alone, ${javaScriptEnabled ? 'with' : 'without'} JavaScript, in ${language}`
  test(`the whole way to tickets and back, ${how}`, { timeout: 180_000 }, async t => {
    const sale = await startSale(t, purchased, {}, { settings: { testPayments: true } })
    const { app } = sale
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, javaScriptEnabled }
    const { page, requests, messages } = await openPage(t, `${app.siteUrl}/ada/`, phone)
    await purchase(sale, keyboardOf(page), language)
    await comeTooLate(sale, keyboardOf(page), language)
    await pay(sale, keyboardOf(page), language)
    assert.deepEqual(
      requests.filter(address => !address.startsWith(app.siteUrl) && !address.startsWith('data:')),
      [],
    )
    // Chromium says of each page that was refused that it was.
    assert.deepEqual(
      messages.filter(message => !/status of (409|422)/.test(message)),
      [],
    )
  })
}
