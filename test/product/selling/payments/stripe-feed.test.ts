import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { hold, release } from '#machinery/mail/hold.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { findStripe } from '#product/selling/payments/connections.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import * as refundStore from '#product/selling/payments/refund-store.ts'
import * as store from '#product/selling/payments/store.ts'
import { ACCOUNT, type Connected, connectedToStripe, KEY } from '#test/support/stripe/stripe-connection.ts'

/** Has a payment settled, as the reconciler would. */
async function settled(
  { db, accountId, processor, clock }: Connected,
  { paymentId, sessionId }: { paymentId: string; sessionId: string },
): Promise<{ orderId: string; chargeId: string }> {
  const { chargeId, amount } = await processor.read(accountId, sessionId)
  return db.write(accountId, async tx => {
    const row = (await store.find(tx, paymentId)) as store.PaymentRow
    const changes = { status: 'confirmed', received: amount, charge_id: chargeId, ended_at: clock() } as const
    await store.update(tx, row, changes, await tx.now())
    return { orderId: row.order_id, chargeId: chargeId as string }
  })
}

const eventReads = async ({ standIn }: Connected) =>
  (await standIn.requests({ method: 'GET', endpoint: '/v1/events' })).length

test('whoever was paid is looked at within a minute, without any webhook, and once', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked } = connected
  await connected.read()
  assert.deepEqual(looked, [])
  const { sessionId, paymentId } = await connected.begin()
  await standIn.pay(sessionId)
  await connected.advance(MINUTE)
  await connected.read()
  assert.deepEqual(looked, [paymentId])
  await connected.advance(MINUTE)
  await connected.read()
  assert.deepEqual(looked, [paymentId], 'what was seen is not looked at again, though it is read again')
})

test('an event that comes late to the list, after newer ones, is not missed', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked } = connected
  const late = await connected.begin()
  await standIn.holdEvents(ACCOUNT)
  await standIn.pay(late.sessionId)
  await connected.advance(MINUTE)
  await connected.read()
  await connected.advance(9 * MINUTE)
  assert.deepEqual(looked, [])
  await standIn.holdEvents(ACCOUNT, false)
  const newer = await connected.begin()
  await standIn.pay(newer.sessionId)
  await connected.read()
  assert.deepEqual([...looked].sort(), [late.paymentId, newer.paymentId].sort())
})

test('after an absence of days all that happened is read, the oldest first', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked } = connected
  await connected.read()
  const paid: string[] = []
  for (let day = 0; day < 4; day++) {
    const { sessionId, paymentId } = await connected.begin()
    await standIn.pay(sessionId)
    paid.push(paymentId)
    await connected.advance(2 * DAY)
  }
  await connected.read()
  assert.deepEqual(looked, paid)
})

test('more events than a page has are all read', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked } = connected
  for (let each = 0; each < 105; each++) await standIn.pay((await connected.begin()).sessionId)
  await connected.read()
  assert.equal(new Set(looked).size, 105)
})

test('an absence that is longer than Stripe keeps events is said, and what is kept is read', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked, db, accountId } = connected
  await connected.read()
  const troubleOf = async () => (await db.read(accountId, tx => findStripe(tx)))?.trouble
  assert.equal(await troubleOf(), null)
  await connected.advance(31 * DAY)
  const { sessionId, paymentId } = await connected.begin()
  await standIn.pay(sessionId)
  await connected.read()
  assert.deepEqual(looked, [paymentId])
  assert.equal(await troubleOf(), 'events_missed')
  await connected.advance(MINUTE)
  await connected.read()
  assert.equal(await troubleOf(), 'events_missed', 'until a person has seen it')
})

test('while Stripe is silent nothing is given up: afterwards it goes on where it was', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, looked } = connected
  await connected.read()
  const { sessionId, paymentId } = await connected.begin()
  await standIn.pay(sessionId)
  await standIn.down()
  await connected.read()
  await connected.advance(HOUR)
  await connected.read()
  assert.deepEqual(looked, [])
  await standIn.up()
  await connected.read()
  assert.deepEqual(looked, [paymentId])
})

test('a database that may be a copy asks nothing until its owner confirms', async t => {
  const connected = await connectedToStripe(t)
  const { db } = connected
  await db.write(INSTANCE, hold)
  await connected.read()
  assert.equal(await eventReads(connected), 0)
  await db.write(INSTANCE, release)
  await connected.read()
  assert.ok((await eventReads(connected)) > 0)
})

