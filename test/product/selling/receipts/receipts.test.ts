import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { idsOf, openPaid, type PaidTicket, ratesOf, totalOf, withOrders } from '#test/support/paid.ts'

const standard: PaidTicket = { type: 'Standard', price: 5000, rate: 1900 }
const meal: PaidTicket = { type: 'Meal', price: 1200, rate: 700 }
const times = (count: number, ticket: PaidTicket) => Array.from({ length: count }, () => ticket)

test('a receipt says who sold what to whom, what it cost with tax by rate, and how it was paid', async t => {
  const { pay, clock, damage } = await openPaid(
    t,
    [{ reference: 'A', tickets: [standard, standard, meal], changes: { language: 'es' } }],
    { account: { legal_name: 'Ada Events SL', address: 'Calle Mayor 1\n28013 Madrid', tax_id: 'B12345678' } },
  )
  clock.set('2026-11-21T12:34:56.000Z')
  const receipt = (await pay('A', { at: Date.parse('2026-11-21T10:00:00.000Z') })) as Receipt
  const { id: _, account_id: __, order_id: ___, event_id: ____, ...content } = receipt
  assert.deepEqual(content, {
    ...{ kind: 'receipt', number: 'R-000001', of_id: null, cancels_id: null },
    ...{ payment_id: 'pay-A', refund_id: null },
    ...{ issued_at: '2026-11-21T12:34:56.000Z', language: 'es', order: 'A', corrects: null },
    timezone: 'Europe/Madrid',
    seller: { name: 'Ada Events SL', address: 'Calle Mayor 1\n28013 Madrid', tax_id: 'B12345678' },
    buyer: { name: 'Grace', company: null, address: null, vat_id: null },
    event: {
      title: 'Spring Meeting',
      starts_at: '2026-11-21T09:00:00.000Z',
      ends_at: '2026-11-22T18:00:00.000Z',
      timezone: 'Europe/Madrid',
    },
    lines: [
      {
        name: 'Standard',
        quantity: 2,
        unit_price: 5000,
        discount: 0,
        amount: 10_000,
        tax_basis_points: 1900,
      },
      { name: 'Meal', quantity: 1, unit_price: 1200, discount: 0, amount: 1200, tax_basis_points: 700 },
    ],
    rest: 0,
    taxes: [
      { basis_points: 1900, net: 8404, tax: 1596, gross: 10_000 },
      { basis_points: 700, net: 1121, tax: 79, gross: 1200 },
    ],
    ...{ net: 9525, tax: 1675, total: 11_200, amount: 11_200, currency: 'EUR', exemption: null },
    paid: { method: 'stripe', at: '2026-11-21T10:00:00.000Z' },
    simplified: true,
  })
  assert.deepEqual(await damage(), [])
})

test('receipts are numbered from 1 in their account without gaps, and credit notes in a series of their own', async t => {
  const { db, pay, payBack, damage, apply } = await openPaid(
    t,
    ['A', 'B', 'C'].map(reference => ({ reference, tickets: [standard] })),
    { account: { receipt_prefix: 'FEST' } },
  )
  const made = await Promise.all(['A', 'B', 'C'].map(reference => pay(reference)))
  const numbers = made.map(receipt => receipt?.number).sort()
  assert.deepEqual(numbers, ['FEST-R-000001', 'FEST-R-000002', 'FEST-R-000003'])
  assert.equal((await payBack('B', 're-1', 100))?.number, 'FEST-C-000001')
  assert.equal((await payBack('A', 're-2', 100))?.number, 'FEST-C-000002')
  // The same payment again makes no receipt.
  assert.equal((await pay('B'))?.id, made[1]?.id)
  assert.equal((await payBack('B', 're-1', 100))?.number, 'FEST-C-000001')
  // Another account begins with its own.
  await apply(withOrders([{ reference: 'Z', tickets: [standard] }], { email: 'other@example.org' }))
  assert.equal((await pay('Z'))?.number, 'R-000001')
  assert.equal((await db.read(INSTANCE, tx => tx.all('SELECT 1 FROM receipts'))).length, 6)
  assert.deepEqual(await damage(), [])
})

