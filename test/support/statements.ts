import type { TestContext } from 'node:test'
import type { Value } from '#machinery/db/port.ts'

export interface Statement {
  /** The values of its last run. */
  params: readonly Value[]
  /** The places in the sources that run it, as `src/product/catalog/events/store.ts:34`. */
  places: Set<string>
  /** The functions of stores that have given it, as `product/catalog/events/store.ts find`. */
  stores: Set<string>
}

/** The statements that were carried out, by their text. */
export type Statements = Map<string, Statement>

/** Takes down every statement that any object of a class is given from now on, as the first argument of these methods. */
export function recordStatements<Method extends string>(
  t: TestContext,
  { prototype }: { prototype: Record<Method, (sql: string, params?: readonly Value[]) => unknown> },
  methods: readonly Method[],
): Statements {
  const statements: Statements = new Map()
  for (const method of methods) {
    const original = prototype[method]
    t.mock.method(
      prototype as Record<string, typeof original>,
      method,
      function (this: unknown, ...args: Parameters<typeof original>) {
        const [sql, params = []] = args
        if (/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql)) {
          const { places, stores } = statements.get(sql) ?? {
            places: new Set<string>(),
            stores: new Set<string>(),
          }
          const { place, store } = findCaller()
          if (store !== undefined) stores.add(store)
          statements.set(sql, { params, places: places.add(place), stores })
        }
        return original.apply(this, args)
      },
    )
  }
  return statements
}

/** Finds the nearest of our sources that is calling, and the nearest function of a store. */
function findCaller(): { place: string; store: string | undefined } {
  const { stack = '' } = new Error()
  // The transaction of an account only hands on.
  const place =
    /\b(src\/(?!machinery\/db\/account-transaction)[\w/.-]+:\d+):\d+/.exec(stack)?.[1] ?? 'nowhere'
  const [, name, file] = /at (?:async )?(?:\w+\.)?(\w+) \(.*\/src\/(\S+[/-]store\.ts):/.exec(stack) ?? []
  return { place, store: name && `${file} ${name}` }
}
