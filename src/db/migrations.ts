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
    const version = versionOf(connection)
    if (version > target) {
      throw new DatabaseRefused(
        `The database has version ${version}, and this program only knows versions up to ${target}. Run a newer Turnout.`,
      )
    }
    if (version === 0) {
      const tables = connection.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_master')
      if (tables?.count !== 0)
        throw new DatabaseRefused('The database file is not one of Turnout. Choose another --data folder.')
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
