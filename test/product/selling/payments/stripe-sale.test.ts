import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { onceSettled } from '#test/support/settled.ts'
import { ACCOUNT } from '#test/support/stripe/stripe-connection.ts'
import { openStripeSale, PUBLIC } from '#test/support/stripe/stripe-sale.ts'

for (const [how, baseUrl] of [
  ['with webhooks', PUBLIC],
  ['without any webhook', 'http://192.168.1.5:8080'],
] as const) {
  test(`an order that is paid at Stripe is confirmed ${how}, its fee known, and money goes back once`, async t => {
    const { app, standIn, db, accountId, eventId, order, ...shop } = await openStripeSale(t, baseUrl)
    const { stateOf, entriesOf, settle, pass } = shop
    const hasWebhook = async () => (await standIn.books(ACCOUNT)).webhookEndpoints.length > 0
    if (baseUrl === PUBLIC) await onceSettled({ app }, 'stripe', 'an endpoint', hasWebhook)
    const { orderId, session } = await order()
    assert.equal(await stateOf(orderId), 'pending')
    await standIn.pay(session)
    if (baseUrl === PUBLIC) await settle()
    else await pass(MINUTE)
    assert.equal(await stateOf(orderId), 'confirmed')
    assert.deepEqual((await entriesOf(orderId)).sort(), [
      ['fee', -100],
      ['payment', 5000],
    ])
    const wanted = { orderId, eventId, currency: 'EUR', amount: 2000, reason: 'organizer' } as const
    await db.write(accountId, tx => refunds.request(tx, wanted))
    await standIn.fault({ kind: 'error after', method: 'POST', path: '/v1/refunds' })
    // The session was made, and the answer was lost, so the request is sent again.
    await pass(MINUTE)
    await pass(MINUTE)
    assert.ok((await entriesOf(orderId)).some(([kind]) => kind === 'refund'))
    assert.deepEqual(
      (await standIn.books(ACCOUNT)).refunds.map(({ amount }) => amount),
      [2000],
    )
    const [dispute] = [await standIn.dispute(session)]
    await pass(MINUTE)
    assert.ok((await entriesOf(orderId)).some(([kind]) => kind === 'dispute_fee'))
    assert.match(dispute.id, /^du_/)
    assert.deepEqual(await standIn.unkeyed(), [])
  })
}
