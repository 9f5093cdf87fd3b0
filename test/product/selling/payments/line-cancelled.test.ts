import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { cancelRegistration } from '#product/selling/orders/cancellation.ts'
import { openShop } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

test('a line that is cancelled through the API while it is being paid is paid back, and the others are confirmed', async t => {
  const shop = await openShop(t)
  const { db, accountId, order, act, get, refundsOf: made, sold, webhooks, mails, damage } = shop
  const { settle, linesOf, balance } = refundsOf(shop)
  const { id } = await order({ Standard: 1, Student: 1 })
  await settle()
  const line = (await get(id)).registrations.find(({ amount_total }) => amount_total === 2000)
  await db.write(accountId, tx => cancelRegistration(tx, line?.id as string))
  assert.equal((await sold()).Student, 0)
  await act(id, 'pay')
  await settle()
  assert.deepEqual((await linesOf(id)).sort(), [
    ['cancelled', null],
    ['confirmed', null],
  ])
  assert.deepEqual(
    (await made(id)).map(({ amount, reason, status }) => [amount, reason, status]),
    [[2000, 'line_cancelled', 'done']],
  )
  assert.equal((await balance({ orderId: id })).left, 5000)
  const emitted = await webhooks()
  assert.equal(emitted.filter(type => type === 'registration.cancelled').length, 1)
  assert.equal(emitted.filter(type => type === 'payment.completed').length, 1)
  assert.deepEqual(await mails(), ['order_confirmed', 'payment_returned'])
  assert.deepEqual(await damage(), [])
})

test('with its last line the order ends, and all that is paid goes back, once', async t => {
  const shop = await openShop(t)
  const { db, accountId, order, act, get, refundsOf: made, sold, webhooks, clock, damage } = shop
  const { settle, balance } = refundsOf(shop)
  const { id } = await order({ Standard: 1, Student: 1 })
  await settle()
  for (const line of (await get(id)).registrations)
    await db.write(accountId, tx => cancelRegistration(tx, line.id))
  assert.equal((await get(id)).failed_for, 'cancelled')
  await act(id, 'pay')
  await settle()
  clock.advance(HOUR)
  await settle()
  assert.deepEqual(
    (await made(id)).map(({ amount, status }) => [amount, status]),
    [[7000, 'done']],
  )
  assert.equal((await balance({ orderId: id })).left, 0)
  assert.deepEqual(await sold(), { Standard: 0, Student: 0, Free: 0 })
  assert.ok(!(await webhooks()).includes('payment.completed'))
  assert.deepEqual(await damage(), [])
})