test('a transaction that is undone takes no number, whatever is written at the same time', async t => {
  const references = Array.from({ length: 30 }, (_, at) => `O${at}`)
  const { db, pay, damage } = await openPaid(
    t,
    references.map(reference => ({ reference, tickets: [standard] })),
  )
  let outside = 0
  const counted: number[] = []
  const tries = references.map(async (reference, at) => {
    if (at % 3 !== 1) {
      await pay(reference)
      // A counter outside of the transaction would have given this number.
      counted.push(++outside)
      return
    }
    const { id: orderId, account_id } = await idsOf(db, reference)
    const paid = { orderId, paymentId: reference, amount: 5000, at: 0, method: 'cash' }
    const undone = db.write(account_id, async tx => {
      await receipts.issue(tx, paid)
      outside++
      throw new Error('undone')
    })
    await assert.rejects(undone, { message: 'undone' })
  })
  await Promise.all(tries)
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ number: number }>('SELECT number FROM receipts ORDER BY number'),
  )
  assert.deepEqual(
    rows.map(({ number }) => number),
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  assert.notDeepEqual(
    counted.sort((a, b) => a - b),
    rows.map(({ number }) => number),
    'a counter outside has gaps',
  )
  assert.deepEqual(await damage(), [])
})

test('one that is undone by itself in a transaction that goes on takes no number either', async t => {
  const { db, pay } = await openPaid(t, [
    { reference: 'A', tickets: [standard] },
    { reference: 'B', tickets: [standard] },
  ])
  const { id: orderId, account_id } = await idsOf(db, 'A')
  await db.write(account_id, async tx => {
    const paid = { orderId, paymentId: 'one', amount: 5000, at: 0, method: 'cash' }
    const undone = tx.attempt(async () => {
      await receipts.issue(tx, paid)
      throw new Error('undone')
    })
    await assert.rejects(undone, { message: 'undone' })
  })
  assert.equal((await pay('B'))?.number, 'R-000001')
})

const sums: [
  name: string,
  tickets: PaidTicket[],
  currency: string,
  rates: Record<number, [number, number]>,
][] = [
  ['7.7 %', [{ type: 'A', price: 9999, rate: 770 }], 'CHF', { 770: [9284, 715] }],
  ['19 % and 7 %', [standard, meal], 'EUR', { 1900: [4202, 798], 700: [1121, 79] }],
  // 33.33 % of 49.99 are taken off, and each ticket is rounded by itself.
  [
    'a third off',
    times(3, { type: 'A', price: 4999, discount: 1666, rate: 2100 }),
    'EUR',
    { 2100: [8265, 1734] },
  ],
  ['yen', [{ type: 'A', price: 3980, rate: 1000 }], 'JPY', { 1000: [3618, 362] }],
  ['dinars, with three digits', [{ type: 'A', price: 12_345, rate: 500 }], 'KWD', { 500: [11_757, 588] }],
  ['shillings, without any', [{ type: 'A', price: 99_999, rate: 1800 }], 'UGX', { 1800: [84_745, 15_254] }],
  ['20 tickets', times(20, { type: 'A', price: 999, rate: 1900 }), 'EUR', { 1900: [16_780, 3200] }],
  ['no tax', [{ type: 'A', price: 5000 }], 'EUR', { 0: [5000, 0] }],
  [
    'the dearest',
    times(20, { type: 'A', price: 4_999_999, rate: 2500 }),
    'EUR',
    { 2500: [79_999_980, 20_000_000] },
  ],
]
for (const [name, tickets, currency, rates] of sums) {
  test(`net and tax of each rate are those of the tickets: ${name}`, async t => {
    const { pay, payBack, damage } = await openPaid(t, [{ reference: 'A', tickets }], { event: { currency } })
    const receipt = await pay('A')
    assert.deepEqual(ratesOf(receipt), rates)
    assert.equal(receipt?.currency, currency)
    const { net = 0, tax = 0, total } = receipt ?? {}
    assert.deepEqual([net + tax, total], [totalOf(tickets), totalOf(tickets)])
    const back = await payBack('A', 're', totalOf(tickets))
    assert.deepEqual(ratesOf(back), rates)
    assert.deepEqual(back?.lines, receipt?.lines)
    assert.deepEqual(await damage(), [])
  })
}

