import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { openPaid, withOrders } from '#test/support/paid.ts'
import { type Rows, withRows } from '#test/support/rows.ts'

/** Changes one row. @returns how many rows it has changed */
type Damage = (rows: Rows) => Promise<number>

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
  assert.deepEqual(await damageOf(folder), [])
  const idOf = (number: number, kind = 'receipt') =>
    `(SELECT x.id FROM receipts x JOIN accounts a ON a.id = x.account_id
      WHERE a.email = 'ada@example.org' AND x.kind = '${kind}' AND x.number = ${number})`
  /** Changes the fields of what a receipt says, by their paths. */
  const set =
    (fields: Readonly<Record<string, unknown>>, number = 1, kind?: string): Damage =>
    async rows => {
      const [text = ''] = await rows.column<string>(
        `SELECT snapshot FROM receipts WHERE id = ${idOf(number, kind)}`,
      )
      const snapshot = JSON.parse(text)
      for (const [path, value] of Object.entries(fields)) {
        const names = path.split('.')
        const of = names.slice(0, -1).reduce((object, name) => object[name], snapshot)
        of[names.at(-1) as string] = value
      }
      return rows.run(`UPDATE receipts SET snapshot = $1 WHERE id = ${idOf(number, kind)}`, [
        JSON.stringify(snapshot),
      ])
    }
  const damages: [damage: string | Damage, ...found: RegExp[]][] = [
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
      async rows => {
        await rows.run(`UPDATE receipts SET amount = 4001 WHERE id = ${idOf(2, 'credit_note')}`)
        const said = { total: 4001, net: 3363, rest: 4001, 'taxes.0.net': 3363, 'taxes.0.gross': 4001 }
        return set(said, 2, 'credit_note')(rows)
      },
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
    [set({ total: 5001 }), /^receipt \S+ says 5001, and is of 5000$/],
    [set({ tax: 799 }), /^receipt \S+ says 4202 and 799 of tax, and 5000 in all$/],
    [
      set({ 'taxes.0.net': 4203 }),
      /^receipt \S+ says 4203 and 798 of tax of 1900 basis points, and 5000 in all$/,
    ],
    [set({ taxes: [] }), /^receipt \S+ says 4202 and 798 of tax, and its rates come to 0 and 0$/],
    [set({ 'lines.0.quantity': 2 }), /^receipt \S+ has a line of 5000 that comes to something else$/],
    [set({ rest: -1 }), /^receipt \S+ says 5000 in all, and its lines come to 4999$/],
    [
      set({ corrects: { number: 'R', issued_at: '2026-11-21T12:00:00.000Z' } }),
      /^receipt \S+ says that it corrects another/,
    ],
    [
      set({ issued_at: 'yesterday' }),
      /^the snapshot of row \S+ of receipts is not a JSON object of what a receipt says$/,
    ],
  ]
  for (const [damage, ...found] of damages) {
    const copy = await copyOf(t, folder)
    await withRows(copy, async rows => {
      await rows.uncheck('references')
      const changes = typeof damage === 'string' ? await rows.run(damage) : await damage(rows)
      assert.equal(changes, 1, String(found[0]))
    })
    const errors = await damageOf(copy)
    assert.equal(errors.length, found.length, `${found[0]}: ${errors}`)
    for (const [at, expected] of found.entries()) assert.match(errors[at] ?? '', expected)
    for (const error of errors) assert.doesNotMatch(error, /Grace|example\.org/i)
  }
})
