import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_AMOUNT, portion, shareOut } from '#base/money.ts'

const sumOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0)

test('a part of an amount is rounded half up to the minor unit', () => {
  for (const [amount, basisPoints, part] of [
    [0, 10_000, 0],
    [1, 4_999, 0],
    [1, 5_000, 1],
    [1_050, 500, 53],
    [1_049, 500, 52],
    [4_999, 0, 0],
    [4_999, 10_000, 4_999],
    [100 * MAX_AMOUNT, 9_999, 9_998_999_900],
  ] as const)
    assert.equal(portion(amount, basisPoints), part, `${basisPoints} of ${amount}`)
  // One is the tax that a price includes, the other a price less some percent.
  assert.equal(portion(1_210, 2_100, 12_100), 210)
  assert.equal(portion(999, 67, 100), 669)
})

test('a part is exact where a product is larger than a number keeps', () => {
  const all = 9_007_199_254_740_991
  assert.equal(portion(all, 9_999, 10_000), 9_006_298_534_815_517)
  assert.equal(portion(all, all - 1, all), all - 1)
})

test('what is shared out comes to the amount, and what rounding leaves over goes to the largest remainders, of equal ones to the first', () => {
  assert.deepEqual(shareOut(100, [1, 1, 1]), [34, 33, 33])
  assert.deepEqual(shareOut(5, [1, 5, 2]), [1, 3, 1])
  assert.deepEqual(shareOut(10, [0, 3, 0]), [0, 10, 0])
  assert.deepEqual(shareOut(7, [0, 0]), [7, 0])
  assert.deepEqual(shareOut(7, []), [])
  for (let seed = 1; seed < 500; seed++) {
    const weights = Array.from({ length: (seed % 7) + 1 }, (_, at) => (seed * (at + 3) * 7_919) % 5_003)
    const amount = (seed * 104_729) % MAX_AMOUNT
    const parts = shareOut(amount, weights)
    assert.equal(sumOf(parts), amount)
    for (const [at, part] of parts.entries()) {
      const exact = sumOf(weights) === 0 ? part : (amount * (weights[at] as number)) / sumOf(weights)
      assert.ok(Math.abs(part - exact) < 1, `${part} of ${exact}`)
    }
  }
})
