import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_AMOUNT } from '#base/money.ts'
import { canTake, fromStripe, toStripe } from '#product/selling/payments/stripe/amounts.ts'
import { decimalsOf, MINIMUM_CHARGES } from '#test/support/stripe/amounts.ts'

test('an amount goes to Stripe in its units and comes back as it was, of every currency', () => {
  let count = 0
  for (const currency of Intl.supportedValuesOf('currency')) {
    for (const amount of [1, 10, 100, 1000, 12_340, 99_999_000]) {
      const units = toStripe(amount, currency)
      if (units === undefined) continue
      count++
      assert.equal(fromStripe(units, currency.toLowerCase()), amount, `${amount} ${currency}`)
    }
  }
  assert.ok(count > 700, `${count} amounts`)
})

test('whole currencies, those in hundredths that have none, and those in thousandths are sent as Stripe has them', () => {
  assert.equal(toStripe(500, 'JPY'), 500)
  assert.equal(toStripe(5, 'UGX'), 500)
  assert.equal(toStripe(5, 'ISK'), 500)
  assert.equal(toStripe(5120, 'KWD'), 5120)
  assert.equal(toStripe(5124, 'KWD'), undefined)
  assert.equal(toStripe(500, 'MGA'), 5)
  assert.equal(toStripe(501, 'MGA'), undefined)
  assert.equal(toStripe(500, 'IQD'), undefined, 'which Stripe does not take')
})

test('a fee with digits that the currency lacks is rounded', () => {
  assert.equal(fromStripe(1250, 'isk'), 13)
  assert.equal(fromStripe(1249, 'ugx'), 12)
  assert.equal(fromStripe(5127, 'kwd'), 5127)
})

test('what is below the least charge of its currency, or above the greatest, is not offered', () => {
  for (const [code, least] of Object.entries(MINIMUM_CHARGES)) {
    const currency = code.toUpperCase()
    assert.equal(canTake(currency, fromStripe(least, currency)), true, currency)
    const step = 10 ** (decimalsOf(code) === 3 ? 1 : 0)
    assert.equal(canTake(currency, fromStripe(least - step, currency)), false, currency)
  }
  assert.equal(canTake('EUR', MAX_AMOUNT), true)
  assert.equal(canTake('UGX', 999_999), true)
  assert.equal(canTake('UGX', 1_000_000), false)
  assert.equal(canTake('KWD', 5124), false)
  assert.equal(canTake('EUR', 0), false)
})
