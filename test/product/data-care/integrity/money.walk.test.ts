import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { copyOf, damageOf, isLookedFor } from '#test/support/engine.ts'
import { registration } from '#test/support/organization.ts'
import { snapshotOf } from '#test/support/receipts.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

const ORDER = `(SELECT o.id FROM orders o JOIN events e ON e.id = o.event_id WHERE e.slug = 'spring-meeting'
  AND o.reference = '2345-WXYZ')`
const registrationOf = (reference: string) =>
  `(SELECT r.id FROM registrations r JOIN events e ON e.id = r.event_id WHERE e.slug = 'spring-meeting' AND r.reference = '${reference}')`

function entry(kind: string, id: string, amount: number, of: { payment?: string; refund?: string } = {}) {
  const own = [of.payment, of.refund].map(each => (each === undefined ? 'NULL' : `'${each}'`)).join(', ')
  return `INSERT INTO ledger_entries SELECT account_id, event_id, '${kind}', '${id}', id, NULL, ${own}, 'stripe', ${amount}, currency,
    1, 1, 1 FROM orders WHERE id = ${ORDER}`
}

const uuid = (at: number) => `0197a0b4-3c5e-7d21-9f10-${String(at).padStart(12, '0')}`
const [PAID, GONE, DONE, BACK, BY_HAND] = [1, 2, 3, 4, 5].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
]

const payment = (id: string, status: string, received: string) =>
  `INSERT INTO payments SELECT '${id}', account_id, event_id, id, 'stripe', '${status}', currency, 5000, ${received}, NULL, NULL, NULL,
    NULL, NULL, NULL, NULL, 0, NULL, 1, NULL, NULL, 1, 1 FROM orders WHERE id = ${ORDER}`
const refund = (id: string, status: string, amount: number) =>
  `INSERT INTO refunds SELECT '${id}', account_id, event_id, id, NULL, '${PAID}', 'stripe', NULL, '${status}', currency, ${amount},
    'organizer', NULL, NULL, NULL, NULL, NULL, 0, NULL, 1, 1, 1 FROM orders WHERE id = ${ORDER}`

/** The receipt of the payment, or the credit note of what went back. */
function receipt(kind: 'receipt' | 'credit_note', total: number, tax: number) {
  const [id, of, paid, back] =
    kind === 'receipt' ? [PAID, 'NULL', `'${PAID}'`, 'NULL'] : [DONE, `'${PAID}'`, 'NULL', `'${DONE}'`]
  const taxes = [{ basis_points: 2100, net: total - tax, tax, gross: total }]
  const corrects = kind === 'receipt' ? null : { number: 'R-000001', issued_at: '2026-11-21T12:00:00.000Z' }
  const snapshot = JSON.stringify(snapshotOf({ total, taxes, tax, net: total - tax, corrects }))
  return `INSERT INTO receipts SELECT '${id}', account_id, '${kind}', 1, ${of}, NULL, id, event_id, ${paid}, ${back}, ${total}, currency, 1,
    '${snapshot}', 1, 1, NULL FROM orders WHERE id = ${ORDER}`
}

/** Makes a database of payments by a file, and of an order that was paid here and refunded in part. */
async function prepare(t: TestContext) {
  const file = ordered()
  const [spring] = file.events as { registrations: object[] }[]
  spring?.registrations.push(
    registration('known', {
      ...{ amount_total: 5000, processor_fee: 120, status: 'refunded', refunded_amount: 2000 },
      refunded_at: '2026-11-12T10:00:00Z',
      created_at: '2026-11-11T10:00:00Z',
    }),
    registration('owed', { amount_total: 5000, status: 'pending', created_at: '2026-11-11T10:00:00Z' }),
  )
  const { data } = await startWithOrganization(t, file)
  const damaged = async (statements: readonly string[], from = data) => {
    const copy = await copyOf(t, from)
    await withRows(copy, async rows => {
      await rows.uncheck('references')
      for (const sql of statements) assert.ok((await rows.run(sql)) > 0, `It changes nothing: ${sql}`)
    })
    return copy
  }
  const paid = await damaged([
    `DELETE FROM ledger_entries WHERE order_id = ${ORDER}`,
    `UPDATE registrations SET processor_fee = 100 WHERE id = ${registrationOf('a')}`,
    payment(PAID, 'confirmed', '5000'),
    payment(GONE, 'failed', 'NULL'),
    entry('payment', 'pay', 5000, { payment: PAID }),
    entry('fee', 'pay', -90, { payment: PAID }),
    entry('dispute_fee', 'dp', -10),
    refund(DONE, 'done', 1000),
    entry('refund', 'done', -1000, { refund: DONE }),
    receipt('receipt', 5000, 868),
    receipt('credit_note', 1000, 174),
    refund(BACK, 'failed', 500),
    entry('refund', 'back', -500, { refund: BACK }),
    entry('refund_reversal', 'back', 500, { refund: BACK }),
    `INSERT INTO refunds SELECT '${BY_HAND}', account_id, event_id, NULL, id, NULL, 'recorded', NULL, 'done', currency, 30, 'organizer',
       NULL, NULL, NULL, NULL, NULL, 0, NULL, 1, 1, 1 FROM registrations WHERE id = ${registrationOf('plain')}`,
    `INSERT INTO ledger_entries SELECT account_id, event_id, 'refund', 'hand', NULL, id, NULL, '${BY_HAND}', 'recorded', -30, currency,
       1, 1, 1 FROM registrations WHERE id = ${registrationOf('plain')}`,
  ])
  return { undamaged: data, paid, damaged }
}

