import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { DAY } from '#base/time.ts'
import { stripeClient } from '#test/support/stripe/client.ts'
import { movableClock } from '#test/support/stripe/clock.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'

const KEY = 'rk_test_organizer0001'

async function start(t: TestContext) {
  const standIn = await StripeStandIn.start({ clock: movableClock('2026-11-21T12:00:00Z') })
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: 'acct_one' })
  const stripe = stripeClient(standIn, KEY)
  const make = (amount = 10_000, currency = 'eur') =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://tickets.example.org/done',
      payment_intent_data: { metadata: { order: '1' } },
      line_items: [
        { quantity: 1, price_data: { currency, unit_amount: amount, product_data: { name: 'Ticket' } } },
      ],
    })
  /** Returns the charge of a session, with its balance transaction. */
  const chargeOf = async (id: string) => {
    const read = await stripe.checkout.sessions.retrieve(id, {
      expand: ['payment_intent.latest_charge.balance_transaction'],
    })
    const intent = read.payment_intent as Stripe.PaymentIntent
    const charge = intent.latest_charge as Stripe.Charge
    return {
      session: read,
      intent,
      charge,
      fee: charge.balance_transaction as Stripe.BalanceTransaction | null,
    }
  }
  const types = async () => {
    const { data } = await stripe.events.list({ limit: 100 })
    return data.map(({ type }) => type as string).reverse()
  }
  return { standIn, stripe, make, chargeOf, types }
}

async function code(answer: Promise<unknown>): Promise<string | undefined> {
  const error = await answer.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError, String(error))
  return error.code
}

test('a declined card leaves the session open, and the next try has the same payment intent', async t => {
  const { standIn, stripe, make, chargeOf, types } = await start(t)
  const { id } = await make()
  await standIn.decline(id)
  const tried = await chargeOf(id)
  assert.deepEqual(
    [tried.session.status, tried.intent.status, tried.charge.status],
    ['open', 'requires_payment_method', 'failed'],
  )
  assert.equal(tried.intent.last_payment_error?.code, 'card_declined')
  assert.equal(await code(stripe.paymentIntents.cancel(tried.intent.id)), 'payment_intent_unexpected_state')
  await standIn.pay(id)
  const paid = await chargeOf(id)
  assert.equal(paid.intent.id, tried.intent.id)
  assert.equal(paid.intent.metadata.order, '1')
  const charges = await stripe.charges.list({ payment_intent: paid.intent.id })
  assert.deepEqual(
    charges.data.map(({ status }) => status),
    ['succeeded', 'failed'],
  )
  assert.deepEqual(await types(), [
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.completed',
  ])
})

test('an open session that ends takes its payment intent with it', async t => {
  const { standIn, stripe, make, chargeOf } = await start(t)
  const { id } = await make()
  await standIn.decline(id)
  await stripe.checkout.sessions.expire(id)
  assert.equal((await chargeOf(id)).intent.status, 'canceled')
  await assert.rejects(standIn.pay(id), /expired/)
})

test('a delayed payment is complete and unpaid until it succeeds or fails', async t => {
  const { standIn, make, chargeOf, types } = await start(t)
  const [good, bad] = [await make(), await make()]
  await standIn.payLater(good.id)
  await standIn.payLater(bad.id)
  const waiting = await chargeOf(good.id)
  assert.deepEqual(
    [waiting.session.status, waiting.session.payment_status, waiting.intent.status, waiting.charge.status],
    ['complete', 'unpaid', 'processing', 'pending'],
  )
  await standIn.advance(3 * DAY)
  await standIn.succeedLater(good.id)
  await standIn.failLater(bad.id)
  const [paid, failed] = [await chargeOf(good.id), await chargeOf(bad.id)]
  assert.deepEqual([paid.session.payment_status, paid.charge.paid, paid.fee?.type], ['paid', true, 'payment'])
  assert.deepEqual(
    [failed.session.status, failed.session.payment_status, failed.intent.status],
    ['complete', 'unpaid', 'requires_payment_method'],
  )
  assert.deepEqual((await types()).slice(-6), [
    'charge.succeeded',
    'payment_intent.succeeded',
    'checkout.session.async_payment_succeeded',
    'charge.failed',
    'payment_intent.payment_failed',
    'checkout.session.async_payment_failed',
  ])
})

