import { DatabaseRefused } from './port.ts'
import { schemaSql } from './schema.ts'
import type { Connection } from './sqlite-connection.ts'

/** What turns a database of one version into the next; the first entry makes version 2 of version 1. */
export const migrations: readonly string[] = []

export interface Schema {
  /** Creates the current version in an empty database. */
  create: string
  migrations: readonly string[]
}

export const currentSchema: Schema = { create: schemaSql, migrations }

/**
 * Refuses what this program must leave as it is, and changes nothing.
 *
 * @throws DatabaseRefused when the database is newer than the program, or is not one of this program's
 */
export function refuseForeign(connection: Connection, schema: Schema = currentSchema): void {
  const version = versionOf(connection)
  const tables = connection.get<{ count: number; own: number }>(
    "SELECT count(*) AS count, count(CASE WHEN name = 'instance' THEN 1 END) AS own FROM sqlite_master",
  )
  if (version === 0 ? tables?.count !== 0 : tables?.own !== 1) {
    throw new DatabaseRefused('The database file is not one of Turnout. Choose another --data folder.')
  }
  const target = schema.migrations.length + 1
  if (version > target) {
    throw new DatabaseRefused(
      `The database has version ${version}, and this program only knows versions up to ${target}. Run a newer Turnout.`,
    )
  }
}

/**
 * Brings a database to the version of this program, in one transaction; a fresh one gets the whole schema. Safe
 * when two processes do it at once: the second finds it done.
 *
 * @throws DatabaseRefused when the database is newer than the program, or is not one of this program's
 */
export function migrate(connection: Connection, schema: Schema = currentSchema): void {
  const target = schema.migrations.length + 1
  if (versionOf(connection) === target) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    refuseForeign(connection, schema)
    const version = versionOf(connection)
    if (version === 0) {
      connection.exec(schema.create)
    } else {
      for (const step of schema.migrations.slice(version - 1)) connection.exec(step)
    }
    connection.pragma(`user_version = ${target}`)
    connection.exec('COMMIT')
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

function versionOf(connection: Connection): number {
  return connection.pragma('user_version') as number
}
