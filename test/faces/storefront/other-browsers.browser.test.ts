import assert from 'node:assert/strict'
import { test } from 'node:test'
import { otherBrowsers, walkInOne } from '#test/support/other-browsers.ts'
import { comeTooLate, pay, purchase, purchased } from '#test/support/people/purchase.ts'
import { startSale } from '#test/support/people/sale.ts'

for (const [name, missing, open] of otherBrowsers) {
  const skip = missing ? `there is no ${name}` : false
  test(`in ${name} the whole way to tickets and back, by keyboard alone`, {
    skip,
    timeout: 180_000,
  }, async t => {
    await walkInOne(open, async browser => {
      // Whoever begins once more finds nothing of the first time.
      const sale = await startSale(t, purchased, {}, { settings: { testPayments: true } })
      const keyboard = await browser.becomePhone()
      await purchase(sale, keyboard, 'en')
      await pay(sale, keyboard, 'en')
      await comeTooLate(sale, keyboard, 'en')
      assert.ok((await keyboard.evaluate<number>('innerWidth')) <= 500)
    })
  })
}
