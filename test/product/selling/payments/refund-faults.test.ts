import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as decisions from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { toReceiptsCsv } from '#product/selling/receipts/csv.ts'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { inBooks, type Receipt } from '#product/selling/receipts/schemas.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

/** Opens a shop with a paid order of 100, and refunds of it. */
async function openPaid(t: Parameters<typeof openScriptedShop>[0]) {
  const shop = await openScriptedShop(t)
  const id = await shop.begin({ Standard: 2 })
  await shop.pay(id)
  return { ...shop, id }
}

/**
 * Makes a refund of 30 that fails at the processor after it was requested.
 *
 * @returns what tells of that, as often as it is told
 */
async function failLate(shop: Awaited<ReturnType<typeof openPaid>>) {
  const { id, processor, refund, reconciler, write, newest } = shop
  await refund(id, 3000)
  await reconciler.settle()
  const facts = processor.endRefund(processor.refunds[0]?.id as string, 'failed')
  const payment = { ...(await newest(id)), order_id: id }
  return () => write(tx => refunds.note(tx, 'test', facts, payment))
}

for (const fault of ['lost', 'deaf', 'broken', 'botched', 'busy', 'denied'] as const) {
  test(`a refund of 30 of 100 that is ${fault} is 30, once`, async t => {
    const { id, processor, refund, pass, moved, refundStates, damage } = await openPaid(t)
    processor.fault('refund', fault, fault)
    await refund(id, 3000)
    await pass(HOUR, MINUTE)
    assert.deepEqual(await refundStates(id), ['organizer 3000 done'])
    assert.deepEqual(processor.books(), { paid: 10000, refunded: 3000 })
    assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000'])
    assert.ok(processor.countOf('refund', 'findRefund') <= 6)
    assert.deepEqual(await damage(), [])
  })

  test(`a refund of 30 of 100 that is ${fault}, sent again by a server that was down for a day, is 30`, async t => {
    const { id, processor, refund, clock, pass, reconciler, refundStates, moved } = await openPaid(t)
    processor.fault('refund', fault)
    await refund(id, 3000)
    await reconciler.settle()
    clock.advance(25 * HOUR)
    await reconciler.settle()
    await pass(MINUTE, SECOND)
    assert.deepEqual([await refundStates(id), processor.books().refunded], [['organizer 3000 done'], 3000])
    assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000'])
  })
}

test('a refund that the processor refuses is owed, says why, and is asked for three times', async t => {
  const { id, processor, refund, pass, refundsOf, moved, write, reconciler } = await openPaid(t)
  processor.down('refused')
  await refund(id, 10000)
  await pass(3 * DAY, 5 * MINUTE)
  assert.deepEqual(
    (await refundsOf(id)).map(({ status, trouble }) => [status, trouble]),
    [['failed', 'said_no']],
  )
  assert.equal(processor.countOf('prepareRefund'), 3)
  processor.heal()
  const [owed] = await refundsOf(id)
  await write(tx => decisions.retry(tx, owed?.id as string))
  await reconciler.settle()
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -10000'])
})

test('a refund that is on its way for days, and then fails, is owed back, until it is sent again', async t => {
  const { id, processor, refund, pass, refundStates, moved, refundsOf, write, reconciler, damage } =
    await openPaid(t)
  processor.refundCourse = 'pending'
  await refund(id, 3000)
  await pass(3 * DAY, HOUR)
  assert.deepEqual(await refundStates(id), ['organizer 3000 pending'])
  assert.ok(processor.countOf('readRefund') <= 73)
  assert.deepEqual(await moved(id), ['payment 10000'])
  const [first] = processor.refunds
  processor.endRefund(first?.id as string, 'failed')
  await pass(HOUR)
  assert.deepEqual(await refundStates(id), ['organizer 3000 failed'])
  const owed = await write(tx => refunds.listOwed(tx, 10))
  assert.equal(owed.length, 1)
  processor.refundCourse = 'done'
  await write(tx => decisions.retry(tx, owed[0]?.id as string))
  await reconciler.settle()
  assert.deepEqual(
    [await refundStates(id), await moved(id)],
    [['organizer 3000 done'], ['payment 10000', 'refund -3000']],
  )
  assert.deepEqual([processor.books().refunded, (await refundsOf(id)).length], [3000, 1])
  assert.deepEqual(await damage(), [])
})

