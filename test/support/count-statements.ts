import type { TestContext } from 'node:test'
import { Connection as PostgresConnection } from '#machinery/db/postgres/connection.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'

/** Counts the statements that read rows, of either engine. @returns counts those of some work */
export function countStatements(t: TestContext): (work: () => Promise<unknown>) => Promise<number> {
  let count = 0
  const watch = (prototype: object, method: string) => {
    const owner = prototype as Record<string, (...args: unknown[]) => unknown>
    const original = owner[method] as (...args: unknown[]) => unknown
    t.mock.method(owner, method, function (this: unknown, ...args: unknown[]) {
      if (/^\s*(SELECT|WITH)\b/i.test(String(args[0]))) count++
      return original.apply(this, args)
    })
  }
  for (const method of ['get', 'all']) watch(Connection.prototype, method)
  watch(PostgresConnection.prototype, 'query')
  return async work => {
    const before = count
    await work()
    return count - before
  }
}
