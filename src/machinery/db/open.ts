import type { Engine } from './engine.ts'
import { describeSqlite, sqliteIn } from './sqlite/engine.ts'

/** What keeps the database that the settings name, `data` being the data folder. */
export function engineOf({ data }: { data: string }): Engine {
  return sqliteIn(data)
}

/** The engine with its version. */
export function describeEngine(): string {
  return describeSqlite()
}