test('a refund that was done and fails after days is a reversal in the ledger, and owed; paid by hand it is done', async t => {
  const shop = await openPaid(t)
  const { id, write, refundsOf, refundStates, moved, damage } = shop
  const note = await failLate(shop)
  await note()
  await note()
  assert.deepEqual(await refundStates(id), ['organizer 3000 failed'])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000', 'refund_reversal 3000'])
  const [owed] = await refundsOf(id)
  await write(tx => decisions.markPaidBack(tx, owed?.id as string))
  await note()
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000', 'refund -3000', 'refund_reversal 3000'])
  assert.deepEqual(await damage(), [])
})

test('a credit note whose refund fails after it was done is cancelled by another, and the next try makes a new one: receipts and ledger agree at each moment', async t => {
  const { id, db, processor, refund, reconciler, write, accountId, refundsOf, newest, damage, clock } =
    await openPaid(t)
  const listed = () => db.read(accountId, tx => receipts.listByOrder(tx, id))
  const books = async () => {
    const { paid, refunded } = ledger.balanceOf(
      await db.read(accountId, tx => ledger.list(tx, { orderId: id })),
    )
    const amounts = (await listed()).map(each => inBooks(each, each.total))
    assert.equal(
      amounts.reduce((sum, each) => sum + each, 0),
      paid - refunded,
    )
    assert.deepEqual(await damage(), [])
    return amounts
  }
  const fail = async () => {
    const facts = processor.endRefund(processor.refunds.at(-1)?.id as string, 'failed')
    const payment = { ...(await newest(id)), order_id: id }
    await write(tx => refunds.note(tx, 'test', facts, payment))
    await write(tx => refunds.note(tx, 'test', facts, payment))
  }
  assert.deepEqual(await books(), [10_000])
  await refund(id, 3000)
  assert.deepEqual(await books(), [10_000])
  await reconciler.settle()
  assert.deepEqual(await books(), [10_000, -3000])
  clock.advance(DAY)
  await fail()
  assert.deepEqual(await books(), [10_000, -3000, 3000])
  const [receipt, credit, cancelling] = await listed()
  const { number, issued_at, lines, rest, taxes, net, tax, total } = credit as Receipt
  assert.deepEqual(
    [cancelling?.number, cancelling?.corrects, cancelling?.cancels_id, cancelling?.of_id],
    ['C-000002', { number, issued_at }, credit?.id, receipt?.id],
  )
  const { lines: l, rest: r, taxes: x, net: n, tax: y, total: z } = cancelling as Receipt
  assert.deepEqual([l, r, x, n, y, z], [lines, rest, taxes, net, tax, total], 'all that it said')
  const text = receiptText(cancelling as Receipt)
  assert.deepEqual([text.kind, text.total.value], ['Cancellation of a credit note', '€30.00'])
  assert.ok(text.facts.some(({ label, value }) => label === 'Cancels' && value.startsWith('C-000001 of ')))
  const [owed] = await refundsOf(id)
  await write(tx => decisions.retry(tx, owed?.id as string))
  assert.deepEqual(await books(), [10_000, -3000, 3000])
  await reconciler.settle()
  assert.deepEqual(await books(), [10_000, -3000, 3000, -3000])
  await fail()
  await write(tx => decisions.markPaidBack(tx, owed?.id as string))
  assert.deepEqual(await books(), [10_000, -3000, 3000, -3000, 3000, -3000])
  // All that is left can still be refunded, and no more than the receipt is cancelled.
  await refund(id, 7000)
  await reconciler.settle()
  assert.deepEqual(await books(), [10_000, -3000, 3000, -3000, 3000, -3000, -7000])
  assert.equal(
    (await listed()).reduce((sum, each) => sum + inBooks(each, each.tax), 0),
    0,
  )
  let csv = ''
  for await (const part of toReceiptsCsv(db, accountId, { from: 0, until: clock() + DAY })) csv += part
  const rows = csv.split('\r\n').filter(row => row.includes('C-00000'))
  assert.match(
    rows[1] ?? '',
    /^"C-000002","credit_note_cancellation","[\d-]+","C-000001",.*"19\.00","25\.21","4\.79","30\.00","30\.00"$/,
  )
})