const OTHER = "(SELECT id FROM events WHERE slug = 'second')"
const NOBODYS = "'0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'"
const ofPlain = `registration_id = ${registrationOf('plain')}`
const ofKnownFee = `registration_id = ${registrationOf('known')}`

const STRANGE =
  /^entry \w+ \S+ of the ledger is of an order or registration that its event does not have in its currency$/
const STRANGE_PAYMENT =
  /^entry \w+ \S+ of the ledger is of a payment or refund that its order or registration does not have$/
const NO_ORDER = /^payment \S+ is of an order that its event does not have in its currency$/
const NOT_ITS =
  /^refund \S+ is of an order, registration or payment that its event does not have in its currency$/
const amounts = (paid: number, fee: number, refunded: number) =>
  new RegExp(
    `^registration \\S+ has other amounts than the ledger: ${paid} paid, ${fee} of fees, ${refunded} refunded$`,
  )
const fees = (stated: number, inLedger: number) =>
  new RegExp(
    `^order \\S+ says ${stated} of fees of the processor, and the ledger ${inLedger}, or one says that they are not known$`,
  )
const confirmed = (came: number) =>
  new RegExp(`^payment ${PAID} of 5000 is confirmed, and the ledger says that ${came} came$`)

const damages: [sql: string, ...found: RegExp[]][] = [
  // An entry has to belong to an existing order or registration.
  [
    `UPDATE ledger_entries SET registration_id = ${NOBODYS} WHERE kind = 'fee' AND ${ofKnownFee}`,
    STRANGE,
    amounts(5000, 0, 2000),
  ],
  [`UPDATE ledger_entries SET order_id = ${NOBODYS} WHERE kind = 'dispute_fee'`, STRANGE, fees(100, 90)],
  [`UPDATE ledger_entries SET event_id = ${OTHER} WHERE kind = 'fee' AND ${ofKnownFee}`, STRANGE],
  [`UPDATE ledger_entries SET currency = 'USD' WHERE kind = 'fee' AND ${ofKnownFee}`, STRANGE],
  [`UPDATE ledger_entries SET currency = 'USD' WHERE kind = 'dispute_fee'`, STRANGE],
  [
    `UPDATE ledger_entries SET account_id = 'b' WHERE kind = 'fee' AND ${ofKnownFee}`,
    /^row \S+ of ledger_entries lacks its row of events$/,
    STRANGE,
    amounts(5000, 0, 2000),
  ],
  [`UPDATE ledger_entries SET payment_id = ${NOBODYS} WHERE kind = 'dispute_fee'`, STRANGE_PAYMENT],
  [`UPDATE ledger_entries SET refund_id = ${NOBODYS} WHERE kind = 'dispute_fee'`, STRANGE_PAYMENT],
  [`UPDATE ledger_entries SET payment_id = '${PAID}' WHERE kind = 'fee' AND ${ofKnownFee}`, STRANGE_PAYMENT],
  [`UPDATE ledger_entries SET refund_id = '${BY_HAND}' WHERE kind = 'dispute_fee'`, STRANGE_PAYMENT],
  // Payments and refunds have to belong to existing orders.
  [`UPDATE payments SET order_id = ${NOBODYS} WHERE id = '${GONE}'`, NO_ORDER],
  [`UPDATE payments SET event_id = ${OTHER} WHERE id = '${GONE}'`, NO_ORDER],
  [`UPDATE payments SET currency = 'USD' WHERE id = '${GONE}'`, NO_ORDER],
  [`UPDATE refunds SET payment_id = ${NOBODYS} WHERE id = '${DONE}'`, NOT_ITS],
  [`UPDATE refunds SET payment_id = '${PAID}' WHERE id = '${BY_HAND}'`, NOT_ITS],
  // These orders were not paid here, or these registrations have no order.
  [`UPDATE ledger_entries SET amount = 4999 WHERE kind = 'payment' AND ${ofPlain}`, amounts(4999, 0, 30)],
  [`DELETE FROM ledger_entries WHERE kind = 'payment' AND ${ofPlain}`, amounts(0, 0, 30)],
  [`UPDATE ledger_entries SET amount = -119 WHERE kind = 'fee' AND ${ofKnownFee}`, amounts(5000, 119, 2000)],
  [`UPDATE ledger_entries SET amount = -1 WHERE kind = 'refund' AND ${ofKnownFee}`, amounts(5000, 120, 1)],
  [
    `UPDATE registrations SET processor_fee = NULL WHERE id = ${registrationOf('known')}`,
    amounts(5000, 120, 2000),
  ],
  [`UPDATE registrations SET processor_fee = 0 WHERE id = ${registrationOf('plain')}`, amounts(5000, 0, 30)],
  [
    `UPDATE ledger_entries SET registration_id = ${registrationOf('owed')} WHERE kind = 'payment' AND ${ofPlain}`,
    amounts(0, 0, 30),
    amounts(5000, 0, 0),
  ],
  // These rules are about payments and refunds.
  [
    "DELETE FROM ledger_entries WHERE kind = 'payment' AND entry_id = 'pay'",
    confirmed(0),
    /^order \S+ has 1000 more refunded and disputed than was paid$/,
    /^order \S+ of 5000 is confirmed, and the ledger knows of no payment$/,
  ],
  ["UPDATE ledger_entries SET amount = 5001 WHERE kind = 'payment' AND entry_id = 'pay'", confirmed(5001)],
  [entry('payment', 'again', 1, { payment: PAID }), confirmed(5001), fees(100, 100)],
  [
    `DELETE FROM ledger_entries WHERE kind = 'refund' AND entry_id = 'done'`,
    new RegExp(`^refund ${DONE} of 1000 is done, and the ledger says that 0 went back$`),
  ],
  [
    `UPDATE ledger_entries SET amount = -999 WHERE kind = 'refund' AND entry_id = 'done'`,
    new RegExp(`^refund ${DONE} of 1000 is done, and the ledger says that 999 went back$`),
  ],
  [
    `UPDATE ledger_entries SET amount = -29 WHERE kind = 'refund' AND entry_id = 'hand'`,
    new RegExp(`^refund ${BY_HAND} of 30 is done, and the ledger says that 29 went back$`),
  ],
  [
    `DELETE FROM ledger_entries WHERE kind = 'refund_reversal'`,
    new RegExp(`^refund ${BACK} of 500 is failed, and the ledger says that 500 went back$`),
  ],
  [entry('dispute', 'dp', -4001), /^order \S+ has 1 more refunded and disputed than was paid$/],
  // These rules are about fees.
  ["UPDATE ledger_entries SET amount = -80 WHERE kind = 'fee' AND entry_id = 'pay'", fees(100, 90)],
  [`UPDATE registrations SET processor_fee = NULL WHERE id = ${registrationOf('a')}`, fees(0, 100)],
  ["DELETE FROM ledger_entries WHERE kind = 'fee' AND entry_id = 'pay'", fees(100, 10)],
]