test('nothing is said of nothing: where a code takes all of it off there is no receipt', async t => {
  const free = { type: 'A', price: 5000, discount: 5000, rate: 1900 }
  const { pay, payBack, count } = await openPaid(t, [{ reference: 'A', tickets: [free] }])
  assert.equal(await pay('A'), undefined)
  assert.equal(await payBack('A', 're', 0), undefined)
  assert.equal(await count('receipts'), 0)
})

test('credit notes of parts come to the whole receipt in the end, net and tax of each rate, and never to more', async t => {
  const { pay, payBack, damage } = await openPaid(t, [
    { reference: 'A', tickets: [...times(2, standard), ...times(3, meal)] },
  ])
  const receipt = (await pay('A')) as Receipt
  const parts = [1, 999, 3333, 0, 2, 7001]
  const credits: Receipt[] = []
  for (const [at, part] of parts.entries()) {
    const credit = await payBack('A', `re-${at}`, part)
    if (credit !== undefined) credits.push(credit)
  }
  // A refund of more than is left takes what is left, and then nothing.
  const rest = await payBack('A', 're-rest', 50_000)
  credits.push(rest as Receipt)
  assert.equal(await payBack('A', 're-more', 1), undefined)
  assert.equal(credits.length, 6)
  for (const { basis_points, ...expected } of receipt.taxes) {
    const sum = { net: 0, tax: 0, gross: 0 }
    for (const { taxes } of credits) {
      const own = taxes.find(share => share.basis_points === basis_points)
      for (const key of ['net', 'tax', 'gross'] as const) sum[key] += own?.[key] ?? 0
    }
    assert.deepEqual(sum, expected)
  }
  for (const { corrects, total, net, tax, rest: other, lines, of_id } of credits) {
    assert.deepEqual(corrects, { number: 'R-000001', issued_at: receipt.issued_at })
    assert.deepEqual([net + tax, other, lines, of_id], [total, total, [], receipt.id])
  }
  assert.deepEqual(await damage(), [])
})

test('a credit note takes back the tax of the tickets that it is for, also where less is paid back than they cost', async t => {
  const { pay, payBack, ticketsOf, damage } = await openPaid(t, [
    { reference: 'A', tickets: [...times(2, standard), ...times(3, meal)] },
  ])
  await pay('A')
  const meals = await ticketsOf('A', 'Meal')
  const one = await payBack('A', 're-1', 1200, meals.slice(0, 1))
  assert.deepEqual(ratesOf(one), { 700: [1121, 79] })
  assert.deepEqual(
    one?.lines.map(({ name, quantity, amount }) => [name, quantity, amount]),
    [['Meal', 1, 1200]],
  )
  const most = await payBack('A', 're-2', 2000, meals.slice(1))
  assert.deepEqual(ratesOf(most), { 700: [1868, 132] })
  assert.deepEqual([most?.rest, most?.lines[0]?.amount], [-400, 2400])
  // Nothing is left of these tickets, so the rest belongs to the others.
  const over = await payBack('A', 're-3', 1000, meals)
  assert.deepEqual(ratesOf(over), { 1900: [504, 96], 700: [374, 26] })
  assert.deepEqual(await damage(), [])
})

test('a payment of another amount than the tickets come to is in the receipt to the cent', async t => {
  const { pay, payBack, damage } = await openPaid(t, [
    { reference: 'A', tickets: [standard, meal] },
    { reference: 'B', tickets: [standard, meal] },
    { reference: 'C', tickets: [{ type: 'A', price: 0 }] },
  ])
  const part = await pay('A', { amount: 3100 })
  assert.deepEqual(
    [part?.total, part?.rest, ratesOf(part)],
    [3100, -3100, { 1900: [2101, 399], 700: [560, 40] }],
  )
  const more = await pay('B', { amount: 9000 })
  assert.deepEqual([more?.total, more?.rest, more && more.net + more.tax], [9000, 2800, 9000])
  assert.equal((await payBack('B', 're', 9000))?.rest, 2800)
  assert.deepEqual(ratesOf(await pay('C', { amount: 5 })), { 0: [5, 0] })
  assert.deepEqual(await damage(), [])
})

