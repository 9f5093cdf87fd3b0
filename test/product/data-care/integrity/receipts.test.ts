import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { openPaid, withOrders } from '#test/support/paid.ts'

test('numbers without gaps, sums, and credit notes that are of their receipt and no more than it are proven', async t => {
  const ticket = { type: 'Standard', price: 5000, rate: 1900 }
  const orders = ['A', 'B', 'C'].map(reference => ({ reference, tickets: [ticket] }))
  const { folder, pay, payBack, cancelCredit, apply } = await openPaid(t, orders)
  await apply(withOrders([{ reference: 'Z', tickets: [ticket] }], { email: 'other@example.org' }))
  for (const reference of ['A', 'B', 'C', 'Z']) await pay(reference)
  await payBack('A', 're-1', 1000)
  await payBack('A', 're-2', 4000)
  await payBack('C', 're-3', 1000)
  await cancelCredit('C', 're-3')
  await payBack('C', 're-3', 1000)
  const path = join(folder, 'turnout.db')
  assert.deepEqual(await inspect(path, findDamage), [])
  const idOf = (number: number, kind = 'receipt') =>
    `(SELECT x.id FROM receipts x JOIN accounts a ON a.id = x.account_id
      WHERE a.email = 'ada@example.org' AND x.kind = '${kind}' AND x.number = ${number})`
  const set = (number: number, field: string, value: string, kind?: string) =>
    `UPDATE receipts SET snapshot = json_set(snapshot, '$.${field}', ${value}) WHERE id = ${idOf(number, kind)}`
  const damages: [sql: string, ...found: RegExp[]][] = [
    [
      `DELETE FROM receipts WHERE id = ${idOf(2)}`,
      /^the receipts of account \S+ are not numbered without gaps: 2 numbers from 1 to 3$/,
    ],
    [
      `UPDATE receipts SET number = number + 1 WHERE id = ${idOf(3)}`,
      /^the receipts of account \S+ are not numbered without gaps: 3 numbers from 1 to 4$/,
    ],
    [
      `UPDATE receipts SET number = number + 1 WHERE id = ${idOf(5, 'credit_note')}`,
      /^the credit notes of account \S+ are not numbered without gaps: 5 numbers from 1 to 6$/,
    ],
    [
      `UPDATE receipts SET order_id = (SELECT id FROM orders WHERE reference = 'Z') WHERE id = ${idOf(2)}`,
      /^receipt \S+ is not of its order: its event, account or currency is another$/,
    ],
    [
      `UPDATE receipts SET currency = 'USD' WHERE id = ${idOf(2)}`,
      /^receipt \S+ is not of its order: its event, account or currency is another$/,
    ],
    [
      `UPDATE receipts SET of_id = ${idOf(2)} WHERE id = ${idOf(1, 'credit_note')}`,
      /^credit note \S+ is of no receipt of its order$/,
    ],
    [
      `UPDATE receipts SET amount = 4001, snapshot = json_set(snapshot, '$.total', 4001, '$.net', 3363, '$.rest', 4001,
         '$.taxes[0].net', 3363, '$.taxes[0].gross', 4001) WHERE id = ${idOf(2, 'credit_note')}`,
      /^receipt \S+ is of 5000, and its credit notes are of 5001$/,
    ],
    [
      `UPDATE receipts SET cancels_id = ${idOf(1, 'credit_note')} WHERE id = ${idOf(4, 'credit_note')}`,
      /^credit note \S+ cancels none of its refund, or not all of it$/,
    ],
    [
      `UPDATE receipts SET refund_id = 're-1' WHERE id = ${idOf(2, 'credit_note')}`,
      /^refund re-1 has 2 credit notes that are not cancelled$/,
    ],
    [set(1, 'total', '5001'), /^receipt \S+ says 5001, and is of 5000$/],
    [set(1, 'tax', '799'), /^receipt \S+ says 4202 and 799 of tax, and 5000 in all$/],
    [
      set(1, 'taxes[0].net', '4203'),
      /^receipt \S+ says 4203 and 798 of tax of 1900 basis points, and 5000 in all$/,
    ],
    [
      set(1, 'taxes', 'json_array()'),
      /^receipt \S+ says 4202 and 798 of tax, and its rates come to 0 and 0$/,
    ],
    [set(1, 'lines[0].quantity', '2'), /^receipt \S+ has a line of 5000 that comes to something else$/],
    [set(1, 'rest', '-1'), /^receipt \S+ says 5000 in all, and its lines come to 4999$/],
    [
      set(1, 'corrects', `json('{"number":"R","issued_at":"2026-11-21T12:00:00.000Z"}')`),
      /^receipt \S+ says that it corrects another/,
    ],
    [
      set(1, 'issued_at', "'yesterday'"),
      /^the snapshot of row \S+ of receipts is not a JSON object of what a receipt says$/,
    ],
  ]
  const copies = temporaryFolder(t)
  for (const [index, [sql, ...found]] of damages.entries()) {
    const copy = join(copies, `${index}.db`)
    await backUp(path, copy)
    const connection = new SqliteConnection(copy)
    connection.pragma('foreign_keys = OFF')
    const { changes } = connection.prepare(sql).run()
    connection.close()
    assert.equal(changes, 1, sql)
    const errors = await inspect(copy, findDamage)
    assert.equal(errors.length, found.length, `${sql}: ${errors}`)
    for (const [at, expected] of found.entries()) assert.match(errors[at] ?? '', expected, sql)
    for (const error of errors) assert.doesNotMatch(error, /Grace|example\.org/i)
  }
})