test('what payments, refunds and registrations say is held against the ledger', async t => {
  const { undamaged, paid, damaged } = await prepare(t)
  assert.deepEqual(await damageOf(undamaged), [])
  assert.deepEqual(await damageOf(paid), [])
  for (const [sql, ...each] of damages) {
    const found = each.filter(isLookedFor)
    const errors = await damageOf(await damaged([sql], paid))
    assert.ok(errors.length >= found.length, `${sql}: ${errors.join('\n')}`)
    for (const expected of found) assert.match(errors.join('\n'), new RegExp(expected, 'm'), sql)
    for (const error of errors) assert.doesNotMatch(error, /\bAda\b|example\.org/i)
  }
})

test('money that came in parts, that is disputed and won, or whose fee is not known yet, is no damage', async t => {
  const { paid, damaged } = await prepare(t)
  const sound: string[][] = [
    [
      "UPDATE ledger_entries SET amount = 2000 WHERE kind = 'payment' AND entry_id = 'pay'",
      entry('payment', 'rest', 3000, { payment: PAID }),
      entry('fee', 'rest', 0, { payment: PAID }),
    ],
    [entry('dispute', 'dp', -5000), entry('dispute_reversal', 'dp', 5000)],
    [
      "DELETE FROM ledger_entries WHERE kind = 'fee' AND entry_id = 'pay'",
      `UPDATE registrations SET processor_fee = NULL WHERE id = ${registrationOf('a')}`,
    ],
    // A restored backup does not have this sale.
    [
      `INSERT INTO refunds SELECT '${uuid(9)}', account_id, event_id, ${NOBODYS}, NULL, NULL, 'stripe', 'ch', 'requested', currency, 30,
         'orphan', NULL, NULL, NULL, NULL, 1, 0, NULL, NULL, 1, 1 FROM orders WHERE id = ${ORDER}`,
    ],
  ]
  for (const statements of sound)
    assert.deepEqual(await damageOf(await damaged(statements, paid)), [], statements[0])
})
