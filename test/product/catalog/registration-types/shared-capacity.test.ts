import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityOf, sumCapacity } from '#product/catalog/registration-types/shared-capacity.ts'

type Pools = [capacity: number, ...names: string[]][]

const types = (capacities: Record<string, number>) =>
  Object.entries(capacities).map(([id, capacity]) => ({ id, capacity }))
const pools = (all: Pools) => all.map(([capacity, ...names]) => ({ capacity, registration_type_ids: names }))
const summed = (capacities: Record<string, number>, all: Pools) => sumCapacity(types(capacities), pools(all))

test('types that share a pool have no more tickets together than the pool, and others have their own', () => {
  assert.equal(summed({}, []), 0)
  assert.equal(summed({ a: 60, b: 60 }, []), 120)
  assert.equal(summed({ a: 60, b: 60 }, [[110, 'a', 'b']]), 110)
  assert.equal(summed({ a: 60, b: 60, c: 30 }, [[110, 'a', 'b']]), 140)
  assert.equal(summed({ a: 60, b: 60 }, [[500, 'a', 'b']]), 120)
  assert.equal(summed({ a: 60, b: 60 }, [[0, 'a', 'b']]), 0)
  assert.equal(summed({ a: 60 }, [[10, 'a', 'gone']]), 10)
})

test('a pool within another counts for no more than it has, in whichever order they were made', () => {
  const nested: Pools = [
    [110, 'a', 'b', 'c'],
    [20, 'a', 'b'],
  ]
  for (const all of [nested, nested.toReversed()]) {
    assert.equal(summed({ a: 60, b: 60, c: 60 }, all), 80)
    assert.equal(summed({ a: 60, b: 60, c: 200 }, all), 110)
  }
})

test('of any types and pools at least as many are counted as an exhaustive search sells, and exactly as many where no pools cross', () => {
  let seed = 20261126
  const upTo = (most: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % (most + 1)
  }
  for (let run = 0; run < 300; run++) {
    const capacities = { a: upTo(4), b: upTo(4), c: upTo(4) }
    const names = Object.keys(capacities)
    const all: Pools = Array.from({ length: upTo(3) }, () => [upTo(6), ...names.filter(() => upTo(100) < 60)])
    const most = mostSold(capacities, all)
    const counted = summed(capacities, all)
    const what = JSON.stringify({ capacities, all, most, counted })
    assert.ok(counted >= most, what)
    if (!doCross(all)) assert.equal(counted, most, what)
  }
})

function mostSold({ a = 0, b = 0, c = 0 }: Record<string, number>, all: Pools): number {
  let most = 0
  for (let x = 0; x <= a; x++)
    for (let y = 0; y <= b; y++)
      for (let z = 0; z <= c; z++) {
        const sold: Record<string, number> = { a: x, b: y, c: z }
        const fits = all.every(
          ([capacity, ...names]) => names.reduce((total, name) => total + (sold[name] ?? 0), 0) <= capacity,
        )
        if (fits) most = Math.max(most, x + y + z)
      }
  return most
}

function doCross(all: Pools): boolean {
  return all.some(([, ...one]) =>
    all.some(([, ...other]) => {
      const shared = one.filter(name => other.includes(name)).length
      return shared > 0 && shared < one.length && shared < other.length
    }),
  )
}

test('a type has no more tickets than its smallest pool', () => {
  assert.equal(capacityOf({ capacity: 120, pools: [] }), 120)
  assert.equal(
    capacityOf({
      capacity: 120,
      pools: pools([
        [110, 'a'],
        [200, 'a'],
      ]),
    }),
    110,
  )
})
