import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as decisions from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

/** Opens a shop with a paid order of 100, and what its organizer does at the processor. */
async function openPaid(t: Parameters<typeof openScriptedShop>[0]) {
  const shop = await openScriptedShop(t)
  const { processor, newest, write, refundsOf, damage, db, accountId } = shop
  const id = await shop.begin({ Standard: 2 })
  await shop.pay(id)
  const { charge_id: chargeId, ...payment } = await newest(id)
  const makeThere = (amount: number) => processor.refundThere(chargeId as string, amount)
  const hear = (facts: ReturnType<typeof makeThere>) =>
    write(tx => refunds.note(tx, 'test', facts, { ...payment, order_id: id }))
  /** What went back, and what is still to go, is at most what was paid, and what the processor has. */
  const isSound = async () => {
    const all = await refundsOf(id)
    const standing = all.filter(({ status }) => status !== 'dropped')
    const sum = (rows: typeof all) => rows.reduce((total, { amount }) => total + amount, 0)
    assert.ok(sum(standing) <= 10_000, `${sum(standing)} of 10000`)
    const entries = await db.read(accountId, tx => ledger.list(tx, { orderId: id }))
    assert.equal(ledger.balanceOf(entries).refunded, sum(all.filter(({ status }) => status === 'done')))
    assert.deepEqual(await damage(), [])
  }
  return { ...shop, id, makeThere, hear, isSound }
}

const statesOf = (rows: { status: string; amount: number; trouble: string | null }[]) =>
  rows.map(({ status, amount, trouble }) => [status, amount, trouble])

for (const heard of ['before ours is asked for', 'after', 'never'] as const) {
  test(`a refund that was made at the processor instead of ours, of which we hear ${heard}, goes back once and stands once`, async t => {
    const { id, makeThere, hear, isSound, refund, pass, processor, refundsOf, moved } = await openPaid(t)
    await refund(id, 10_000)
    const made = makeThere(10_000)
    if (heard === 'before ours is asked for') await hear(made)
    await pass(HOUR, MINUTE)
    if (heard === 'after') await hear(made)
    const standing = (await refundsOf(id)).filter(({ status }) => status !== 'dropped')
    assert.deepEqual(statesOf(standing), [['done', 10_000, null]])
    assert.deepEqual(await moved(id), ['payment 10000', 'refund -10000'])
    assert.deepEqual(processor.books(), { paid: 10_000, refunded: 10_000 })
    assert.equal(processor.countOf('refund'), heard === 'before ours is asked for' ? 0 : 1)
    await isSound()
  })
}

test('the tickets of a refund that was made at the processor instead are those of ours', async t => {
  const { id, makeThere, hear, refund, pass, refundsOf } = await openPaid(t)
  await refund(id, 10_000)
  const [ours] = await refundsOf(id)
  await hear(makeThere(10_000))
  await pass(HOUR, MINUTE)
  const [dropped, done] = await refundsOf(id)
  assert.deepEqual([dropped?.status, dropped?.trouble, dropped?.id], ['dropped', 'made_there', ours?.id])
  assert.deepEqual([done?.status, done?.tickets], ['done', ours?.tickets])
})

test('a refund of more than is left is cut to what is left, and what went back there stands beside it', async t => {
  const { id, makeThere, hear, isSound, refund, pass, refundsOf, processor } = await openPaid(t)
  await refund(id, 10_000)
  await hear(makeThere(3000))
  await isSound()
  await pass(HOUR, MINUTE)
  assert.deepEqual(statesOf(await refundsOf(id)).sort(), [
    ['done', 3000, null],
    ['done', 7000, null],
  ])
  assert.deepEqual(processor.books(), { paid: 10_000, refunded: 10_000 })
  await isSound()
})

test('a refund of which nothing is left, as all of it went back there in parts, is dropped', async t => {
  const { id, makeThere, isSound, refund, pass, refundsOf, write } = await openPaid(t)
  await refund(id, 10_000)
  makeThere(6000)
  makeThere(4000)
  await pass(HOUR, MINUTE)
  assert.deepEqual(statesOf(await refundsOf(id)).sort(), [
    ['done', 4000, null],
    ['done', 6000, null],
    // The second part is the rest of what was asked for.
    ['dropped', 4000, 'made_there'],
  ])
  assert.deepEqual(await write(tx => refunds.listOwed(tx, 10)), [])
  assert.deepEqual(await write(tx => refunds.listToPayBack(tx, null, 10)), [])
  await isSound()
})

