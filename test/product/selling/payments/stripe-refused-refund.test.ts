import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { ACCOUNT } from '#test/support/stripe/stripe-connection.ts'
import { openStripeSale, PUBLIC } from '#test/support/stripe/stripe-sale.ts'

/** Opens a server with an order of 50 that was paid at Stripe. */
async function openPaid(t: TestContext, baseUrl = PUBLIC) {
  const shop = await openStripeSale(t, baseUrl)
  const { db, accountId, eventId, standIn, order, settle, pass } = shop
  const { orderId, session } = await order()
  await standIn.pay(session)
  await pass(MINUTE)
  const listed = () => db.read(accountId, tx => refunds.listByOrder(tx, orderId))
  const states = async () => (await listed()).map(({ status, amount, trouble }) => [status, amount, trouble])
  const request = (amount: number) =>
    db.write(accountId, tx =>
      refunds.request(tx, { orderId, eventId, currency: 'EUR', amount, reason: 'organizer' }),
    )
  /** Time passes in steps, so that all is looked at that is due. */
  const wait = async (milliseconds: number, step: number) => {
    for (let passed = 0; passed < milliseconds; passed += step) await pass(step)
    await settle()
  }
  return { ...shop, orderId, session, states, request, wait }
}

for (const [how, baseUrl] of [
  ['with webhooks', PUBLIC],
  ['without any webhook', 'http://192.168.1.5:8080'],
] as const) {
  test(`money that the organizer gives back at Stripe just before it is asked for here goes back once, ${how}`, async t => {
    const { db, standIn, session, request, wait, states, entriesOf, orderId } = await openPaid(t, baseUrl)
    await standIn.refund(session)
    await request(5000)
    await wait(HOUR, 5 * MINUTE)
    const standing = (await states()).filter(([status]) => status !== 'dropped')
    assert.deepEqual(standing, [['done', 5000, null]])
    const moved = (await entriesOf(orderId)).filter(([kind]) => kind === 'refund')
    assert.deepEqual(moved, [['refund', -5000]])
    assert.deepEqual(await findDamage(db), [])
  })

  test(`of what the organizer gives back in part at Stripe only the rest goes back here, ${how}`, async t => {
    const { db, standIn, session, request, wait, states, entriesOf, orderId } = await openPaid(t, baseUrl)
    await standIn.refund(session, { amount: 2000 })
    await request(5000)
    await wait(HOUR, 5 * MINUTE)
    assert.deepEqual((await states()).sort(), [
      ['done', 2000, null],
      ['done', 3000, null],
    ])
    const moved = (await entriesOf(orderId)).filter(([kind]) => kind === 'refund')
    assert.equal(
      moved.reduce((sum, [, amount]) => sum + (amount as number), 0),
      -5000,
    )
    assert.deepEqual(await findDamage(db), [])
  })
}

test('a refund that fails at Stripe says why, and what the organizer then does there is that refund', async t => {
  const { db, standIn, session, request, wait, states } = await openPaid(t)
  await request(5000)
  await wait(MINUTE, MINUTE)
  const [made] = (await standIn.books(ACCOUNT)).refunds
  await standIn.failRefund(made?.id as string, 'lost_or_stolen_card')
  await wait(HOUR, 10 * MINUTE)
  assert.deepEqual(await states(), [['failed', 5000, 'lost_or_stolen_card']])
  await standIn.refund(session)
  await wait(HOUR, 10 * MINUTE)
  assert.deepEqual(await states(), [['done', 5000, null]])
  assert.deepEqual(await findDamage(db), [])
})

test('a refund that Stripe refuses as the payment is disputed waits for a member, and none goes back', async t => {
  const { db, standIn, session, request, wait, states, entriesOf, orderId } = await openPaid(t)
  await request(5000)
  await standIn.dispute(session)
  await wait(2 * DAY, HOUR)
  assert.deepEqual(await states(), [['requested', 5000, 'disputed']])
  const sum = (await entriesOf(orderId))
    .filter(([kind]) => kind === 'payment' || kind === 'refund' || kind === 'dispute')
    .reduce((total, [, amount]) => total + (amount as number), 0)
  assert.equal(sum, 0)
  assert.deepEqual(await findDamage(db), [])
})
