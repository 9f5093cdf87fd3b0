import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as connections from '#product/selling/payments/connections.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import { PERMISSIONS } from '#test/support/stripe/accounts.ts'
import { ACCOUNT, type Connected, connectedToStripe, KEY } from '#test/support/stripe/stripe-connection.ts'

const WITHOUT_PAYOUTS = PERMISSIONS.filter(name => name !== 'payout_read')
const WITHOUT_BALANCE = PERMISSIONS.filter(name => name !== 'balance_read')

/** Connects to Stripe, and reads what was kept of payouts. */
async function connect(t: TestContext) {
  const stripe = await connectedToStripe(t)
  const { db, standIn, accountId, advance } = stripe
  const ask = <Result>(work: (tx: Parameters<Parameters<typeof db.read>[1]>[0]) => Promise<Result>) =>
    db.read(accountId, work as never) as Promise<Result>
  /** Has a buyer pay, and the money become available. */
  const earn = async (amount = 5000, currency = 'EUR') => {
    const { sessionId } = await stripe.begin({ amount, currency })
    await standIn.pay(sessionId)
    await advance(3 * DAY)
    return sessionId
  }
  const payOut = async (wish: { currency?: string; amount?: number; isUnderWay?: boolean } = {}) => {
    const made = await standIn.payOut({ account: ACCOUNT, currency: 'eur', ...wish })
    return made as NonNullable<typeof made>
  }
  const get = (id: string) => ask(tx => payouts.get(tx as never, id))
  const linesOf = (id: string) => ask(tx => payouts.listLines(tx as never, id, 1_000))
  const reading = () => ask(tx => payouts.findReading(tx as never))
  /** Lets a minute pass, in which the server asks what is new. */
  const pass = async (milliseconds = 2 * MINUTE) => {
    await advance(milliseconds)
    stripe.feed.look()
    await stripe.feed.settled()
    await stripe.feed.idle()
  }
  return { ...stripe, ask, earn, payOut, get, linesOf, reading, pass }
}

const countOf = async ({ standIn }: Pick<Connected, 'standIn'>, endpoint: string) =>
  (await standIn.requests({ method: 'GET', endpoint })).length

test('a payout is read within a minute, with everything that it holds, and comes to its amount', async t => {
  const stripe = await connect(t)
  const { standIn, earn, payOut, pass, get, linesOf } = stripe
  await pass()
  const first = await earn()
  await standIn.refund(first, { amount: 1200 })
  await standIn.dispute(await earn(3000))
  const lost = await earn(2000)
  const { id } = await standIn.refund(lost, { amount: 700 })
  await standIn.failRefund(id)
  await stripe.advance(3 * DAY)
  await pass()
  const made = await payOut()
  await pass()
  const payout = await get(made.id)
  assert.deepEqual(
    [payout.amount, payout.currency, payout.status, payout.list, payout.difference],
    [made.amount, 'EUR', 'in_transit', 'complete', 0],
  )
  assert.equal(payout.arrivesOn, new Date(made.arrival_date * 1000).toISOString().slice(0, 10))
  const lines = await linesOf(made.id)
  assert.deepEqual(
    lines.map(({ kind, amount, fee, net }) => [kind, amount, fee, net]).sort(),
    [
      ['dispute', -3000, 2000, -5000],
      ['payment', 2000, 55, 1945],
      ['payment', 3000, 70, 2930],
      ['payment', 5000, 100, 4900],
      ['refund', -1200, 0, -1200],
      ['refund', -700, 0, -700],
      ['refund_reversal', 700, 0, 700],
    ].sort(),
  )
  assert.equal(
    lines.reduce((sum, { net }) => sum + net, 0),
    made.amount,
  )
  assert.deepEqual([payout.lines, payout.net], [7, made.amount])
  assert.ok(
    lines.every(({ type }) => type !== 'payout'),
    'the payout itself is no part of what it holds',
  )
})

test('currencies of no, two and three decimals are kept in their own minor units', async t => {
  const { earn, payOut, pass, get } = await connect(t)
  for (const [currency, amount] of [
    ['JPY', 5000],
    ['EUR', 5000],
    ['BHD', 5000],
  ] as const) {
    await earn(amount, currency)
    const made = await payOut({ currency: currency.toLowerCase() })
    await pass()
    const { amount: kept, difference, currency: of } = await get(made.id)
    assert.deepEqual([kept, difference, of], [made.amount, 0, currency])
  }
})

test('a payout that somebody made by hand has no list: nobody asks for one, and it is kept as what it is', async t => {
  const stripe = await connect(t)
  const { earn, payOut, pass, get, linesOf } = stripe
  await earn()
  const made = await payOut({ amount: 1234 })
  await pass()
  const payout = await get(made.id)
  assert.deepEqual(
    [payout.list, payout.amount, payout.lines, payout.difference],
    ['manual', 1234, null, null],
  )
  assert.deepEqual(await linesOf(made.id), [])
  assert.equal(await countOf(stripe, '/v1/balance_transactions'), 0)
})

test('a list that Stripe is still working out is read once it is there', async t => {
  const { standIn, earn, payOut, pass, get } = await connect(t)
  await earn()
  const made = await payOut({ isUnderWay: true })
  await pass()
  assert.equal((await get(made.id)).list, 'waiting')
  await standIn.reconcilePayout(made.id)
  await pass()
  assert.deepEqual([(await get(made.id)).list, (await get(made.id)).difference], ['complete', 0])
})

