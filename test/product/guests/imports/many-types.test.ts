import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LineFault } from '#product/guests/imports/read-line.ts'
import { startWithImports } from '#test/support/imports.ts'
import { startMoving } from '#test/support/moving.ts'
import { asCsv, many, PRETIX } from '#test/support/shop-exports.ts'

test('a line that names no type of an event with hundreds of them is told the first twenty', async t => {
  const names = Array.from({ length: 300 }, (_, at) => `Type ${at}`)
  const registration_types = names.map(name => ({ name, price: 0, capacity: 5 }))
  const { check, lines } = await startWithImports(t, { registration_types })
  const { id } = await check('Name,Email,Type\nAda,a@example.org,Type 299\nBo,b@example.org,Typo\n')
  const [right, wrong] = await lines(id)
  assert.equal(right?.fate, 'new')
  const [fault] = wrong?.details.faults ?? []
  const { values } = (fault as LineFault).fault.parameters as { values: string[] }
  assert.deepEqual([fault?.field, values.length, values.at(-1)], ['type', 21, '…'])
  assert.deepEqual(
    values.slice(0, -1).filter(name => !names.includes(name)),
    [],
  )
})

test('an export that names more types than are made at once says so, and the next check names the others', async t => {
  const at = await startMoving(t)
  const product = PRETIX[0]?.indexOf('Product')
  const file = many(PRETIX, 60).map((cells, line) =>
    cells.map((cell, column) => (line > 0 && column === product ? `Product ${line}` : cell)),
  )
  const { id, outcome } = await at.check(asCsv(file))
  assert.equal(outcome?.more_missing, true)
  assert.equal((await at.missing(id)).length, 50)
  const next = await at.makeTypes(id, new Array(50).fill(1))
  assert.equal((await at.missing(id)).length, 10)
  assert.deepEqual([next.outcome?.new, next.outcome?.more_missing], [50, undefined])
})
