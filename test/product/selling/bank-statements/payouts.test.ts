import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { matchPayout } from '#product/selling/bank-statements/payout-lines.ts'
import * as lines from '#product/selling/bank-statements/rules.ts'
import { openBanked } from '#test/support/bank-statements.ts'
import { type AddedPayout, addPayout } from '#test/support/payout-rows.ts'

const NOTHING = { confirmed: 0, kept: 0, returned: 0, unmatched: 0, ignored: 0 }

async function open(t: TestContext) {
  const shop = await openBanked(t)
  shop.clock.advance(20 * DAY)
  const paidOut = (changes: Partial<AddedPayout> = {}) =>
    shop.db.write(shop.accountId, tx =>
      addPayout(tx, { id: 'po_1', amount: 123_45, arrivesOn: '2026-12-03', status: 'paid', ...changes }),
    )
  return { ...shop, paidOut }
}
const booked = (day: string, text = 'STRIPE PAYMENTS', amount = '123.45') => ({ day, amount, text })

for (const [day, isMatched] of [
  ['11-28', true],
  ['12-08', true],
  ['11-27', false],
  ['12-09', false],
] as const) {
  test(`a booking of ${day} is ${isMatched ? '' : 'not '}the payout of that sum that arrives on 12-03`, async t => {
    const { paidOut, bring, linesOf, damage } = await open(t)
    await paidOut()
    const outcome = isMatched ? { ...NOTHING, paid_out: 1 } : { ...NOTHING, unmatched: 1 }
    assert.deepEqual(await bring([booked(day)]), outcome)
    const [line] = await linesOf(isMatched ? 'matched' : 'unmatched')
    assert.deepEqual(
      [line?.outcome, line?.payout_id, line?.payment_id, line?.reason],
      isMatched ? ['paid_out', 'po_1', null, null] : [null, null, null, 'no_reference'],
    )
    assert.deepEqual(await damage(), [])
  })
}

test('a booking that is a payout puts nothing into the ledger and pays no order', async t => {
  const { paidOut, bring, db, accountId, orderByTransfer, stateOf } = await open(t)
  const { id } = await orderByTransfer({ Standard: 1 })
  await paidOut({ amount: 5000 })
  const entries = () =>
    db.read(accountId, tx =>
      tx.one<{ n: number }>('SELECT count(*) AS n FROM ledger_entries WHERE account_id = $1', [accountId]),
    )
  const before = await entries()
  assert.deepEqual(await bring([booked('12-03', 'STRIPE', '50.00')]), { ...NOTHING, paid_out: 1 })
  assert.deepEqual(await entries(), before)
  assert.equal(await stateOf(id), 'payment')
})

test('the reference of an order wins over a payout of the same sum', async t => {
  const { paidOut, bring, orderByTransfer } = await open(t)
  const { text } = await orderByTransfer({ Standard: 1 })
  await paidOut({ amount: 5000, arrivesOn: '2026-12-11' })
  assert.deepEqual(await bring([booked('12-11', text, '50.00')]), { ...NOTHING, confirmed: 1 })
})

test('another currency, another sum, a payout that failed and money that went out are no payout', async t => {
  const { paidOut, bring, reasonsOf, linesOf } = await open(t)
  await paidOut({ currency: 'USD' })
  await paidOut({ id: 'po_2', status: 'failed' })
  await paidOut({ id: 'po_3', status: 'canceled' })
  await paidOut({ id: 'po_4', amount: -123_45 })
  await bring([booked('12-03'), booked('12-03', 'S', '-123.45'), booked('12-03', 'S', '123.46')])
  assert.deepEqual(await linesOf('matched'), [])
  assert.deepEqual(await reasonsOf(), ['no_reference', 'no_reference'])
})

test('where several payouts fit, a person chooses one, and no payout is of two bookings', async t => {
  const { paidOut, bring, reasonsOf, linesOf, byHand, damage, db, accountId } = await open(t)
  await paidOut()
  await paidOut({ id: 'po_2', arrivesOn: '2026-12-05' })
  assert.deepEqual(await bring([booked('12-03'), booked('12-05', 'AGAIN')]), { ...NOTHING, unmatched: 2 })
  assert.deepEqual(await reasonsOf(), ['several_payouts', 'several_payouts'])
  const [first, second] = await linesOf('unmatched')
  await byHand(tx => matchPayout(tx, first?.id as string, 'po_1'))
  const refused = { code: 'invalid_transition', details: { reason: 'line_payout' } }
  await assert.rejects(
    byHand(tx => matchPayout(tx, second?.id as string, 'po_1')),
    refused,
  )
  await assert.rejects(
    byHand(tx => matchPayout(tx, first?.id as string, 'po_2')),
    { code: 'invalid_transition', details: { reason: 'line_ended' } },
  )
  await assert.rejects(
    byHand(tx => matchPayout(tx, second?.id as string, 'po_9')),
    { code: 'not_found' },
  )
  await byHand(tx => matchPayout(tx, second?.id as string, 'po_2'))
  assert.deepEqual((await linesOf('matched')).map(({ payout_id }) => payout_id).sort(), ['po_1', 'po_2'])
  assert.deepEqual(await damage(), [])
  await assert.rejects(
    db.write(accountId, tx =>
      tx.run("UPDATE statement_lines SET payout_id = 'po_1' WHERE account_id = $1", [accountId]),
    ),
    /unique/i,
  )
})

test('the same booking in other words is not another payout, and a wrong match is undone', async t => {
  const { paidOut, bring, reasonsOf, linesOf, byHand, damage } = await open(t)
  await paidOut()
  await bring([booked('12-03')])
  assert.deepEqual(await bring([booked('12-03', 'STRIPE TECHNOLOGY EUROPE')]), { ...NOTHING, unmatched: 1 })
  assert.deepEqual(await reasonsOf(), ['double'])
  const [line] = await linesOf('matched')
  assert.equal(await byHand(tx => lines.isUndoable(tx, line as NonNullable<typeof line>)), true)
  const undone = await byHand(tx => lines.unmatch(tx, line?.id as string))
  assert.deepEqual([undone.state, undone.outcome, undone.payout_id], ['unmatched', null, null])
  assert.deepEqual(await damage(), [])
})

test('a booking of a day to come is listed', async t => {
  const { paidOut, bring, reasonsOf } = await open(t)
  await paidOut({ arrivesOn: '2026-12-24' })
  await bring([booked('12-24')])
  assert.deepEqual(await reasonsOf(), ['future'])
})
