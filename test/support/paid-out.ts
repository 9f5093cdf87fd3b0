import assert from 'node:assert/strict'
import { listMonths, readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import type { Shop } from './payments.ts'
import type { Stage } from './stage.ts'

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

/**
 * Has the processor pay everything out, and checks that the processor, the ledger, the monthly report and the report on payouts say
 * the same.
 *
 * @param settle has the server read what there is
 * @returns whether it has paid anything out
 */
export async function checkPaidOut(
  { db, accountId, ledgerOf, clock }: Shop,
  stage: Stage,
  { eventIds, orders }: { eventIds: readonly string[]; orders: readonly string[] },
  settle: () => Promise<void>,
): Promise<boolean> {
  const paidOut = await stage.payOut?.()
  if (paidOut === undefined) return false
  await settle()
  /** Amounts of ours in the currency of the event, by what the ledger names them. */
  const held = new Map<string, number>()
  let fees = 0
  for (const [id, amount] of paidOut) {
    const payout = await db.read(accountId, tx => payouts.get(tx, id))
    assert.deepEqual([payout.amount, payout.list, payout.difference], [amount, 'complete', 0])
    const lines = await db.read(accountId, tx => payouts.listLines(tx, id, 10_000))
    const sums = await db.read(accountId, tx => payouts.sumUp(tx, id))
    assert.equal(sumOf(lines.map(({ net }) => net)), amount, 'what a payout holds comes to it')
    assert.equal(sumOf(sums.map(sum => sum.amount)), amount, 'its groups come to it')
    assert.ok(
      sums.every(({ group }) => group !== 'foreign'),
      'all that is from here has its order',
    )
    for (const { kind, id: line, sourceId, amount: moved, fee, order } of lines) {
      assert.ok(order !== null && orders.includes(order.id))
      const name = `${kind} ${kind.startsWith('dispute') ? line : sourceId}`
      assert.ok(!held.has(name), `${name} is in one payout, once`)
      held.set(name, payout.currency === 'EUR' ? moved : Number.NaN)
      if (payout.currency === 'EUR') fees += fee
    }
  }
  const entries = (await Promise.all(orders.map(ledgerOf))).flat()
  const stripes = entries.filter(({ method }) => method === stage.method)
  const moved = stripes.filter(({ kind }) => !kind.includes('fee'))
  for (const { kind, entry_id: id, amount } of moved) {
    const amountHeld = held.get(`${kind} ${id}`)
    assert.notEqual(amountHeld, undefined, `${kind} ${id} of the ledger was paid out`)
    // What was converted is there in another currency.
    if (!Number.isNaN(amountHeld)) assert.equal(amountHeld, amount)
  }
  const known = stripes.filter(({ kind }) => kind.includes('fee'))
  assert.equal(0 - sumOf(known.map(({ amount }) => amount)), fees, 'the fees are those of the ledger')
  const months = await db.read(accountId, tx => listMonths(tx, clock()))
  let reported = 0
  for (const month of months) {
    const { data } = await readMonthlyReport(db, accountId, month, clock())
    for (const row of data) if (eventIds.includes(row.event_id)) reported += row.gross - row.refunds
  }
  const byHand = entries.filter(({ method, kind }) => method !== stage.method && !kind.includes('fee'))
  const converted = moved.filter(({ kind, entry_id: id }) => Number.isNaN(held.get(`${kind} ${id}`)))
  const inPayouts = sumOf([...held.values()].filter(amount => !Number.isNaN(amount)))
  assert.equal(
    reported,
    inPayouts + sumOf([...byHand, ...converted].map(({ amount }) => amount)),
    'the monthly report says what was paid out, and what came by hand',
  )
  return paidOut.size > 0
}
