import type { TestContext } from 'node:test'
import { EngineTransaction } from './engine-classes.ts'

/** Counts the statements by which transactions read rows. @returns counts those of some work */
export function countStatements(t: TestContext): (work: () => Promise<unknown>) => Promise<number> {
  let count = 0
  const prototype = EngineTransaction.prototype as unknown as Record<
    'one' | 'all',
    (...args: unknown[]) => unknown
  >
  for (const method of ['one', 'all'] as const) {
    const original = prototype[method]
    t.mock.method(prototype, method, function (this: unknown, ...args: unknown[]) {
      count++
      return original.apply(this, args)
    })
  }
  return async work => {
    const before = count
    await work()
    return count - before
  }
}
