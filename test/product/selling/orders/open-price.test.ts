import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Problem } from '#base/problem.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { readOffers } from '#product/selling/orders/basket.ts'
import { payableWith } from '#product/selling/payments/methods.ts'
import { openShop } from '#test/support/payments.ts'

const TYPES = [
  { name: 'Standard', price: 5000, capacity: 10 },
  { name: 'Supporter', price: 1000, capacity: 10, tax_basis_points: 1900, open_price: true },
  { name: 'Gift', price: 0, capacity: 10, open_price: true },
]
const CODES = [{ code: 'HALF', percent: 50 }]

const start = (t: TestContext) => openShop(t, { event: { registration_types: TYPES, codes: CODES } })

test('the sum that a buyer gives is the price of each ticket, with its tax, and stays when the type changes', async t => {
  const shop = await start(t)
  const { id } = await shop.buy({ Supporter: 2 }, { given: { Supporter: 2380 } })
  const { amount_total, prices, registrations } = await shop.get(id)
  const sold = { price: 2380, discount: 0, tax: 380, tax_basis_points: 1900 }
  assert.deepEqual([amount_total, [...prices.values()]], [4760, [sold, sold]])
  assert.deepEqual([registrations[0]?.amount_subtotal, registrations[0]?.amount_total], [4760, 4760])
  const change = { price: 3000, open_price: false }
  await shop.db.write(shop.accountId, tx =>
    registrationTypes.update(tx, shop.eventId, shop.types.Supporter as string, change),
  )
  assert.deepEqual([...(await shop.get(id)).prices.values()], [sold, sold])
  assert.deepEqual(await shop.damage(), [])
})

test('who gives nothing said pays the least', async t => {
  const shop = await start(t)
  const order = await shop.buy({ Supporter: 1, Gift: 1 })
  assert.deepEqual(
    [...order.prices.values()].map(({ price }) => price),
    [1000, 0],
  )
})

for (const given of [0, 999, -1, 10 ** 12, 100_000_000, 1000.5, Number.NaN]) {
  test(`a sum of ${given} minor units is refused where 1000 are the least, and leaves nothing behind`, async t => {
    const shop = await start(t)
    await assert.rejects(
      shop.order({ Supporter: 1 }, { given: { Supporter: given } }),
      (problem: Problem) => problem.code === 'wrong_price' && problem.details?.min === 1000,
    )
    assert.deepEqual(await shop.sold(), { Standard: 0, Supporter: 0, Gift: 0 })
  })
}

test('a sum for a type whose price is fixed changes nothing', async t => {
  const shop = await start(t)
  const order = await shop.buy({ Standard: 1 }, { given: { Standard: 1 } })
  assert.equal(order.amount_total, 5000)
})

test('a code takes its part of the least, and nothing of what is given beyond', async t => {
  const shop = await start(t)
  const { prices, amount_total } = await shop.buy(
    { Supporter: 1 },
    { code: 'half', given: { Supporter: 3000 } },
  )
  const [{ price, discount } = { price: 0, discount: 0 }] = prices.values()
  assert.deepEqual([price, discount, amount_total], [3000, 500, 2500])
})

test('a type with an open price from 0 is on sale only where something can be paid', async t => {
  const shop = await start(t)
  const offers = (processors: typeof shop.processors) =>
    shop.db.read(shop.accountId, tx =>
      readOffers(tx, shop.eventId, 'HALF', shop.clock(), payableWith(processors)),
    )
  const stateOf = (list: Awaited<ReturnType<typeof offers>>) =>
    list.find(({ name }) => name === 'Gift')?.state
  assert.equal(stateOf(await offers(shop.processors)), 'on_sale')
  assert.equal(stateOf(await offers(new Map())), 'no_way_to_pay')
})
