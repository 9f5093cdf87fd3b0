import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { type StandInOptions, StripeStandIn } from '../support/stripe/stand-in.ts'

const KEY = 'rk_test_organizer0001'

async function start(t: TestContext, options: StandInOptions = {}) {
  const standIn = await StripeStandIn.start(options)
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: 'acct_one' })
  return { standIn, stripe: client(standIn, KEY) }
}

function client(standIn: StripeStandIn, key: string): Stripe {
  const { hostname: host, port } = new URL(standIn.origin)
  return new Stripe(key, {
    host,
    port,
    protocol: 'http',
    apiVersion: '2026-10-28.endive',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 5_000,
  })
}

const session = (amount = 1_000, currency = 'eur'): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  success_url: 'https://tickets.example.org/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://tickets.example.org/back',
  customer_email: 'ana@example.org',
  client_reference_id: 'order-1',
  metadata: { order: '1' },
  payment_intent_data: { metadata: { order: '1' }, description: 'Order 1' },
  adaptive_pricing: { enabled: false },
  line_items: [
    { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Ticket' } } },
  ],
})

test('a session is made, paid, and read with its fee', async t => {
  const { standIn, stripe } = await start(t)
  const made = await stripe.checkout.sessions.create(session(), { idempotencyKey: 'a' })
  assert.equal(made.status, 'open')
  assert.equal(made.payment_intent, null)
  assert.equal(made.url, `${standIn.origin}/c/pay/${made.id}`)
  await standIn.pay(made.id)
  const paid = await stripe.checkout.sessions.retrieve(made.id, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  assert.equal(paid.status, 'complete')
  assert.equal(paid.payment_status, 'paid')
  const intent = paid.payment_intent as Stripe.PaymentIntent
  const charge = intent.latest_charge as Stripe.Charge
  const transaction = charge.balance_transaction as Stripe.BalanceTransaction
  assert.deepEqual(
    [intent.metadata.order, transaction.amount, transaction.fee, transaction.net],
    ['1', 1_000, 40, 960],
  )
  assert.deepEqual(await standIn.unkeyed(), [])
})
