import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as codes from '#product/catalog/codes/rules.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

for (const [currency, price] of [
  ['JPY', 3001],
  ['KWD', 12345],
  ['UGX', 70000],
] as const) {
  test(`an order in ${currency} is paid and given back to its last unit`, async t => {
    const { begin, pay, processor, states, moved, ledgerOf, damage, write, eventId, reconciler } =
      await openScriptedShop(t, {
        event: {
          currency,
          registration_types: [{ name: 'Standard', price, capacity: 30, tax_basis_points: 770 }],
        },
      })
    const id = await begin({ Standard: 3 })
    await pay(id)
    assert.deepEqual([await states(id), await moved(id)], ['confirmed', [`payment ${3 * price}`]])
    assert.ok((await ledgerOf(id)).every(entry => entry.currency === currency))
    const { request } = await import('#product/selling/payments/refunds.ts')
    const wanted = { orderId: id, eventId, currency, amount: 3 * price, reason: 'organizer' } as const
    await write(tx => request(tx, wanted))
    await reconciler.settle()
    assert.deepEqual(processor.books(), { paid: 3 * price, refunded: 3 * price })
    assert.deepEqual(await damage(), [])
  })
}

const code = (changes: object) =>
  ({
    ...{ code: 'LESS', percent: null, amount: null, registration_type_ids: null, max_tickets: null },
    ...{ valid_from: null, valid_until: null, note: null, active: true, ...changes },
  }) as Parameters<typeof codes.create>[2]

test('a code of 100 % makes an order that costs nothing, is confirmed at once, and asks no processor', async t => {
  const { write, eventId, order, reconciler, processor, states, ledgerOf, damage } = await openScriptedShop(t)
  await write(tx => codes.create(tx, eventId, code({ percent: 100 })))
  const { id } = await order({ Standard: 2 }, { code: 'LESS' })
  await reconciler.settle()
  assert.deepEqual([await states(id), processor.calls.length, await ledgerOf(id)], ['confirmed', 0, []])
  assert.deepEqual(await damage(), [])
})

test('20 tickets with a discount of a third and a tax of 7.7 % come to the sum that is paid, ticket by ticket', async t => {
  const {
    write,
    eventId,
    begin,
    pay,
    get,
    newest,
    cancelLine,
    processor,
    sessionOf,
    reconciler,
    refundStates,
    damage,
    states,
  } = await openScriptedShop(t, {
    event: {
      registration_types: [
        { name: 'Standard', price: 4999, capacity: 50, tax_basis_points: 770 },
        { name: 'Student', price: 1001, capacity: 50, tax_basis_points: 770 },
      ],
    },
  })
  await write(tx => codes.create(tx, eventId, code({ percent: 33 })))
  const id = await begin({ Standard: 13, Student: 7 }, { code: 'LESS' })
  // 33 % of 4999 is 1649.67, of 1001 330.33: rounded half up for each ticket.
  const total = 13 * (4999 - 1650) + 7 * (1001 - 330)
  assert.equal((await newest(id)).amount, total)
  await pay(id)
  const paid = await get(id)
  assert.deepEqual([paid.status, paid.amount_total], ['confirmed', total])
  assert.deepEqual(
    [...paid.prices.values()].map(({ tax }) => tax).sort(),
    // A price includes 7.7 %: 3349 * 770 / 10770 is 239.4, and 671 * 770 / 10770 is 48.0.
    [...Array(13).fill(239), ...Array(7).fill(48)],
  )
  const other = await begin({ Standard: 13, Student: 7 }, { code: 'LESS' })
  processor.pay(await sessionOf(other))
  await cancelLine(other, 1)
  await reconciler.settle()
  assert.deepEqual(
    [await states(other), await refundStates(other)],
    ['confirmed', [`line_cancelled ${7 * 671} done`]],
  )
  assert.deepEqual(await damage(), [])
})
