import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeCreditorReference } from '#base/creditor-reference.ts'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { openBanked } from '#test/support/bank-statements.ts'

const NOTHING = { confirmed: 0, kept: 0, returned: 0, unmatched: 0, ignored: 0 }

test('a transfer that names a payment confirms its order on the day of its booking, and is in the access log', async t => {
  const shop = await openBanked(t)
  const { db, accountId, clock, orderByTransfer, bring, stateOf, moved, linesOf, mails, damage } = shop
  const { id, text } = await orderByTransfer({ Standard: 2 })
  clock.advance(3 * DAY)
  const day = new Date(clock() - DAY).toISOString().slice(5, 10)
  assert.deepEqual(await bring([{ day, amount: '100.00', text }]), { ...NOTHING, confirmed: 1 })
  assert.equal(await stateOf(id), 'confirmed')
  assert.deepEqual(await moved(id), ['payment 10000'])
  const [entry] = await shop.ledgerOf(id)
  assert.equal(new Date(entry?.moved_at ?? 0).toISOString(), `2026-${day}T11:00:00.000Z`, 'noon in Berlin')
  const [line] = await linesOf('matched')
  assert.deepEqual([line?.outcome, line?.amount, line?.counterparty], ['confirmed', 10000, 'Lin'])
  assert.ok((await mails()).includes('order_confirmed'))
  const logged = await db.read(INSTANCE, tx =>
    tx.all<{ details: string }>(
      "SELECT details FROM access_log WHERE account_id = $1 AND action = 'statement_line.match' AND target_id = $2",
      [accountId, line?.id as string],
    ),
  )
  assert.equal(logged.length, 1)
  assert.equal(logged[0]?.details.includes('Lin'), false)
  assert.deepEqual(await damage(), [])
})