for (const fault of ['lost', 'deaf', 'busy', 'denied', 'refused'] as const) {
  test(`where the charge is ${fault} at first, nothing is decided before it was read`, async t => {
    const { id, makeThere, isSound, refund, pass, reconciler, processor, refundsOf } = await openPaid(t)
    processor.fault('readRefundedCharge', fault)
    await refund(id, 10_000)
    makeThere(10_000)
    await reconciler.settle()
    assert.deepEqual(statesOf(await refundsOf(id)), [['requested', 10_000, 'amount_too_large']])
    await pass(HOUR, MINUTE)
    assert.deepEqual(statesOf(await refundsOf(id)), [['done', 10_000, null]])
    await isSound()
  })
}

test('a refund that is refused for another reason three times is asked for no more, until a member decides', async t => {
  const { id, isSound, refund, pass, processor, refundsOf, write, moved } = await openPaid(t)
  processor.fault('refund', 'refused', 'refused', 'refused', 'refused')
  await refund(id, 4000)
  await pass(3 * DAY, 5 * MINUTE)
  assert.deepEqual(statesOf(await refundsOf(id)), [['failed', 4000, 'said_no']])
  assert.equal(processor.countOf('refund'), 3)
  assert.equal((await write(tx => refunds.listToPayBack(tx, null, 10))).length, 1)
  processor.heal()
  const [owed] = await refundsOf(id)
  await write(tx => decisions.retry(tx, owed?.id as string))
  await pass(MINUTE)
  assert.deepEqual(statesOf(await refundsOf(id)), [['done', 4000, null]])
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -4000'])
  await isSound()
})

test('answers that never came are no refusals', async t => {
  const { id, refund, pass, processor, refundsOf, reconciler } = await openPaid(t)
  processor.fault('refund', 'lost', 'lost', 'lost', 'lost', 'refused')
  await refund(id, 4000)
  for (let looks = 0; looks < 30 && processor.countOf('refund') < 5; looks++) await pass(MINUTE)
  await reconciler.settle()
  assert.deepEqual(statesOf(await refundsOf(id)), [['requested', 4000, 'said_no']])
})

test('what the organizer then does at the processor is the refund that was refused', async t => {
  const { id, makeThere, hear, isSound, refund, pass, processor, refundsOf } = await openPaid(t)
  processor.fault('refund', 'refused', 'refused', 'refused')
  await refund(id, 4000)
  await pass(DAY, 5 * MINUTE)
  assert.deepEqual(statesOf(await refundsOf(id)), [['failed', 4000, 'said_no']])
  processor.heal()
  const made = makeThere(4000)
  await hear(made)
  await hear(made)
  assert.deepEqual(statesOf(await refundsOf(id)), [['done', 4000, null]])
  assert.deepEqual(processor.books(), { paid: 10_000, refunded: 4000 })
  await isSound()
})

test('a refund of another sum that is made there is another one', async t => {
  const { id, makeThere, hear, isSound, refund, pass, processor, refundsOf } = await openPaid(t)
  processor.fault('refund', 'refused', 'refused', 'refused')
  await refund(id, 4000)
  await pass(DAY, 5 * MINUTE)
  await hear(makeThere(1000))
  assert.deepEqual(statesOf(await refundsOf(id)), [
    ['failed', 4000, 'said_no'],
    ['done', 1000, null],
  ])
  await isSound()
})

test('a refund that is dropped is owed no more, leaves its money to be refunded again, and is neither tried nor paid', async t => {
  const { id, isSound, refund, pass, processor, refundsOf, write, moved, left } = await openDropped(t)
  assert.equal(await left(), 10_000)
  const [dropped] = await refundsOf(id)
  for (const act of [decisions.drop, decisions.retry, decisions.markPaidBack])
    await assert.rejects(
      write(tx => act(tx, dropped?.id as string)),
      { code: 'refund_ended' },
    )
  await pass(3 * DAY, HOUR)
  assert.deepEqual(await moved(id), ['payment 10000'])
  await refund(id, 10_000)
  await pass(MINUTE)
  assert.deepEqual(await moved(id), ['payment 10000', 'refund -10000'])
  assert.equal(processor.books().refunded, 10_000)
  await isSound()
})

async function openDropped(t: Parameters<typeof openScriptedShop>[0]) {
  const shop = await openPaid(t)
  const { id, refund, pass, processor, refundsOf, write, reconciler } = shop
  const left = () => write(tx => refunds.leftOf(tx, id))
  processor.fault('refund', 'busy', 'refused', 'refused', 'refused')
  await refund(id, 4000)
  await reconciler.settle()
  const [owed] = await refundsOf(id)
  const drop = () => write(tx => decisions.drop(tx, owed?.id as string))
  // While the processor is asked, nobody knows what it does.
  await assert.rejects(drop(), { code: 'refund_under_way' })
  await pass(DAY, 5 * MINUTE)
  assert.equal(await left(), 6000)
  await drop()
  assert.deepEqual(statesOf(await refundsOf(id)), [['dropped', 4000, null]])
  assert.deepEqual(await write(tx => refunds.listOwed(tx, 10)), [])
  return { ...shop, left }
}
