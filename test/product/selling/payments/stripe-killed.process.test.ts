import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'
import { openStripeShop } from '#test/support/stripe/stripe-shop.ts'
import { eventually } from '#test/support/webhooks.ts'

const event = {
  registration_types: [{ name: 'Standard', price: 5000, capacity: 10, tax_basis_points: 1900 }],
}
/** How long Stripe takes to answer, in milliseconds: by then nobody listens any more. */
const ANSWERS_AFTER = 700

/** A shop on Stripe's stand-in, which is in this process: who asks it is killed in another. */
async function open(t: TestContext) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const shop = await openStripeShop(t, () => standIn.origin, { event })
  const { db, accountId, eventId, clock, reconciler } = shop
  const books = () => standIn.books(ACCOUNT)
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await standIn.advance(milliseconds)
    await reconciler.settle()
  }
  const order = async () => (await shop.order({ Standard: 2 }, { method: 'stripe' })).id
  const pay = async () => {
    for (const { id, status } of (await books()).sessions) if (status === 'open') await standIn.pay(id)
    await pass(5 * MINUTE)
  }
  const refund = (orderId: string) =>
    db.write(accountId, tx =>
      refunds.request(tx, {
        ...{ orderId, eventId, currency: 'EUR', amount: 3000, reason: 'organizer' },
      }),
    )
  const withdraw = (id: string) => db.write(accountId, tx => orders.fail(tx, id, 'withdrawn'))
  /** Has what is due taken on by a process that dies once Stripe has done something, and before it hears of it. */
  const killOnce = async (path: string, isDone: () => Promise<boolean>) => {
    await standIn.fault({ kind: 'slow', method: 'POST', path, ms: ANSWERS_AFTER })
    const args = ['--import', 'tsx', 'test/support/stripe/stripe-payments-process.ts']
    const child = spawn(process.execPath, [...args, shop.data, standIn.origin, String(clock())], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await eventually('what it asks for', isDone)
    child.kill('SIGKILL')
    assert.equal((await once(child, 'exit'))[1], 'SIGKILL')
    await eventually('its answer', async () => (await standIn.load()).waiting === 0)
    assert.deepEqual(await shop.damage(), [])
  }
  const moved = async (id: string) =>
    (await shop.ledgerOf(id)).map(({ kind, amount }) => `${kind} ${amount}`).sort()
  return { ...shop, standIn, books, order, pay, pass, refund, withdraw, killOnce, moved }
}

const PAID = ['fee -175', 'payment 10000']

test('a server that is killed once Stripe has made the session has it paid once', async t => {
  const { standIn, books, order, pay, killOnce, moved, get, reconciler, sold, damage } = await open(t)
  const id = await order()
  await killOnce('/v1/checkout/sessions', async () => (await books()).sessions.length > 0)
  await reconciler.settle()
  assert.equal((await books()).sessions.length, 1)
  await pay()
  assert.deepEqual([(await get(id)).status, await moved(id)], ['confirmed', PAID])
  assert.deepEqual([(await books()).charges.length, (await sold()).Standard], [1, 2])
  assert.deepEqual([await standIn.unkeyed(), await damage()], [[], []])
})

test('a server that is killed once Stripe has paid back, and is down for a day, pays back once', async t => {
  const { standIn, books, order, pay, pass, refund, killOnce, moved, refundsOf, ...shop } = await open(t)
  const id = await order()
  await shop.reconciler.settle()
  await pay()
  await refund(id)
  await killOnce('/v1/refunds', async () => (await books()).refunds.length > 0)
  assert.deepEqual(await moved(id), PAID)
  await pass(DAY + HOUR)
  await pass(HOUR)
  const [refunds, ours] = [(await books()).refunds, await refundsOf(id)]
  assert.deepEqual(
    [refunds.map(({ amount }) => amount), ours.map(({ status }) => status)],
    [[3000], ['done']],
  )
  assert.deepEqual(await moved(id), [...PAID, 'refund -3000'])
  assert.deepEqual([await standIn.unkeyed(), await shop.damage()], [[], []])
})

test('a server that is killed once Stripe has ended a session gives the places back, once', async t => {
  const shop = await open(t)
  const { standIn, clock, books, order, pass, withdraw, killOnce, moved, paymentsOf, reconciler } = shop
  const { sold, damage } = shop
  const id = await order()
  await order()
  await reconciler.settle()
  await withdraw(id)
  clock.advance(SECOND)
  await killOnce('/v1/checkout/sessions/:id/expire', async () =>
    (await books()).sessions.some(({ status }) => status === 'expired'),
  )
  await pass(MINUTE)
  assert.deepEqual([await moved(id), (await sold()).Standard], [[], 2])
  assert.deepEqual((await books()).sessions.map(({ status }) => status).sort(), ['expired', 'open'])
  const [payment] = await paymentsOf(id)
  assert.deepEqual([payment?.status, payment?.url], ['cancelled', null])
  // No question to Stripe is left.
  const count = (await standIn.requests()).length
  await pass(MINUTE)
  assert.equal((await standIn.requests()).length, count)
  assert.deepEqual(await damage(), [])
})
