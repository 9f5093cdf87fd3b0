import type { TestContext } from 'node:test'
import type { Clock } from '#base/time.ts'
import { type DatabasePlace, engineOf } from '#machinery/db/open.ts'
import type { Database } from '#machinery/db/port.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { databasePath } from '#machinery/db/sqlite/data-folder.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { dataFolder } from './blank-database.ts'
import { temporaryFolder } from './folder.ts'
import { clusterUrl, databaseUrlOf } from './postgres-cluster.ts'
import { copyRows } from './rows-postgres.ts'

// Every test comes to its database through this module and `rows.ts`, so another engine for the whole suite is a change of these. A
// data folder stands for one database.

/** Returns the settings by which this process finds the database of a data folder. */
export function engineSettings(data: string): DatabasePlace {
  return clusterUrl() === undefined ? { data } : { data, databaseUrl: databaseUrlOf(data) }
}

/** Returns the variables by which a program finds the database of the data folder that its arguments name. */
export function engineEnv(args: readonly string[]): Record<string, string> {
  const data = args[args.indexOf('--data') + 1]
  if (clusterUrl() === undefined || !args.includes('--data') || data === undefined) return {}
  return { TURNOUT_DATABASE_URL: databaseUrlOf(data) }
}

/** Returns what a sentence about a server calls its database. */
export function placeOf(data: string): string {
  return clusterUrl() === undefined ? data : engineOf(engineSettings(data)).place
}

/** Opens or makes the database of a data folder, as a command does. Whoever opens it closes it. */
export function openDatabase(data: string, clock: Clock): Promise<Database> {
  return engineOf(engineSettings(data)).openForCommand(clock)
}

/** Does the same, and closes it after the test. */
export async function openTestDatabase(
  t: Pick<TestContext, 'after'>,
  { data = dataFolder(t), clock }: { data?: string; clock: Clock },
): Promise<Database> {
  const db = await openDatabase(data, clock)
  t.after(() => db.close())
  return db
}

/** Makes a data folder with a copy of a database, which may be in use. */
export async function copyOf(t: Pick<TestContext, 'after'>, data: string): Promise<string> {
  if (clusterUrl() !== undefined) {
    const folder = dataFolder(t)
    await copyRows(data, folder)
    return folder
  }
  const folder = temporaryFolder(t)
  await backUp(databasePath(data), databasePath(folder))
  return folder
}

/** Returns what `turnout check` finds in a database: a sentence for each damage. */
export function damageOf(data: string): Promise<string[]> {
  return engineOf(engineSettings(data)).inspect(findDamage)
}

/** Tells whether the engine looks for a damage. PostgreSQL itself keeps all references, so nobody looks for one that is broken. */
export function isLookedFor(sentence: RegExp): boolean {
  return clusterUrl() === undefined || !sentence.source.includes('lacks its row')
}

/** For a test of what only the default engine has: its files, its commands, its statements. */
export const ofSqlite = { skip: clusterUrl() !== undefined && 'of SQLite alone' }
