import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { paymentUnderWayMail } from '#product/selling/payments/kinds.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { openOrderMails, TWO_AND_DINNER, textOf } from '#test/support/order-mails.ts'

/** Returns the rows of a statement in plain text, with single spaces, up to the sentence that follows it. */
function rowsOf(text: string): string[] {
  const lines = text.split('\n').map(line => line.replace(/[^\S\n]+/g, ' ').trim())
  const from = lines.findIndex(line => /^\d+ × /.test(line))
  if (from < 0) return []
  const until = lines.indexOf('', from)
  return lines.slice(from, until < 0 ? undefined : until)
}

const LINES = ['2 × Standard €50.00 €100.00', '1 × Dinner €30.00 €30.00']
const TOTAL = ['Total €130.00', 'tax included: 21 % €17.36, 10 % €2.73']

test('an order that is to be transferred says what it comes to, until when by the clock of the event, and how', async t => {
  const { place, takeOne, newest } = await openOrderMails(t)
  const id = await place(TWO_AND_DINNER, { method: 'transfer' })
  const text = textOf(await takeOne())
  const due = 'To be paid until Saturday, 28 November 2026, 13:00 (Madrid time) €130.00'
  assert.deepEqual(rowsOf(text), [...LINES, ...TOTAL, due])
  assert.match(text, /Transfer the amount to this account[\s\S]*Account: DE89370400440532013000/)
  assert.ok(text.includes((await newest(id)).reference?.slice(0, 4) as string))
  assert.doesNotMatch(text, /Paid|Sold by|Terms that|You pay on the page|SVC1\./)
})

test('an order that waits for its organizer says what it will cost; once it is approved, until when it is paid on its page', async t => {
  const { place, takeOne, write } = await openOrderMails(t, { changes: { requires_approval: true } })
  const id = await place(TWO_AND_DINNER)
  const waiting = textOf(await takeOne())
  const later = 'You pay once the organizer has approved it: you are told by mail.'
  assert.deepEqual(rowsOf(waiting), [...LINES, ...TOTAL, later])
  assert.doesNotMatch(waiting, /To be paid until|Paid on|Sold by/)
  await write(tx => payments.approve(tx, id))
  const due = textOf(await takeOne())
  assert.deepEqual(rowsOf(due), [
    ...LINES,
    ...TOTAL,
    'To be paid until Saturday, 28 November 2026, 13:00 (Madrid time) €130.00',
    'You pay on the page of your order.',
  ])
})

test('of a payment that takes days, the mail says that its money is on its way, and asks for nothing', async t => {
  const { place, takeOne, take, newest, reconciler, write, eventId } = await openOrderMails(t)
  const id = await place(TWO_AND_DINNER, { method: 'test' })
  await reconciler.settle()
  const payment = await newest(id)
  await take()
  await write(async tx => {
    await tx.run(`UPDATE payments SET status = 'pending' WHERE account_id = $1 AND id = $2`, [
      tx.accountId,
      payment.id,
    ])
    const to = { recipient: 'ada@example.org', language: 'en', eventId, subjectId: id } as const
    await queue(tx, paymentUnderWayMail, { ...to, cause: payment.id })
  })
  const text = textOf(await takeOne())
  assert.deepEqual(rowsOf(text), [...LINES, ...TOTAL, 'On its way from your bank €130.00'])
  assert.match(text, /23 Dec 2026, 09:00 \(Europe\/Madrid\)\nMain Hall, Madrid/)
  assert.doesNotMatch(text, /To be paid|You pay on the page/)
})

test('a discount stands between the lines and the total, and the tax is that of the rest', async t => {
  const { buy, takeOne, ledgerOf } = await openOrderMails(t, {
    event: { codes: [{ code: 'TENTH', percent: 10 }] },
  })
  const id = await buy(TWO_AND_DINNER, { code: 'TENTH' })
  assert.deepEqual(rowsOf(textOf(await takeOne())), [
    ...LINES,
    'Discount -€13.00',
    'Total €117.00',
    'tax included: 21 % €15.62, 10 % €2.45',
    'Paid on 21 Nov 2026, test payment, no money €117.00',
    'Attached: Simplified invoice R-000001.',
  ])
  assert.equal(ledger.balanceOf(await ledgerOf(id)).paid, 11_700)
})