test('what was paid for an order that is in no backup is listed, and goes back once by the word of a person', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId, looked } = connected
  const { sessionId, paymentId } = await connected.begin({ amount: 7_500 })
  await standIn.pay(sessionId)
  await db.write(accountId, tx => tx.run('DELETE FROM payments WHERE id = $1', [paymentId]))
  await connected.read()
  await connected.read()
  assert.deepEqual(looked, [])
  const list = () => db.read(accountId, tx => orphans.listOpen(tx, 10))
  const [found, ...others] = await list()
  assert.deepEqual(others, [])
  assert.deepEqual(
    [found?.session_id, found?.amount, found?.currency, found?.state],
    [sessionId, 7_500, 'EUR', 'found'],
  )
  assert.equal((await standIn.books(ACCOUNT)).refunds.length, 0, 'nothing goes back by itself')
  await db.write(accountId, tx => orphans.requestRefund(tx, sessionId))
  await standIn.fault({ kind: 'drop after', method: 'POST', path: '/v1/refunds', times: 2 })
  await connected.read()
  await connected.advance(MINUTE)
  await connected.read()
  assert.deepEqual(
    (await standIn.books(ACCOUNT)).refunds.map(({ amount }) => amount),
    [7_500],
  )
  assert.deepEqual(await list(), [])
  await assert.rejects(() => db.write(accountId, tx => orphans.requestRefund(tx, sessionId)), {
    code: 'refund_ended',
  })
})

test('what others have sold by the same Stripe account is none of ours', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId, server, processor, clock } = connected
  const wanted = await connected.newSession()
  const parameters = (await processor.prepare(accountId, wanted)) as { metadata: Record<string, string> }
  const foreign = {
    ...parameters,
    metadata: {
      ...parameters.metadata,
      turnout_account: 'another',
      turnout_payment: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
    },
  }
  const bare = { ...parameters, metadata: {}, client_reference_id: 'shop-1' }
  for (const [index, each] of [foreign, bare].entries()) {
    const made = await server.ask(KEY, stripe =>
      stripe.checkout.sessions.create(each as never, { idempotencyKey: `shop-${index}-${clock()}` }),
    )
    await standIn.pay(made.id)
  }
  await connected.read()
  assert.deepEqual(await db.read(accountId, tx => orphans.listOpen(tx, 10)), [])
})

test('a refund that was made at Stripe is taken over, also where its payment is settled only later', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId, looked } = connected
  const begun = await connected.begin({ amount: 10_000 })
  await standIn.pay(begun.sessionId)
  await standIn.refund(begun.sessionId, { amount: 4_000 })
  await connected.read()
  assert.ok(looked.includes(begun.paymentId))
  const { orderId } = await settled(connected, begun)
  assert.deepEqual(await db.read(accountId, tx => refundStore.listByOrder(tx, orderId)), [])
  await connected.advance(MINUTE)
  await connected.read()
  const [taken, ...others] = await db.read(accountId, tx => refundStore.listByOrder(tx, orderId))
  assert.deepEqual(others, [])
  assert.deepEqual(
    [taken?.amount, taken?.reason, taken?.status, taken?.payment_id],
    [4_000, 'processor', 'done', begun.paymentId],
  )
  const entries = await db.read(accountId, tx => ledger.list(tx, { orderId }))
  assert.deepEqual(
    entries.map(({ kind, amount }) => [kind, amount]),
    [['refund', -4_000]],
  )
})

test('a refund and a dispute that no event ever tells of are found within an hour of a start, and read once', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId } = connected
  const begun = await connected.begin({ amount: 10_000 })
  await standIn.pay(begun.sessionId)
  const { orderId } = await settled(connected, begun)
  await connected.read()
  await standIn.holdEvents(ACCOUNT)
  const refund = await standIn.refund(begun.sessionId, { amount: 1000 })
  await standIn.dispute(begun.sessionId)
  const ours = () =>
    db.read(accountId, async tx => ({
      refunds: (await refundStore.listByOrder(tx, orderId)).map(each => [
        each.processor_id,
        each.status,
        each.amount,
      ]),
      disputes: (await disputes.listByOrder(tx, orderId)).length,
    }))
  await connected.advance(40 * MINUTE)
  await connected.read()
  assert.deepEqual(await ours(), { refunds: [], disputes: 0 }, 'no event has told of them')
  await connected.advance(21 * MINUTE)
  await connected.read()
  const found = { refunds: [[refund.id, 'done', 1000]], disputes: 1 }
  assert.deepEqual(await ours(), found)
  const single = async () =>
    (await standIn.requests({ method: 'GET' })).filter(({ path }) =>
      /^\/v1\/(refunds|disputes)\/./.test(path),
    ).length
  const before = await single()
  await connected.advance(DAY)
  await connected.read()
  assert.deepEqual(await ours(), found)
  assert.equal(await single(), before, 'what is known is not asked for again')
})