test('the same file again, and a longer one of the same days, bring nothing twice', async t => {
  const { orderByTransfer, read, bring, moved, owed, clock } = await openBanked(t)
  const first = await orderByTransfer({ Standard: 1 })
  const second = await orderByTransfer({ Student: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  const file = [{ day, amount: '50.00', text: first.text }]
  await bring(file)
  const again = await read(file)
  assert.deepEqual([again.input.counts?.matched, again.input.counts?.known], [0, 1])
  assert.deepEqual(await bring(file), NOTHING)
  const longer = [{ day, amount: '20.00', text: second.text }, ...file]
  assert.deepEqual(await bring(longer), { ...NOTHING, confirmed: 1 })
  assert.deepEqual([await moved(first.id), await moved(second.id)], [['payment 5000'], ['payment 2000']])
  assert.deepEqual(await owed(first.id), [])
})

test('parts add up, and what is too much is owed back', async t => {
  const { orderByTransfer, bring, stateOf, owed, clock, damage } = await openBanked(t)
  const { id, text } = await orderByTransfer({ Standard: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  assert.deepEqual(await bring([{ day, amount: '20.00', text }]), { ...NOTHING, kept: 1 })
  assert.equal(await stateOf(id), 'payment')
  // The very same booking a second time in the file is one more.
  const both = [
    { day, amount: '20.00', text },
    { day, amount: '20.00', text },
  ]
  assert.deepEqual(await bring(both), { ...NOTHING, kept: 1 })
  assert.deepEqual(await bring([{ day, amount: '13.00', text }]), { ...NOTHING, confirmed: 1 })
  assert.equal(await stateOf(id), 'confirmed')
  assert.deepEqual(await owed(id), ['excess 300 requested'])
  assert.deepEqual(await bring([{ day, amount: '50.00', text }]), { ...NOTHING, returned: 1 })
  assert.deepEqual(await owed(id), ['excess 300 requested', 'twice 5000 requested'])
  assert.deepEqual(await damage(), [])
})

test('money for an order that has lapsed revives it while there is room, and is owed back else', async t => {
  const { db, accountId, orderByTransfer, bring, stateOf, owed, clock, buy } = await openBanked(t)
  const first = await orderByTransfer({ Student: 1 })
  const second = await orderByTransfer({ Student: 4 })
  for (const { id } of [first, second]) await db.write(accountId, tx => orders.fail(tx, id, 'unpaid'))
  const day = new Date(clock()).toISOString().slice(5, 10)
  await bring([{ day, amount: '20.00', text: first.text }])
  assert.equal(await stateOf(first.id), 'confirmed')
  await buy({ Student: 3 })
  await bring([{ day, amount: '80.00', text: second.text }])
  assert.equal(await stateOf(second.id), 'unpaid')
  assert.deepEqual(await owed(second.id), ['late 8000 requested'])
})

test('what does not name one payment of the account in its currency, in its time, moves nothing and is listed with the reason', async t => {
  const shop = await openBanked(t)
  const { orderByTransfer, bring, stateOf, moved, reasonsOf, linesOf, clock, damage } = shop
  const one = await orderByTransfer({ Standard: 1 })
  const two = await orderByTransfer({ Standard: 1 })
  const dayAt = (at: number) => new Date(at).toISOString().slice(5, 10)
  const day = dayAt(clock())
  const outcome = await bring([
    { day, amount: '50.00', text: 'the concert' },
    { day, amount: '50.00', text: makeCreditorReference('99999999') },
    { day, amount: '50.00', text: one.text.replace('RF', 'RG') },
    { day, amount: '100.00', text: `${one.text} and ${two.text}` },
    { day, amount: '50.00', text: one.text, currency: 'USD' },
    { day: dayAt(clock() + 2 * DAY), amount: '50.00', text: one.text },
    { day: dayAt(clock() - 2 * DAY), amount: '50.00', text: one.text },
    { day, amount: '0.00', text: one.text },
    { day, amount: '-50.00', text: one.text },
  ])
  assert.deepEqual(outcome, { ...NOTHING, unmatched: 7, ignored: 2 })
  assert.deepEqual(await reasonsOf(), [
    ...['before', 'currency', 'future', 'no_reference', 'no_reference', 'several', 'unknown_reference'],
  ])
  assert.deepEqual((await linesOf('ignored')).map(({ reason }) => reason).sort(), ['outgoing', 'zero'])
  for (const { id } of [one, two]) {
    assert.equal(await stateOf(id), 'payment')
    assert.deepEqual(await moved(id), [])
  }
  assert.deepEqual(await damage(), [])
})

test('the reference of another account is not known here', async t => {
  const mine = await openBanked(t)
  const theirs = await openBanked(t)
  const { id, text } = await theirs.orderByTransfer({ Standard: 1 })
  const day = new Date(mine.clock()).toISOString().slice(5, 10)
  await mine.bring([{ day, amount: '50.00', text }])
  assert.deepEqual(await mine.reasonsOf(), ['unknown_reference'])
  assert.equal(await theirs.stateOf(id), 'payment')
})

test('a booking that was matched is held for a person when other columns give it another text', async t => {
  const { orderByTransfer, bring, moved, owed, reasonsOf, clock, linesOf } = await openBanked(t)
  const one = await orderByTransfer({ Standard: 1 })
  const two = await orderByTransfer({ Standard: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  const file = [
    { day, amount: '50.00', text: one.text, name: 'Lin' },
    { day, amount: '50.00', text: two.text, name: 'Lin', number: 'B-1' },
  ]
  assert.deepEqual(await bring(file), { ...NOTHING, confirmed: 2 })
  const other = file.map(line => ({ ...line, name: '', text: `${line.name} ${line.text}` }))
  assert.deepEqual(await bring(other), { ...NOTHING, unmatched: 2 })
  assert.deepEqual(await reasonsOf(), ['double', 'double'])
  for (const { id } of [one, two]) {
    assert.deepEqual(await moved(id), ['payment 5000'])
    assert.deepEqual(await owed(id), [])
  }
  assert.equal((await linesOf('matched')).length, 2)
})

test('money that a member has noted by hand is not taken for more when the statement brings it', async t => {
  const { db, accountId, orderByTransfer, bring, moved, owed, reasonsOf, clock, byHand, linesOf, damage } =
    await openBanked(t)
  const { id, payment, text } = await orderByTransfer({ Standard: 1 })
  await db.write(accountId, tx => payments.markPaid(tx, payment.id))
  const day = new Date(clock()).toISOString().slice(5, 10)
  await bring([{ day, amount: '50.00', text }])
  assert.deepEqual(await reasonsOf(), ['marked'])
  assert.deepEqual([await moved(id), await owed(id)], [['payment 5000'], []])
  const [line] = await linesOf('unmatched')
  const looked = await db.read(accountId, tx => lines.previewMatch(tx, line?.id as string, payment.id))
  assert.equal(looked.isDoubtful, true)
  // It was another transfer after all.
  await byHand(tx => lines.match(tx, line?.id as string, payment.id))
  assert.deepEqual(await owed(id), ['twice 5000 requested'])
  assert.deepEqual(await damage(), [])
})

test('a line is matched by hand once, left out and taken up again; a matched one is not left out', async t => {
  const { db, accountId, orderByTransfer, bring, stateOf, clock, byHand, linesOf } = await openBanked(t)
  const { id, payment } = await orderByTransfer({ Standard: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  await bring([{ day, amount: '50.00', text: 'forgot the number' }])
  const [line] = await linesOf('unmatched')
  const lineId = line?.id as string
  const set = (isIgnored: boolean) => byHand(tx => lines.setIgnored(tx, lineId, isIgnored))
  assert.equal((await set(true)).state, 'ignored')
  assert.equal((await set(false)).state, 'unmatched')
  const matched = await byHand(tx => lines.match(tx, lineId, payment.id))
  assert.deepEqual([matched.state, matched.outcome], ['matched', 'confirmed'])
  assert.equal(await stateOf(id), 'confirmed')
  const ended = { code: 'invalid_transition', details: { reason: 'line_ended' } }
  await assert.rejects(set(true), ended)
  await assert.rejects(
    byHand(tx => lines.match(tx, lineId, payment.id)),
    ended,
  )
  // Its tickets are out.
  await assert.rejects(
    byHand(tx => lines.unmatch(tx, lineId)),
    { code: 'invalid_transition', details: { reason: 'money_used' } },
  )
  assert.equal(await db.read(accountId, tx => lines.countUnmatched(tx, 10)), 0)
})

test('a wrong match of a part is undone, in the ledger too, and its money counts where it is matched anew', async t => {
  const { orderByTransfer, bring, stateOf, moved, owed, openOf, clock, byHand, linesOf, damage } =
    await openBanked(t)
  const wrong = await orderByTransfer({ Standard: 2 })
  const right = await orderByTransfer({ Standard: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  await bring([{ day, amount: '50.00', text: wrong.text }])
  const [line] = await linesOf('matched')
  const lineId = line?.id as string
  await byHand(tx => lines.unmatch(tx, lineId))
  assert.deepEqual(await moved(wrong.id), ['payment 5000', 'payment_reversal -5000'])
  const { received, trouble } = await openOf(wrong.id)
  assert.deepEqual([received, trouble], [null, null])
  assert.deepEqual(await damage(), [])
  await byHand(tx => lines.match(tx, lineId, right.payment.id))
  assert.equal(await stateOf(right.id), 'confirmed')
  assert.deepEqual(await moved(right.id), ['payment 5000'])
  // The part that was taken back cannot be paid back.
  await bring([{ day, amount: '110.00', text: wrong.text }])
  assert.equal(await stateOf(wrong.id), 'confirmed')
  assert.deepEqual(await owed(wrong.id), ['excess 1000 requested'])
  assert.deepEqual(await damage(), [])
})

test('what went out is offered for a refund that is owed, and pays it back when somebody says so', async t => {
  const { db, accountId, orderByTransfer, bring, clock, byHand, linesOf, refundsOf, moved, damage } =
    await openBanked(t)
  const { id, text } = await orderByTransfer({ Standard: 1 })
  const day = new Date(clock()).toISOString().slice(5, 10)
  await bring([{ day, amount: '60.00', text }])
  await bring([
    { day, amount: '-10.00', text: 'back' },
    { day, amount: '-99.00', text: 'rent' },
  ])
  const [line, ...others] = await linesOf('unmatched')
  assert.deepEqual([line?.reason, line?.amount, others.length], ['outgoing', -1000, 0])
  assert.equal((await refundsOf(id))[0]?.status, 'requested', 'nobody has said so yet')
  const offered = await db.read(accountId, tx => lines.listPaidBack(tx, line as NonNullable<typeof line>))
  assert.equal(offered.length, 1)
  await byHand(tx => lines.matchRefund(tx, line?.id as string, offered[0]?.id as string))
  assert.equal((await refundsOf(id))[0]?.status, 'done')
  assert.deepEqual(await moved(id), ['payment 6000', 'refund -1000'])
  const [rent] = await linesOf('ignored')
  await assert.rejects(
    byHand(tx => lines.matchRefund(tx, rent?.id as string, offered[0]?.id as string)),
    { code: 'invalid_transition', details: { reason: 'line_refund' } },
  )
  assert.equal(await db.read(accountId, tx => refunds.leftOf(tx, id)), 5000)
  assert.deepEqual(await damage(), [])
})
