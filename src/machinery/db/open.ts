import type { Engine } from './engine.ts'
import { describeSqlite, sqliteIn } from './sqlite/engine.ts'

/** Returns the engine of the database that the settings name. `data` is the data folder. */
export function engineOf({ data }: { data: string }): Engine {
  return sqliteIn(data)
}

/** Returns the name of the engine with its version. */
export function describeEngine(): string {
  return describeSqlite()
}
