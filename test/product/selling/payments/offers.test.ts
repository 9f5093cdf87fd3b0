import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, MINUTE } from '#base/time.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

const seen = agreementHash({ total: 4000, event: { currency: 'EUR', terms: null } })

/** All students' places are sold, somebody waits for two of them, and then they are given back. */
async function openOffered(t: TestContext, changes: object = {}) {
  const shop = await openScriptedShop(t, { changes: { waitlist_mode: 'offer', ...changes } })
  const { write, accountId, eventId, types, order, db, processors } = shop
  const { id } = await order({ Student: 5 }, { method: 'transfer' })
  const entry = { name: 'Wes', email: 'wes@example.org', quantity: 2, language: 'en' } as const
  await write(tx => waitlist.join(tx, eventId, { ...entry, typeId: types.Student as string }))
  await write(tx => orders.fail(tx, id, 'withdrawn'))
  const all = await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 10 }))
  const offered = all.find(({ buyer }) => buyer.name === 'Wes')
  const take = (method: 'test' | 'transfer' | undefined) =>
    write(tx =>
      payments.acceptOffer(
        tx,
        offered?.id as string,
        { agreement: seen, answers: {}, lines: [] },
        { method, processors },
      ),
    )
  return { ...shop, offered, take }
}

test('an offer of what costs something holds the places at the price of then, and leads to its payment', async t => {
  const { offered, take, get, sold, write, eventId, types, clock, reconciler, pay, states, moved, damage } =
    await openOffered(t)
  assert.deepEqual([offered?.waits_for, offered?.amount_total, (await sold()).Student], ['answer', 4000, 2])
  const id = offered?.id as string
  const price = { price: 9999, tax_basis_points: 0 }
  await write(tx => registrationTypes.update(tx, eventId, types.Student as string, price))
  await assert.rejects(take(undefined), { code: 'payment_needed' })
  clock.advance(5 * MINUTE)
  const taken = await take('test')
  assert.equal(taken.waits_for, 'payment')
  assert.equal(Date.parse(taken.expires_at as string), clock() + 35 * MINUTE, 'its hold begins now')
  await take('test')
  await reconciler.settle()
  await pay(id)
  assert.deepEqual([await states(id), await moved(id)], ['confirmed', ['payment 4000']])
  assert.deepEqual(
    [...(await get(id)).prices.values()].map(each => each.price),
    [2000, 2000],
  )
  assert.deepEqual(await damage(), [])
})

test('an offer that is taken and not paid gives its places back, as does one that nobody takes', async t => {
  const { offered, take, pass, states, sold } = await openOffered(t)
  await take('test')
  await pass(40 * MINUTE)
  assert.deepEqual([await states(offered?.id as string), (await sold()).Student], ['unpaid', 0])
  const lapsed = await openOffered(t)
  lapsed.clock.advance(2 * DAY)
  const { db, clock } = lapsed
  await orderExpiry({ db, clock, log: openLog('silent', { write: () => undefined }) }).look()
  assert.deepEqual(
    [await lapsed.states(lapsed.offered?.id as string), (await lapsed.sold()).Student],
    ['lapsed', 0],
  )
})

test('what costs something and cannot be paid is told of, and not held', async t => {
  const { write, accountId, eventId, types, order, sold, mails, db } = await openScriptedShop(t, {
    changes: { waitlist_mode: 'offer' },
    canPay: async () => false,
  })
  const { id } = await order({ Student: 5 }, { method: 'transfer' })
  const entry = { name: 'Wes', email: 'wes@example.org', quantity: 2, language: 'en' } as const
  await write(tx => waitlist.join(tx, eventId, { ...entry, typeId: types.Student as string }))
  await write(tx => orders.fail(tx, id, 'withdrawn'))
  assert.equal((await sold()).Student, 0)
  assert.equal(
    (await db.read(accountId, tx => orders.list(tx, { event_id: eventId }, { limit: 10 }))).length,
    1,
  )
  assert.ok(!(await mails()).includes('place_offered'))
})