test('a buyer can pay by what the account has and the session allows, and by nothing else', async t => {
  const { standIn, stripe } = await start(t)
  const make = (methods: Partial<Stripe.Checkout.SessionCreateParams>) =>
    stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://tickets.example.org/done',
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'eur', unit_amount: 1_000, product_data: { name: 'Ticket' } },
        },
      ],
      ...methods,
    })
  const immediate = await make({ allowed_payment_method_types: ['card', 'ideal'] })
  assert.deepEqual(immediate.payment_method_types, ['card'])
  await assert.rejects(standIn.payLater(immediate.id), /offers card/)
  await assert.rejects(make({ allowed_payment_method_types: ['ideal'] }), /No valid payment method types/)
  await standIn.setAccount('acct_one', { methods: ['card', 'sepa_debit'] })
  const delayed = await make({ excluded_payment_method_types: ['card'] })
  await assert.rejects(standIn.pay(delayed.id), /offers sepa_debit/)
  await standIn.payLater(delayed.id)
})

test('amounts are whole in the units of their currency, and neither too small nor too large', async t => {
  const { standIn, make } = await start(t)
  const small = [
    ['eur', 49, 50],
    ['gbp', 29, 30],
    ['jpy', 49, 50],
    ['huf', 17_499, 17_500],
    ['kwd', 150, 160],
    ['ugx', 185_100, 185_200],
  ] as const
  for (const [currency, less, least] of small) {
    assert.equal(await code(make(less, currency)), 'amount_too_small', currency)
    assert.equal((await make(least, currency)).amount_total, least)
  }
  await assert.rejects(make(5_125, 'kwd'), /least-significant digit/)
  assert.equal(await code(make(200_050, 'ugx')), 'invalid_charge_amount_no_decimal_compatible')
  assert.equal(await code(make(100_000_000)), 'amount_too_large')
  await assert.rejects(make(1_000, 'EUR'), /Invalid currency: EUR/)
  const free = await make(0)
  assert.equal(free.payment_status, 'no_payment_required')
  await standIn.pay(free.id)
})

test('fees come at once or later, in the currency that is paid out', async t => {
  const { standIn, make, chargeOf, types } = await start(t)
  await standIn.setAccount('acct_one', { fees: 'later', settlement: { currency: 'chf', rate: 0.9 } })
  const { id } = await make()
  await standIn.pay(id)
  assert.equal((await chargeOf(id)).fee, null)
  await standIn.tellFee(id)
  const { fee } = await chargeOf(id)
  assert.deepEqual(
    [fee?.currency, fee?.amount, fee?.fee, fee?.net, fee?.exchange_rate],
    ['chf', 9_000, 160, 8_840, 0.9],
  )
  assert.equal((await types()).at(-1), 'charge.updated')
})

test('a session may be paid with another sum than it asked for', async t => {
  const { standIn, make, chargeOf } = await start(t)
  const { id } = await make()
  await standIn.payOtherAmount(id, 9_999)
  const { session, charge } = await chargeOf(id)
  assert.deepEqual([session.amount_total, charge.amount], [9_999, 9_999])
})