test('what a failed try says late changes nothing of the refund that was made in its place', async t => {
  const shop = await openPaid(t)
  const { id, processor, reconciler, write, refundsOf, refundStates, clock, moved } = shop
  processor.refundCourse = 'pending'
  const note = await failLate(shop)
  await note()
  clock.advance(DAY)
  const [owed] = await refundsOf(id)
  await write(tx => decisions.retry(tx, owed?.id as string))
  await note()
  assert.deepEqual(await refundStates(id), ['organizer 3000 requested'])
  processor.refundCourse = 'done'
  // Nobody knows whether it was made, for longer than its key is known: the failed try is no answer.
  processor.fault('refund', 'lost')
  await reconciler.settle()
  clock.advance(30 * MINUTE)
  await reconciler.settle()
  await note()
  assert.deepEqual(await refundStates(id), ['organizer 3000 done'])
  assert.deepEqual([await moved(id), processor.books().refunded], [['payment 10000', 'refund -3000'], 3000])
})

test('what has failed is owed still: it is no part of another refund, and goes back once when it is tried again', async t => {
  const { id, processor, refund, reconciler, write, refundsOf, moved } = await openPaid(t)
  await refund(id, 6000)
  await reconciler.settle()
  const facts = processor.endRefund(processor.refunds[0]?.id as string, 'failed')
  await write(async tx => refunds.note(tx, 'test', facts, undefined))
  await assert.rejects(refund(id, 10000), { code: 'refund_too_large', details: { left: 4000 } })
  await refund(id, 4000)
  const [owed] = await refundsOf(id)
  await write(tx => decisions.retry(tx, owed?.id as string))
  await assert.rejects(
    write(tx => decisions.retry(tx, owed?.id as string)),
    { code: 'refund_under_way' },
  )
  await reconciler.settle()
  assert.equal(processor.books().refunded, 10000)
  assert.deepEqual((await moved(id)).filter(each => each.startsWith('refund -')).sort(), [
    'refund -4000',
    'refund -6000',
    'refund -6000',
  ])
})

test('a refund that was made at the processor is taken over once, and the tickets stay', async t => {
  const { id, processor, write, newest, refundStates, moved, get, sold, refund, damage } = await openPaid(t)
  const { charge_id } = await newest(id)
  const facts = processor.refundThere(charge_id as string, 4000)
  const payment = { ...(await newest(id)), order_id: id }
  for (const _ of [1, 2]) await write(tx => refunds.note(tx, 'test', facts, payment))
  assert.deepEqual([await refundStates(id), (await sold()).Standard], [['processor 4000 done'], 2])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -4000'])
  assert.ok((await get(id)).registrations[0]?.attendees.every(({ voided }) => !voided))
  await assert.rejects(refund(id, 6001), { code: 'refund_too_large' })
  assert.deepEqual(await damage(), [])
})

test('money that was given back at the processor before it was known here is not given back again, and is settled', async t => {
  const { begin, processor, sessionOf, cancelEvent, write, newest, reconciler, moved, refundStates, states } =
    await openScriptedShop(t)
  const id = await begin({ Standard: 2 })
  processor.pay(await sessionOf(id))
  const facts = processor.refundThere(`ch_${await sessionOf(id)}`, 10000)
  await cancelEvent()
  const payment = { ...(await newest(id)), order_id: id }
  await write(tx => refunds.note(tx, 'test', facts, payment))
  await reconciler.settle()
  assert.deepEqual([await states(id), await refundStates(id)], ['cancelled', ['processor 10000 done']])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -10000'])
  assert.equal(processor.books().refunded, 10000)
})

test('a restored backup that knows of no refund finds the one that was made', async t => {
  const { id, processor, refund, reconciler, db, clock, refundStates, moved } = await openPaid(t)
  await refund(id, 3000)
  processor.fault('refund', 'deaf')
  await reconciler.settle()
  // The copy is older: it has kept the call, and not the answer.
  clock.advance(3 * DAY)
  await reconciler.settle()
  assert.deepEqual([await refundStates(id), processor.refunds.length], [['organizer 3000 done'], 1])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -3000'])
  assert.ok(db)
})

test('two refunds of one charge that are asked for at once come to no more than was paid', async t => {
  const { id, processor, refund, reconciler, refundStates } = await openPaid(t)
  const outcomes = await Promise.allSettled([refund(id, 6000), refund(id, 6000)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await reconciler.settle()
  assert.deepEqual([await refundStates(id), processor.books().refunded], [['organizer 6000 done'], 6000])
})
