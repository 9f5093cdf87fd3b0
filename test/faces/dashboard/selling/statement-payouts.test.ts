import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { addPayout } from '#test/support/payout-rows.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const { db, accountId, clock, app } = server
  const day = new Date(clock()).toISOString().slice(0, 10)
  const finance = await server.member('finance')
  const address = `/manage/a/${accountId}/statements`
  const paidOut = (id: string) =>
    db.write(accountId, tx =>
      addPayout(tx, {
        ...{ id, amount: 12_345, arrivesOn: day, status: 'paid' },
        lines: [{ amount: 10_000 }, { amount: 2345 }],
      }),
    )
  const read = async (content: string) => {
    const columns = await (await finance.open(address)).choose('File', 'bank.csv', content).press('Upload')
    return columns.press('Read the lines')
  }
  const match = async (preview: ReadPage) => {
    const started = await preview.press('Match these lines')
    return onceSettled({ app }, 'jobs', 'the end of the job', async () => {
      const now = await finance.open(started.path)
      return now.document.querySelector('progress') === null && now
    })
  }
  const csv = `Date;Amount;Name;Text\n${day};123,45;STRIPE;PAYOUT\n`
  return { ...server, finance, address, paidOut, read, match, csv }
}

test('a line that is a payout is shown as what it is, before and after, and leads to what the payout holds', async t => {
  const { paidOut, read, match, csv, finance, address } = await start(t)
  await paidOut('po_1')
  const preview = await read(csv)
  assert.match(preview.text, /1 line is a payout of Stripe, and pays no order/)
  assert.match(preview.rows()[0] ?? '', /Payout of Stripe, .* 2026, of 2 payments/)
  const done = await match(preview)
  assert.match(done.text, /Paid an order0Payouts of Stripe1/)
  const list = await (await finance.open(address)).follow('Matched')
  assert.match(list.rows()[0] ?? '', /STRIPE.*€123\.45.*Payout of Stripe/)
  const line = await list.follow('STRIPE')
  assert.doesNotMatch(line.text, /Whose money is it/)
  const payout = await line.follow('Payout of Stripe')
  assert.match(payout.text, /Together\s*2 entries\s*€123\.45/)
  assert.doesNotMatch(payout.text, /Not found yet/)
})

test('where two payouts fit, the page of the line offers both, and the match is undone at once', async t => {
  const { paidOut, read, match, csv, finance, address } = await start(t)
  await paidOut('po_1')
  await paidOut('po_2')
  const preview = await read(csv)
  assert.match(preview.rows()[0] ?? '', /Several payouts of Stripe have its amount/)
  await match(preview)
  const line = await (await finance.open(address)).follow('STRIPE')
  assert.match(line.text, /po_1.*po_2/s)
  const matched = await line.press('It is this payout: po_1')
  assert.match(matched.messages.join(), /The line is matched/)
  assert.match(matched.text, /Payout of Stripe, .* of 2 payments/)
  const undone = await matched.press('Undo this match')
  assert.match(undone.messages.join(), /The match is undone/)
  assert.match(undone.text, /po_1.*po_2/s)
})