test('a payout that comes back days after it was paid is failed, and the next one holds its money', async t => {
  const { standIn, earn, payOut, pass, get, linesOf } = await connect(t)
  await earn()
  const made = await payOut()
  await standIn.arrivePayout(made.id)
  await pass()
  assert.equal((await get(made.id)).status, 'paid')
  await pass(4 * DAY)
  await standIn.failPayout(made.id)
  await pass()
  assert.deepEqual([(await get(made.id)).status, (await get(made.id)).list], ['failed', 'complete'])
  await pass(3 * DAY)
  const again = await payOut()
  await pass()
  assert.equal(again.amount, made.amount)
  assert.deepEqual(
    (await linesOf(again.id)).map(({ kind, group, amount }) => [kind, group, amount]),
    [['payout_return', 'adjustments', made.amount]],
  )
})

test('a payout of which no event came is found by the daily comparison', async t => {
  const { standIn, earn, payOut, pass, get } = await connect(t)
  await pass(2 * HOUR)
  await standIn.holdEvents(ACCOUNT)
  await earn()
  const made = await payOut()
  await pass(DAY + HOUR)
  assert.equal((await get(made.id)).list, 'complete')
})

test('more lines than a page has are all read, an hour after Stripe failed at them', async t => {
  const { standIn, earn, payOut, pass, get, linesOf, log } = await connect(t)
  const session = await earn(99_000)
  for (let n = 0; n < 150; n++) await standIn.refund(session, { amount: 10 })
  await pass(3 * DAY)
  const made = await payOut()
  await standIn.fault({
    ...{ method: 'GET', path: '/v1/balance_transactions', kind: 'error before', times: 1 },
  })
  await pass()
  assert.equal((await get(made.id)).list, 'waiting')
  assert.ok(log.some(({ msg }) => msg === 'what happened at Stripe was not read'))
  await pass(HOUR + MINUTE)
  const payout = await get(made.id)
  assert.deepEqual([payout.list, payout.lines, payout.difference], ['complete', 151, 0])
  assert.equal((await linesOf(made.id)).length, 151)
})

test('a key that may not read payouts is no trouble: it is asked once a day, and at once when it is pasted anew', async t => {
  const stripe = await connect(t)
  const { db, accountId, standIn, earn, payOut, pass, reading, feed, log, ask } = stripe
  await standIn.addKey(KEY, { account: ACCOUNT, permissions: WITHOUT_PAYOUTS })
  await earn()
  const made = await payOut()
  await pass()
  assert.deepEqual(await reading(), { denied: 'payouts', readAt: null })
  assert.equal(await countOf(stripe, '/v1/payouts'), 1)
  for (let n = 0; n < 20; n++) await pass()
  assert.equal(await countOf(stripe, '/v1/payouts'), 1, 'nothing is asked in a loop')
  await pass(DAY)
  assert.equal(await countOf(stripe, '/v1/payouts'), 2)
  const connection = await ask(tx => connections.findStripe(tx as never))
  assert.equal(connection?.trouble, null, 'people can pay as before')
  assert.equal(
    log.some(({ msg }) => msg === 'what happened at Stripe was not read'),
    false,
  )
  await standIn.addKey(KEY, { account: ACCOUNT })
  feed.wake(accountId)
  await feed.idle()
  assert.equal((await reading())?.denied, null)
  assert.equal((await db.read(accountId, tx => payouts.get(tx, made.id))).list, 'complete')
})

test('a key that may not read the balance shows the payouts, and says that what they hold is not to be had', async t => {
  const { standIn, earn, payOut, pass, get, reading } = await connect(t)
  await standIn.addKey(KEY, { account: ACCOUNT, permissions: WITHOUT_BALANCE })
  await earn()
  const made = await payOut()
  await pass()
  assert.equal((await reading())?.denied, 'lines')
  assert.equal((await get(made.id)).list, 'waiting')
})

test('what Stripe states is read by its own words, and what it adds later is an adjustment', async () => {
  const { toLine, toPayout } = await import('#product/selling/payments/stripe/payouts.ts')
  const moved = (changes: object) =>
    toLine({
      ...{ id: 'txn_1', amount: -100, fee: 0, currency: 'eur', created: 1, source: 'x', type: 'charge' },
      ...{ reporting_category: 'charge', ...changes },
    } as never)
  assert.equal(moved({ type: 'payment' }).kind, 'payment')
  assert.equal(moved({ type: 'stripe_fee' }).kind, 'fee')
  assert.equal(moved({ type: 'adjustment', reporting_category: 'dispute_reversal' }).kind, 'dispute_reversal')
  assert.equal(moved({ type: 'adjustment', reporting_category: 'charge' }).kind, 'adjustment')
  assert.equal(moved({ type: 'something_new' }).kind, 'adjustment')
  assert.equal(moved({ type: 'constructor' }).kind, 'adjustment')
  const payout = {
    id: 'po_1',
    amount: 1,
    currency: 'eur',
    status: 'new',
    arrival_date: 0,
    created: 0,
  } as never
  assert.equal(toPayout(payout).status, 'pending')
})
