import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import { refundOrphanPayments } from '#product/selling/payments/stripe/orphan-refunds.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

/** Opens a shop whose payments two servers settle, each of which has read everything before the other has written anything. */
async function openTwice(t: Parameters<typeof openScriptedShop>[0]) {
  const shop = await openScriptedShop(t)
  const { processor, reconciler, newReconciler } = shop
  const other = newReconciler()
  /** Has each of two calls of a kind wait for the other. */
  const meetAt = (name: 'prepare' | 'prepareRefund' | 'find' | 'findRefund') => {
    let waiting: (() => void) | undefined
    let met = 0
    processor.onCall = async called => {
      if (called !== name) return
      met++
      if (waiting === undefined) await new Promise<void>(resolve => (waiting = resolve))
      else waiting()
    }
    return () => met
  }
  const both = async () => {
    await Promise.all([reconciler.settle(), other.settle()])
    processor.onCall = async () => undefined
  }
  return { ...shop, meetAt, both }
}

test('two servers that begin one payment at once make one session', async t => {
  const { order, meetAt, both, processor, pay, moved, states, damage } = await openTwice(t)
  const { id } = await order({ Standard: 1 })
  const met = meetAt('prepare')
  await both()
  assert.equal(met(), 2, 'both had no call when they began')
  assert.equal(processor.sessions.length, 1)
  await pay(id)
  assert.deepEqual([await states(id), await moved(id)], ['confirmed', ['payment 5000']])
  assert.deepEqual(processor.books(), { paid: 5000, refunded: 0 })
  assert.deepEqual(await damage(), [])
})

test('two servers that pay one refund back at once pay it back once', async t => {
  const { begin, pay, refund, meetAt, both, processor, refundStates, moved, damage } = await openTwice(t)
  const id = await begin({ Standard: 2 })
  await pay(id)
  await refund(id, 3000)
  const met = meetAt('prepareRefund')
  await both()
  assert.equal(met(), 2)
  assert.deepEqual(processor.books(), { paid: 10000, refunded: 3000 })
  assert.deepEqual(await refundStates(id), ['organizer 3000 done'])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000'])
  assert.deepEqual(await damage(), [])
})

test('two servers that look for an old refund which never arrived send it again once', async t => {
  const { begin, pay, refund, meetAt, both, processor, clock, reconciler, pass, refundStates } =
    await openTwice(t)
  const id = await begin({ Standard: 2 })
  await pay(id)
  processor.fault('refund', 'lost')
  await refund(id, 3000)
  await reconciler.settle()
  clock.advance(DAY + HOUR)
  const met = meetAt('findRefund')
  await both()
  assert.equal(met(), 2)
  await pass(HOUR, MINUTE)
  assert.deepEqual(processor.books(), { paid: 10000, refunded: 3000 })
  assert.deepEqual(await refundStates(id), ['organizer 3000 done'])
})

test('two servers that pay back a payment without an order at once pay it back once', async t => {
  const { order, reconciler, processor, meetAt, write, db, clock, accountId, sessionOf } = await openTwice(t)
  const { id } = await order({ Standard: 1 })
  await reconciler.settle()
  const sessionId = await sessionOf(id)
  processor.pay(sessionId)
  const chargeId = processor.session(sessionId).chargeId
  await write(async tx => {
    await orphans.note(tx, { sessionId, chargeId, amount: 5000, currency: 'EUR', paidAt: clock() })
    await orphans.requestRefund(tx, sessionId)
  })
  const met = meetAt('prepareRefund')
  const payBack = () => refundOrphanPayments({ db, clock, processor }, accountId)
  await Promise.all([payBack(), payBack()])
  assert.equal(met(), 2)
  assert.deepEqual(processor.books(), { paid: 5000, refunded: 5000 })
  assert.equal((await db.read(accountId, tx => orphans.get(tx, sessionId))).state, 'refunded')
})
