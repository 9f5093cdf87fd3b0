import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordered } from '#test/product/data-care/organization/ordered.ts'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('what orders, their registrations and tickets say of each other is held against each other', async t => {
  const { data } = await startWithOrganization(t, ordered())
  assert.deepEqual(await damageOf(data), [])
  const registration = (reference: string) =>
    `(SELECT r.id FROM registrations r JOIN events e ON e.id = r.event_id WHERE e.slug = 'spring-meeting' AND r.reference = '${reference}')`
  const order = (reference: string) =>
    `(SELECT o.id FROM orders o JOIN events e ON e.id = o.event_id WHERE e.slug = 'spring-meeting' AND o.reference = '${reference}')`
  const ticketsOf = (reference: string) =>
    `UPDATE attendees SET %s WHERE registration_id = ${registration(reference)}`
  const damages: [sql: string, ...found: RegExp[]][] = [
    [
      `UPDATE orders SET amount_total = 4999 WHERE id = ${order('2345-WXYZ')}`,
      /^order \S+ says 4999 in all, and its registrations say 5000$/,
    ],
    [
      `UPDATE registrations SET amount_total = amount_total + 1 WHERE id = ${registration('a')}`,
      /^order \S+ says 5000 in all, and its registrations say 5001$/,
      /^registration \S+ says 10000, and 5001 to pay, and its tickets say 10000 and 5000$/,
    ],
    [
      `UPDATE registrations SET amount_subtotal = 1 WHERE id = ${registration('a')}`,
      /^registration \S+ says 1, and 5000 to pay, and its tickets say 10000 and 5000$/,
    ],
    [
      `UPDATE registrations SET order_id = ${order('2345-WXYZ')} WHERE order_id = ${order('FAIL')}`,
      /^order \S+ has no registration$/,
      /^registration \S+ is failed, and does not go with its order, which is confirmed$/,
    ],
    [
      `DELETE FROM orders WHERE id = ${order('2345-WXYZ')}`,
      /^registration \S+ is of an order that its event does not have$/,
      /^registration \S+ is of an order that its event does not have$/,
      /^entry payment \S+ of the ledger is of an order or registration that its event does not have in its currency$/,
    ],
    [
      "UPDATE orders SET event_id = (SELECT id FROM events WHERE slug = 'second') WHERE reference = 'FAIL'",
      /^registration \S+ is of an order that its event does not have$/,
      /^order \S+ is in another currency than its event$/,
    ],
    [
      `UPDATE orders SET status = 'confirmed', waits_for = NULL, expires_at = NULL, confirmed_at = 1 WHERE status = 'pending'`,
      /^registration \S+ is pending, and does not go with its order, which is confirmed$/,
    ],
    [
      `UPDATE orders SET status = 'failed', waits_for = NULL, expires_at = NULL, failed_at = 1, failed_for = 'declined'
       WHERE id = ${order('WAIT')}`,
      /^registration \S+ is pending, and does not go with its order, which is failed$/,
    ],
    [
      `UPDATE registrations SET confirmed_at = 1 WHERE id = ${registration('g')}`,
      /^registration \S+ is cancelled, and does not go with its order, which is pending$/,
    ],
    [
      `UPDATE orders SET currency = 'USD' WHERE id = ${order('WAIT')}`,
      /^order \S+ is in another currency than its event$/,
    ],
    [
      ticketsOf('b').replace('%s', 'price = NULL, discount = NULL, tax = NULL, tax_basis_points = NULL'),
      /^ticket \S+ has no price that goes with its order, or one without an order$/,
    ],
    [
      ticketsOf('b').replace('%s', 'tax = 1'),
      /^ticket \S+ has no price that goes with its order, or one without an order$/,
    ],
    [
      ticketsOf('plain').replace('%s', 'price = 0'),
      /^ticket \S+ has no price that goes with its order, or one without an order$/,
    ],
    [
      ticketsOf('d').replace('%s', 'price = price + 1, discount = discount + 1'),
      /^registration \S+ says 5000, and 2500 to pay, and its tickets say 5001 and 2500$/,
    ],
    [`UPDATE codes SET used = 1`, /^code \S+ says 1 used, and 2 tickets have it$/],
    [
      `UPDATE orders SET buyer_email_key = 'x' WHERE id = ${order('WAIT')}`,
      /^the buyer_email_key of row \S+ of orders is not the e-mail in lower case$/,
    ],
  ]
  for (const [sql, ...found] of damages) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => {
      await rows.uncheck('references')
      assert.ok((await rows.run(sql)) > 0, `It changes nothing: ${sql}`)
    })
    const errors = await damageOf(copy)
    assert.equal(errors.length, found.length, `${sql}: ${errors}`)
    for (const [at, expected] of found.entries()) assert.match(errors[at] ?? '', expected, sql)
    for (const error of errors) assert.doesNotMatch(error, /\bAda\b|example\.org/i)
  }
})
