import type { Engine } from './engine.ts'
import { readPostgresAddress } from './postgres/address.ts'
import { postgresAt } from './postgres/engine.ts'
import { describeSqlite, sqliteIn } from './sqlite/engine.ts'

/** Where the database is. */
export interface DatabasePlace {
  /** The data folder, which has the database file of SQLite. */
  data: string
  /** The address of a PostgreSQL database, or the file that has it. Then the folder only has what a server needs beside it. */
  databaseUrl?: string | undefined
}

/** Returns the engine of the database that the settings name. @throws Refusal if the address is not one */
export function engineOf({ data, databaseUrl }: DatabasePlace): Engine {
  return databaseUrl === undefined ? sqliteIn(data) : postgresAt(readPostgresAddress(databaseUrl), data)
}

/** Returns the name of the default engine with its version. */
export function describeEngine(): string {
  return describeSqlite()
}
