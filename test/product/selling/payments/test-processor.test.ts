import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE } from '#base/time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { listByOrder as listReceipts } from '#product/selling/receipts/rules.ts'
import { openShop } from '#test/support/payments.ts'

test('an order that is paid is confirmed, with its tickets, its money in the ledger, and payment.completed', async t => {
  const { db, accountId, order, act, get, paymentsOf, ledgerOf, reconciler, sold, mails, webhooks, damage } =
    await openShop(t)
  const placed = await order({ Standard: 2, Free: 1 })
  assert.equal(placed.status, 'pending')
  assert.equal(placed.waits_for, 'payment')
  assert.deepEqual(await sold(), { Standard: 2, Student: 0, Free: 1 })
  assert.deepEqual(await mails(), [], 'nothing is mailed before it is paid')
  await reconciler.settle()
  const [open] = await paymentsOf(placed.id)
  assert.equal(open?.status, 'created')
  assert.match(open?.url ?? '', /^https:/)
  assert.deepEqual(await ledgerOf(placed.id), [])
  await act(placed.id, 'pay')
  await reconciler.settle()
  const paid = await get(placed.id)
  assert.equal(paid.status, 'confirmed')
  assert.deepEqual(
    paid.registrations.map(({ status, amount_total }) => [status, amount_total]),
    [
      ['confirmed', 10000],
      ['confirmed', 0],
    ],
  )
  assert.deepEqual(
    (await ledgerOf(placed.id)).map(({ kind, amount }) => [kind, amount]),
    [
      ['fee', -175],
      ['payment', 10000],
    ],
  )
  assert.equal((await paymentsOf(placed.id))[0]?.status, 'confirmed')
  assert.deepEqual((await webhooks()).sort(), [
    'payment.completed',
    'registration.created',
    'registration.created',
  ])
  assert.deepEqual(await mails(), ['order_confirmed'])
  assert.deepEqual(await damage(), [])
  const receipts = await db.read(accountId, tx => listReceipts(tx, placed.id))
  assert.deepEqual(
    receipts.map(({ kind, total, tax, number }) => [kind, total, tax, number]),
    [['receipt', 10000, 1596, 'R-000001']],
  )
  await reconciler.settle()
  assert.equal((await ledgerOf(placed.id)).length, 2, 'looked at again, nothing is added')
})

test('an order that nobody pays gives its places back once its session has ended', async t => {
  const { order, get, reconciler, sold, clock, paymentsOf, damage, mails } = await openShop(t)
  const { id } = await order({ Standard: 3 })
  await reconciler.settle()
  clock.advance(34 * MINUTE)
  await reconciler.settle()
  assert.equal((await get(id)).status, 'pending', 'held until three minutes after the session has ended')
  clock.advance(2 * MINUTE)
  await reconciler.settle()
  assert.equal((await get(id)).failed_for, 'unpaid')
  assert.deepEqual(await sold(), { Standard: 0, Student: 0, Free: 0 })
  assert.equal((await paymentsOf(id))[0]?.status, 'cancelled')
  assert.deepEqual(await mails(), ['order_unpaid'])
  assert.deepEqual(await damage(), [])
})

test('a declined card can be tried again on the same page, and then paid', async t => {
  const { order, act, get, reconciler, paymentsOf } = await openShop(t)
  const { id } = await order({ Student: 1 })
  await reconciler.settle()
  await act(id, 'decline')
  await reconciler.settle()
  assert.equal((await get(id)).status, 'pending')
  await act(id, 'pay')
  await reconciler.settle()
  assert.equal((await get(id)).status, 'confirmed')
  assert.equal((await paymentsOf(id)).length, 1)
})

test('money that takes days holds the places, and confirms the order when it comes', async t => {
  const { order, act, get, reconciler, clock, sold } = await openShop(t)
  const { id } = await order({ Student: 1 })
  await reconciler.settle()
  await act(id, 'pay_later')
  await reconciler.settle()
  clock.advance(72 * HOUR)
  await reconciler.settle()
  assert.equal((await get(id)).waits_for, 'payment')
  assert.equal((await sold()).Student, 1)
  await act(id, 'succeed')
  await reconciler.settle()
  assert.equal((await get(id)).status, 'confirmed')
})

test('money that does not come after days ends the order', async t => {
  const { order, act, get, reconciler, sold, paymentsOf } = await openShop(t)
  const { id } = await order({ Student: 1 })
  await reconciler.settle()
  await act(id, 'pay_later')
  await reconciler.settle()
  await act(id, 'fail')
  await reconciler.settle()
  assert.equal((await get(id)).failed_for, 'unpaid')
  assert.equal((await paymentsOf(id))[0]?.status, 'failed')
  assert.equal((await sold()).Student, 0)
})

test('an order that its buyer withdraws while it is paid gets its money back, once', async t => {
  const { db, accountId, order, act, get, reconciler, refundsOf, ledgerOf, mails, damage, clock } =
    await openShop(t)
  const { id } = await order({ Standard: 1 })
  await reconciler.settle()
  await act(id, 'pay')
  await db.write(accountId, tx => orders.fail(tx, id, 'withdrawn'))
  await reconciler.settle()
  await reconciler.settle()
  assert.equal((await get(id)).status, 'failed')
  const [refund, ...others] = await refundsOf(id)
  assert.deepEqual(others, [])
  assert.deepEqual([refund?.status, refund?.amount, refund?.reason], ['done', 5000, 'late'])
  clock.advance(HOUR)
  await reconciler.settle()
  assert.deepEqual((await ledgerOf(id)).map(({ kind, amount }) => [kind, amount]).sort(), [
    ['fee', -100],
    ['payment', 5000],
    ['refund', -5000],
  ])
  assert.ok((await mails()).includes('payment_returned'))
  assert.deepEqual(await damage(), [])
})
