import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meterPayments } from '#app/payments.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import * as connections from '#product/selling/payments/connections.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

type Meters = ReturnType<typeof meterPayments>

async function read(meters: Meters) {
  const all = await Promise.all(
    Object.entries(meters).map(async ([name, look]) => [name, await look()] as const),
  )
  return Object.fromEntries(all)
}

test('the metrics tell what is under way at processors and since when, what failed, and when Stripe was last asked', async t => {
  const shop = await openScriptedShop(t)
  const { db, clock, begin, order, pay, refund, pass, processor, write } = shop
  const meters = meterPayments(db, clock)
  const none = { waiting: 0, oldest: 0, oldestRefund: 0, failedRefunds: 0, owedRefunds: 0 }
  assert.deepEqual(await read(meters), { ...none, leastRead: undefined })

  const id = await begin({ Standard: 2 })
  clock.advance(2 * MINUTE)
  await begin({ Standard: 1 })
  // A payment without a processor waits for a person.
  await order({ Free: 1 }, { method: undefined })
  clock.advance(MINUTE)
  const begun = await read(meters)
  assert.deepEqual([begun.waiting, Math.round((begun.oldest ?? 0) / 60)], [2, 3])

  await pay(id)
  processor.refundCourse = 'pending'
  await refund(id, 3000)
  await pass(3 * DAY, HOUR)
  const waits = await read(meters)
  assert.deepEqual([waits.waiting, waits.failedRefunds, waits.owedRefunds], [0, 0, 0])
  assert.ok((waits.oldestRefund ?? 0) >= (2 * DAY) / SECOND)
  processor.endRefund(processor.refunds[0]?.id as string, 'failed')
  await pass(HOUR)
  const failed = await read(meters)
  assert.deepEqual([failed.oldestRefund, failed.failedRefunds, failed.owedRefunds], [0, 1, 1])

  const found = { secretKey: 'rk_test_1', isLive: false, account: 'acct_1', name: null }
  await write(tx => connections.connectStripe(tx, found as never))
  const connectedAt = clock()
  clock.advance(HOUR)
  assert.equal((await read(meters)).leastRead, connectedAt / SECOND)
  await write(tx => connections.note(tx, 'rk_test_1', { readUntil: 1 }))
  assert.equal((await read(meters)).leastRead, clock() / SECOND)
})