test('the mail of a refund says what goes back and what stays paid, and the next one what has gone back, as the ledger does', async t => {
  const { buy, takeOne, write, reconciler, ledgerOf, clock } = await openOrderMails(t)
  const id = await buy(TWO_AND_DINNER)
  await takeOne()
  const refund = (amount: number) =>
    write(tx =>
      refundOrder(tx, {
        ...{ orderId: id, ticketIds: [], amount, note: null, isNotified: true },
        reason: 'organizer',
      }),
    )
  clock.advance(DAY)
  await refund(3000)
  const paid = 'Paid on 21 Nov 2026, test payment, no money €130.00'
  const first = textOf(await takeOne())
  assert.match(first, /€30\.00 of your order/)
  assert.deepEqual(rowsOf(first), [
    ...LINES,
    ...TOTAL,
    paid,
    'Goes back to you -€30.00',
    'Stays paid €100.00',
  ])
  await reconciler.settle()
  await refund(1000)
  const back = 'Paid back to you on 22 Nov 2026, test payment, no money -€30.00'
  assert.deepEqual(rowsOf(textOf(await takeOne())), [
    ...[...LINES, ...TOTAL, paid, back],
    ...['Goes back to you -€10.00', 'Stays paid €90.00'],
  ])
  await reconciler.settle()
  assert.deepEqual(ledger.balanceOf(await ledgerOf(id)).left, 9000)
})

test('a refund that voids tickets says which, and the sums, to the buyer alone', async t => {
  const { buy, take, get, write } = await openOrderMails(t)
  const id = await buy({
    Standard: [['Ada Lovelace'], ['Bob', 'bob@example.org']],
    Dinner: [['Ada Lovelace']],
  })
  await take()
  const { registrations } = await get(id)
  const bob = registrations[0]?.attendees[1]?.id as string
  await write(tx =>
    refundOrder(tx, {
      ...{ orderId: id, ticketIds: [bob], amount: 5000, note: null, isNotified: true },
      reason: 'organizer',
    }),
  )
  const mails = await take()
  assert.deepEqual(
    mails.map(({ to }) => to[0]),
    ['ada@example.org', 'bob@example.org'],
  )
  const [buyer, holder] = mails as [(typeof mails)[number], (typeof mails)[number]]
  assert.deepEqual(rowsOf(textOf(buyer)), [
    ...['2 × Standard €50.00 €100.00', '1 cancelled', '1 × Dinner €30.00 €30.00', ...TOTAL],
    'Paid on 21 Nov 2026, test payment, no money €130.00',
    ...['Goes back to you -€50.00', 'Stays paid €80.00'],
  ])
  assert.doesNotMatch(
    `${textOf(holder)}${holder.parsed.html}`,
    /€|50\.00|130|Total|Paid|Goes back|\/orders\//,
  )
})

test('of more money than an order costs, the mail says what came and what goes back; the confirmation has its lines once', async t => {
  const { place, take, newest, transfer } = await openOrderMails(t)
  const id = await place(TWO_AND_DINNER, { method: 'transfer' })
  await take()
  await transfer((await newest(id)).id, 14_000, 'entry')
  const mails = new Map((await take()).map(mail => [mail.parsed.subject, textOf(mail)]))
  const rows = [
    ...[...LINES, ...TOTAL, 'Paid on 21 Nov 2026, bank transfer €140.00'],
    ...['Goes back to you -€10.00', 'Stays paid €130.00'],
  ]
  assert.deepEqual(rowsOf(mails.get('Your money goes back: Spring Meeting') as string), rows)
  assert.deepEqual(rowsOf(mails.get('Your tickets for Spring Meeting') as string), [
    ...rows,
    'Attached: Simplified invoice R-000001.',
  ])
})

test('what was cancelled before it was paid is in no line of the confirmation, and its money goes back', async t => {
  const {
    begin: _,
    place,
    reconciler,
    take,
    cancelLine,
    sessionOf,
    processor,
    newest,
    accountId,
  } = await openOrderMails(t)
  const id = await place(TWO_AND_DINNER, { method: 'test' })
  await reconciler.settle()
  processor.pay((await sessionOf(id)) as string)
  await cancelLine(id, 1)
  reconciler.look(accountId, (await newest(id)).id)
  await reconciler.settle()
  const confirmed = (await take()).find(({ parsed }) => parsed.subject === 'Your tickets for Spring Meeting')
  assert.ok(confirmed)
  assert.deepEqual(rowsOf(textOf(confirmed)).slice(0, 3), [
    '2 × Standard €50.00 €100.00',
    'Total €100.00',
    'tax included: 21 % €17.36',
  ])
  assert.doesNotMatch(textOf(confirmed), /Dinner/)
})