test('where a line was cancelled before the money came, the receipt is of those that stand', async t => {
  const { db, pay, damage } = await openPaid(t, [{ reference: 'A', tickets: [standard, meal] }])
  const { id, account_id } = await idsOf(db, 'A')
  await db.write(account_id, async tx => {
    const [, line] = (await orders.getDetails(tx, id)).registrations
    await tx.run("UPDATE registrations SET status = 'cancelled', cancelled_at = 1 WHERE id = $1", [
      line?.id ?? '',
    ])
    await tx.run('UPDATE attendees SET voided = 1 WHERE registration_id = $1', [line?.id ?? ''])
    await tx.run("UPDATE registration_types SET sold = 0 WHERE name = 'Meal'")
  })
  const receipt = await pay('A', { amount: 5000 })
  assert.deepEqual([receipt?.lines.map(({ name }) => name), receipt?.rest], [['Standard'], 0])
  assert.deepEqual(await damage(), [])
})

test('what was issued stays as it was, whatever becomes of account, event, type, names and rates', async t => {
  const { db, pay, payBack, damage } = await openPaid(t, [{ reference: 'A', tickets: [standard] }])
  const made = (await pay('A')) as Receipt
  const { account_id: accountId, event_id } = made
  await db.write(accountId, async tx => {
    await accounts.update(tx, {
      legal_name: 'Other SL',
      receipt_prefix: 'NEW',
      tax_exemption: 'None',
    })
    await events.update(tx, event_id, { title: 'Another' })
    await tx.run("UPDATE registration_types SET name = 'Renamed', tax_basis_points = 700, price = 1")
    await tx.run("UPDATE orders SET buyer_name = 'Somebody', buyer_company = 'Co'")
  })
  assert.deepEqual(await db.read(accountId, tx => receipts.get(tx, made.id)), made)
  const credit = await payBack('A', 're', 1000)
  const { number, seller, buyer, event, taxes } = credit as Receipt
  assert.deepEqual([number, seller.name], ['NEW-C-000001', 'Other SL'])
  assert.deepEqual([buyer, event], [made.buyer, made.event])
  assert.deepEqual(
    taxes.map(({ basis_points }) => basis_points),
    [1900],
  )
  assert.deepEqual(await damage(), [])
})

test('a receipt without tax says why, where the account says it', async t => {
  const exemption = 'Kein Ausweis von Umsatzsteuer nach § 19 UStG'
  const { pay, payBack } = await openPaid(
    t,
    [
      { reference: 'A', tickets: [{ type: 'A', price: 5000 }] },
      { reference: 'B', tickets: [standard] },
    ],
    { account: { tax_exemption: exemption } },
  )
  assert.equal((await pay('A'))?.exemption, exemption)
  assert.equal((await payBack('A', 're', 1))?.exemption, exemption)
  assert.equal((await pay('B'))?.exemption, null)
})

test('money that has no receipt gets no credit note: of another order, of another account, or sent straight back', async t => {
  const { db, pay, payBack, apply } = await openPaid(t, [
    { reference: 'A', tickets: [standard] },
    { reference: 'B', tickets: [standard] },
  ])
  await apply(withOrders([{ reference: 'Z', tickets: [standard] }], { email: 'other@example.org' }))
  const made = (await pay('A')) as Receipt
  assert.equal(await payBack('B', 're', 100), undefined)
  const [other, b] = [await idsOf(db, 'Z'), await idsOf(db, 'B')]
  const back = { paymentId: 'pay-A', refundId: 're', amount: 100, at: 0 }
  for (const [accountId, orderId] of [
    [other.account_id, made.order_id],
    [other.account_id, other.id],
    [b.account_id, b.id],
  ] as const) {
    const credit = db.write(accountId, tx => receipts.credit(tx, { ...back, orderId }))
    assert.equal(await credit, undefined)
  }
  await assert.rejects(
    db.read(other.account_id, tx => receipts.get(tx, made.id)),
    { code: 'not_found' },
  )
  const paid = { orderId: made.order_id, paymentId: 'x', amount: 1, at: 0, method: 'cash' }
  await assert.rejects(
    db.write(other.account_id, tx => receipts.issue(tx, paid)),
    { code: 'not_found' },
  )
  assert.deepEqual(await db.read(other.account_id, tx => receipts.listByOrder(tx, made.order_id)), [])
})