test('a dispute takes money and a fee, and gives back the money when it is won: each once, as Stripe says', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId, clock } = connected
  const begun = await connected.begin({ amount: 10_000 })
  await standIn.pay(begun.sessionId)
  const { orderId, chargeId } = await settled(connected, begun)
  const opened = await standIn.dispute(begun.sessionId, { reason: 'product_not_received' })
  await connected.read()
  const [shown] = await db.read(accountId, tx => disputes.listOpen(tx, 10))
  assert.deepEqual(
    [shown?.id, shown?.status, shown?.amount, shown?.reason, shown?.order_id, shown?.payment_id],
    [opened.id, 'needs_response', 10_000, 'product_not_received', orderId, begun.paymentId],
  )
  assert.equal(Date.parse(shown?.due_by as string), clock() + 9 * DAY)
  const sums = async () =>
    (await db.read(accountId, tx => ledger.list(tx, { orderId }))).map(({ kind, amount }) => [kind, amount])
  assert.deepEqual(await sums(), [
    ['dispute', -10_000],
    ['dispute_fee', -2_000],
  ])
  await connected.advance(3 * DAY)
  await standIn.closeDispute(opened.id, 'won')
  await connected.read()
  await connected.read()
  assert.deepEqual(await sums(), [
    ['dispute', -10_000],
    ['dispute_fee', -2_000],
    ['dispute_reversal', 10_000],
  ])
  assert.deepEqual(await db.read(accountId, tx => disputes.listOpen(tx, 10)), [])
  const [won] = await db.read(accountId, tx => disputes.listByOrder(tx, orderId))
  assert.equal(won?.status, 'won')
  assert.ok(chargeId)
})

test('a question of the bank moves no money, and a cost in another currency is in no sum', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, db, accountId } = connected
  const inquired = await connected.begin()
  await standIn.pay(inquired.sessionId)
  const { orderId } = await settled(connected, inquired)
  await standIn.dispute(inquired.sessionId, { inquiry: true })
  await connected.read()
  const of = (id: string) =>
    db.read(accountId, async tx => ({
      found: await disputes.listByOrder(tx, id),
      entries: await ledger.list(tx, { orderId: id }),
    }))
  const { found, entries } = await of(orderId)
  assert.deepEqual([found[0]?.status, entries], ['warning', []])
  await standIn.setAccount(ACCOUNT, { settlement: { currency: 'usd', rate: 1.1 } })
  const foreign = await connected.begin()
  await standIn.pay(foreign.sessionId)
  const { orderId: other } = await settled(connected, foreign)
  await standIn.dispute(foreign.sessionId)
  await connected.read()
  const of2 = await of(other)
  assert.equal(of2.found[0]?.is_fee_foreign, true)
  assert.deepEqual(
    of2.entries.map(({ kind, amount, currency }) => [kind, amount, currency]),
    [['dispute', -5_000, 'EUR']],
  )
})

test('an event that cannot be written down keeps none of the others waiting, and is tried again', async t => {
  const connected = await connectedToStripe(t)
  const { standIn, sink, looked, log } = connected
  const [broken, other] = [await connected.begin(), await connected.begin()]
  await standIn.pay(broken.sessionId)
  await standIn.pay(other.sessionId)
  const lookAtSession = sink.sessionChanged.bind(sink)
  let isBroken = true
  t.mock.method(sink, 'sessionChanged', async (...parameters: Parameters<typeof lookAtSession>) => {
    if (isBroken && parameters[1] === broken.sessionId) throw new TypeError('broken')
    return lookAtSession(...parameters)
  })
  await connected.read()
  assert.deepEqual(looked, [other.paymentId])
  assert.equal(log.filter(({ msg }) => msg === 'what happened at Stripe was not written down').length, 1)
  isBroken = false
  await connected.advance(MINUTE)
  await connected.read()
  assert.deepEqual(looked, [other.paymentId, broken.paymentId])
})
