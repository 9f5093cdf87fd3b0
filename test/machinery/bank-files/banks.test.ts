import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as v from 'valibot'
import { findCreditorReferences } from '#base/creditor-reference.ts'
import { mappingSchema } from '#machinery/bank-files/mapping.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import { samples } from './banks.ts'
import { readAll } from './read-all.ts'

for (const { bank, file, encoding = 'utf-8', lines, wrong = [], leftOut = [] } of samples) {
  test(`a statement is read as it comes: ${bank}`, async () => {
    const bytes = Buffer.from(file, encoding === 'utf-16le' ? 'utf16le' : encoding)
    const currency = lines[0]?.[2] as string
    const statement = await readStatement(bytes, currency)
    assert.deepEqual([statement.missing, statement.doubts, statement.unfit], [[], [], []])
    const read = await readAll(statement)
    assert.deepEqual(
      read.lines.map(line => [line.date, line.amount, line.currency, line.counterparty]),
      lines.map(([date, amount, currency, counterparty]) => [date, amount, currency, counterparty]),
    )
    for (const [at, [, , , , text]] of lines.entries())
      assert.ok(read.lines[at]?.text.includes(text), `${read.lines[at]?.text} has ${text}`)
    assert.deepEqual(
      read.wrong.map(({ line }) => line),
      wrong,
    )
    assert.deepEqual(
      read.leftOut.map(({ line, reason }) => [line, reason]),
      leftOut,
    )
    const paid = read.lines.filter(line => findCreditorReferences(line.text).includes('RF18539007547034'))
    assert.equal(paid.length, 1)
    assert.ok(paid[0] && paid[0].amount > 0)
    // The columns that were found are kept, and read the next file in the same way.
    const again = await readAll(
      await readStatement(
        bytes,
        currency,
        v.parse(mappingSchema, JSON.parse(JSON.stringify(statement.mapping))),
      ),
    )
    assert.deepEqual(again, read)
  })
}
