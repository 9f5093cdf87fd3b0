import { Refusal } from '#base/refusal.ts'
import { wordsOf } from '#base/words.ts'
import { StagedFile } from '#machinery/files/staged-file.ts'
import { schemaSql } from '../schema.ts'
import { type Connection, sqliteCodeOf } from './connection.ts'
import { toVersion2 } from './version-2.ts'

/** The steps from one version to the next. The first entry makes version 2 from version 1. */
export const migrations: readonly string[] = [toVersion2]

/**
 * Returns the words by which a registration's people are found, as JSON. SQLite cannot split a text itself, so migrations call
 * this function.
 */
function wordsOfRegistration(name: unknown, email: unknown, attendees: unknown): string {
  const asText = (value: unknown) => (typeof value === 'string' ? value : null)
  const holders = JSON.parse(String(attendees)) as [unknown, unknown][]
  const people = [[name, email], ...holders].map(([name, email]) => ({
    name: asText(name),
    email: asText(email),
  }))
  return JSON.stringify([...wordsOf(people)])
}

/** Turns the tables of an older version into those of this program. */
export function runMigrations(connection: Connection, version: number, { migrations }: Schema): void {
  connection.define('words_of', wordsOfRegistration)
  for (const step of migrations.slice(version - 1)) connection.exec(step)
}

export interface Schema {
  /** Creates the current version in an empty database. */
  create: string
  migrations: readonly string[]
}

export const currentSchema: Schema = { create: schemaSql, migrations }

/**
 * Refuses a database that this program must leave as it is. It changes nothing.
 *
 * @throws Refusal if the database is newer than the program, or is not a database of Turnout
 */
export function refuseForeign(connection: Connection, schema: Schema = currentSchema): void {
  const version = versionOf(connection)
  const tables = connection.get<{ count: number; own: number }>(
    "SELECT count(*) AS count, count(CASE WHEN name = 'instance' THEN 1 END) AS own FROM sqlite_master",
  )
  if (version === 0 ? tables?.count !== 0 : tables?.own !== 1) {
    throw new Refusal('The database file is not one of Turnout. Choose another --data folder.')
  }
  refuseNewer('The database', version, schema)
}

/** Refuses a newer database. @param name of the database, in the sentence. @throws Refusal */
export function refuseNewer(name: string, version: number, schema: Schema): void {
  const latest = latestVersion(schema)
  if (version > latest) {
    throw new Refusal(
      `${name} has version ${version}, and this program only knows versions up to ${latest}. Run a newer Turnout.`,
    )
  }
}

export function latestVersion({ migrations }: Schema): number {
  return migrations.length + 1
}

/** Returns whether the database has the tables of an older version than this program. */
export function isOlder(connection: Connection, schema: Schema = currentSchema): boolean {
  const version = versionOf(connection)
  return version > 0 && version < latestVersion(schema)
}

/**
 * Migrates a database to the version of this program, in one transaction. A new one gets the whole schema. Two processes may do
 * it at once, and then the second finds it done. Before an old database changes, it is copied to `<path>.before-v<version>`.
 *
 * @param path of the database
 * @throws Refusal if the database is newer than the program, is not a database of Turnout, or cannot be copied
 */
export function migrate(connection: Connection, path: string, schema: Schema = currentSchema): void {
  const target = latestVersion(schema)
  for (;;) {
    const version = versionOf(connection)
    if (version === target) return
    const isOld = version > 0 && version < target
    // The copy cannot be made within the transaction. If another process has written meanwhile, it is made again.
    const commits = dataVersionOf(connection)
    const copy = isOld ? copyBefore(connection, path, version, target) : undefined
    try {
      connection.exec('BEGIN IMMEDIATE')
      if (versionOf(connection) === version && (!isOld || dataVersionOf(connection) === commits)) {
        copy?.place({ replace: true })
        applyMigrations(connection, version, schema)
        connection.exec('COMMIT')
        return
      }
      connection.exec('ROLLBACK')
    } catch (error) {
      connection.rollBack()
      throw error
    } finally {
      copy?.discard()
    }
  }
}

/** Runs the steps within the transaction. @throws Refusal */
function applyMigrations(connection: Connection, version: number, schema: Schema): void {
  refuseForeign(connection, schema)
  if (version === 0) connection.exec(schema.create)
  else runMigrations(connection, version, schema)
  connection.pragma(`user_version = ${latestVersion(schema)}`)
}

/** Copies the database to a staged file. @throws Refusal */
function copyBefore(connection: Connection, path: string, version: number, target: number): StagedFile {
  const place = `${path}.before-v${target}`
  const copy = new StagedFile(place)
  try {
    connection.run('VACUUM INTO $1', [copy.path])
    return copy
  } catch (error) {
    copy.discard()
    const code = sqliteCodeOf(error)
    if (code === undefined || !/^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|PERM)/.test(code)) throw error
    throw new Refusal(
      `The database has version ${version} and was not migrated to version ${target}, as its copy, ${place}, cannot be written (${code}). Make room on its disk, then start again.`,
      { cause: error },
    )
  }
}

function versionOf(connection: Connection): number {
  return connection.pragma('user_version') as number
}

/** Returns a number that changes with each commit of another connection. */
function dataVersionOf(connection: Connection): number {
  return connection.pragma('data_version') as number
}