test('no more is refunded than was paid, whoever asks', async t => {
  const { standIn, stripe, make, chargeOf } = await start(t)
  const { id } = await make()
  await assert.rejects(standIn.refund(id), /no charge/)
  await standIn.pay(id)
  const { intent, charge } = await chargeOf(id)
  const refund = (amount?: number) =>
    stripe.refunds.create({
      payment_intent: intent.id,
      ...(amount ? { amount } : {}),
      metadata: { refund: 'r1' },
    })
  const first = await refund(3_000)
  assert.deepEqual([first.status, first.amount, first.charge], ['succeeded', 3_000, charge.id])
  const moved = await stripe.balanceTransactions.retrieve(String(first.balance_transaction))
  assert.deepEqual([moved.type, moved.amount, moved.fee], ['refund', -3_000, 0])
  await assert.rejects(refund(7_001), /is greater than unrefunded amount on charge/)
  await standIn.refund(id, { amount: 2_000, reason: 'requested_by_customer' })
  assert.equal((await refund()).amount, 5_000)
  assert.equal(await code(refund()), 'charge_already_refunded')
  const { data } = await stripe.refunds.list({ payment_intent: intent.id })
  assert.deepEqual(
    data.map(({ amount, metadata }) => [amount, metadata?.refund]),
    [
      [5_000, 'r1'],
      [2_000, undefined],
      [3_000, 'r1'],
    ],
  )
  assert.deepEqual(
    [(await chargeOf(id)).charge.amount_refunded, (await chargeOf(id)).charge.refunded],
    [10_000, true],
  )
  assert.equal(await code(stripe.refunds.create({})), 'parameter_missing')
})

test('a refund may be pending, wait for the buyer, and fail days after it succeeded', async t => {
  const { standIn, stripe, make, chargeOf, types } = await start(t)
  const { id } = await make()
  await standIn.pay(id)
  const { charge } = await chargeOf(id)
  const refund = async (course: 'insufficient_funds' | 'pending' | 'requires_action' | 'succeeded') => {
    await standIn.setRefundCourse('acct_one', course)
    return await stripe.refunds.create({ charge: charge.id, amount: 1_000 })
  }
  const poor = await refund('insufficient_funds')
  assert.deepEqual(
    [poor.status, poor.pending_reason, poor.balance_transaction],
    ['pending', 'insufficient_funds', null],
  )
  await standIn.finishRefund(poor.id)
  assert.ok((await stripe.refunds.retrieve(poor.id)).balance_transaction)
  assert.equal((await refund('requires_action')).next_action?.type, 'display_details')
  const done = await refund('succeeded')
  await standIn.advance(6 * DAY)
  await standIn.failRefund(done.id)
  const failed = await stripe.refunds.retrieve(done.id, { expand: ['failure_balance_transaction'] })
  assert.deepEqual([failed.status, failed.failure_reason], ['failed', 'expired_or_canceled_card'])
  assert.equal((failed.failure_balance_transaction as Stripe.BalanceTransaction).amount, 1_000)
  assert.equal((await chargeOf(id)).charge.amount_refunded, 2_000)
  assert.deepEqual((await types()).slice(-3), ['charge.refund.updated', 'refund.updated', 'refund.failed'])
})

test('a dispute takes the money and a fee, bars refunds, and when it is won the money comes back', async t => {
  const { standIn, stripe, make, chargeOf, types } = await start(t)
  const [inquired, fought] = [await make(), await make()]
  await standIn.pay(inquired.id)
  await standIn.pay(fought.id)
  await standIn.dispute(inquired.id, { inquiry: true })
  const { charge } = await chargeOf(fought.id)
  const { id } = await standIn.dispute(fought.id, { reason: 'product_not_received' })
  assert.equal(await code(stripe.refunds.create({ charge: charge.id })), 'charge_disputed')
  await stripe.refunds.create({ charge: (await chargeOf(inquired.id)).charge.id })
  await standIn.closeDispute(id, 'won')
  const dispute = await stripe.disputes.retrieve(id)
  assert.deepEqual(
    dispute.balance_transactions.map(({ amount, fee, net, reporting_category: what }) => [
      amount,
      fee,
      net,
      what,
    ]),
    [
      [-10_000, 2_000, -12_000, 'dispute'],
      [10_000, 0, 10_000, 'dispute_reversal'],
    ],
  )
  assert.deepEqual([dispute.status, (await chargeOf(fought.id)).charge.disputed], ['won', true])
  const { data } = await stripe.disputes.list({ charge: charge.id })
  assert.deepEqual(
    data.map(one => one.id),
    [id],
  )
  assert.deepEqual(
    (await types()).filter(type => type.startsWith('charge.dispute')),
    [
      'charge.dispute.created',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ],
  )
})
