import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { PERMISSIONS } from '#test/support/stripe/accounts.ts'
import { stripeClient } from '#test/support/stripe/client.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'

const ACCOUNT = 'acct_organizer'
const KEY = 'rk_test_organizer1234'
const DAYS = 24 * 60 * 60 * 1000

async function start(t: TestContext) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const stripe = stripeClient(standIn, KEY)
  const sell = async (amount: number) => {
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', success_url: 'https://tickets.example.org/done' },
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'eur', unit_amount: amount, product_data: { name: 'Ticket' } },
        },
      ],
    })
    await standIn.pay(id)
    return id
  }
  const payOut = async (amount?: number) => {
    const made = await standIn.payOut({ account: ACCOUNT, currency: 'eur', ...(amount && { amount }) })
    return made as NonNullable<typeof made>
  }
  return { standIn, stripe, sell, payOut }
}

test('an automatic payout is of everything that is available, and each change of the balance is in one', async t => {
  const { standIn, stripe, sell, payOut } = await start(t)
  await sell(10_000)
  await standIn.advance(3 * DAYS)
  await sell(2000)
  const first = await payOut()
  assert.equal(first.amount, 10_000 - 175, 'what was paid today is not available yet')
  const listed = await stripe.balanceTransactions.list({ payout: first.id })
  assert.deepEqual(
    listed.data.map(({ type, net }) => [type, net]),
    [
      ['payout', -9825],
      ['charge', 9825],
    ],
  )
  assert.equal(await standIn.payOut({ account: ACCOUNT, currency: 'eur' }), undefined)
  await standIn.advance(3 * DAYS)
  const second = await payOut()
  assert.equal(second.amount, 2000 - 55)
  const all = await stripe.payouts.list({})
  assert.deepEqual(
    all.data.map(({ id }) => id),
    [second.id, first.id],
  )
  assert.deepEqual((await stripe.payouts.list({ created: { gt: first.created } })).data.length, 1)
})

test('the money of a payout that failed is in the next one', async t => {
  const { standIn, sell, payOut } = await start(t)
  await sell(10_000)
  await standIn.advance(3 * DAYS)
  const { id, amount } = await payOut()
  await standIn.arrivePayout(id)
  await standIn.failPayout(id)
  await standIn.advance(3 * DAYS)
  assert.equal((await payOut()).amount, amount)
  const { events, payouts } = await standIn.books(ACCOUNT)
  assert.equal(payouts.find(each => each.id === id)?.status, 'failed')
  const told = events.map(({ type }) => type as string).filter(type => type.startsWith('payout.'))
  assert.deepEqual(told.slice(0, 5), [
    ...[
      'payout.created',
      'payout.reconciliation_completed',
      'payout.updated',
      'payout.paid',
      'payout.failed',
    ],
  ])
})

test('a payout by hand has no list, and a key without the permission may not see payouts', async t => {
  const { standIn, stripe, sell, payOut } = await start(t)
  await sell(10_000)
  const { id, automatic, reconciliation_status: status } = await payOut(500)
  assert.deepEqual([automatic, status], [false, 'not_applicable'])
  await assert.rejects(stripe.balanceTransactions.list({ payout: id }), /only be filtered on automatic/)
  await assert.rejects(stripe.balanceTransactions.list({ payout: 'po_other' }), /No such payout/)
  await standIn.addKey(KEY, {
    account: ACCOUNT,
    permissions: PERMISSIONS.filter(name => name !== 'payout_read'),
  })
  await assert.rejects(stripe.payouts.list({}), { statusCode: 403, message: /'payout_read'/ })
})
