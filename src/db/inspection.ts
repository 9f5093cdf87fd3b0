import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { Reader } from './batches.ts'
import { GroupRead } from './group-read.ts'
import { currentSchema, latestVersion, refuseNewer, type Schema } from './migrations.ts'
import { DatabaseRefused } from './port.ts'
import { Connection, explainOpening, sqliteCodeOf } from './sqlite-connection.ts'
import { describeStructure, findForeignObjects } from './structure.ts'

/** How long it waits for a process that does not let it read, in milliseconds. */
const BUSY_TIMEOUT = 5_000
/** Errors of one kind that are told: more of them say no more. */
const MOST = 100

/** How every SQLite database begins. */
const MAGIC = 'SQLite format 3\0'

/**
 * Refuses what is no SQLite file at all, before anything opens it.
 *
 * @throws DatabaseRefused
 * @throws Error ENOENT, EACCES
 */
export function refuseOtherFiles(path: string): void {
  const head = Buffer.alloc(MAGIC.length)
  const stats = statSync(path)
  if (stats.isDirectory()) throw new DatabaseRefused(`${path} is a folder, not a file.`)
  if (stats.isFile()) {
    const file = openSync(path, 'r')
    try {
      readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  }
  if (head.toString('latin1') !== MAGIC) throw new DatabaseRefused(`${path} is no database of Turnout.`)
  const beside = ['-wal', '-journal']
    .map(end => path + end)
    .find(name => existsSync(name) && statSync(name).size > 0)
  if (beside !== undefined) {
    throw new DatabaseRefused(
      `${path} is not whole: it belongs together with ${beside}, which is beside it. Make a whole file of it with "turnout backup".`,
    )
  }
}

/**
 * Looks at a whole file that may come from anywhere.
 *
 * @param name of the file, in the sentences
 * @throws DatabaseRefused when it is damaged, newer than this program, or not one of this program's
 */
export function refuseUnfit(path: string, name: string, schema: Schema = currentSchema): { version: number } {
  let connection: Connection | undefined
  try {
    connection = new Connection(path, BUSY_TIMEOUT)
    connection.pragma('query_only = ON')
    const version = connection.pragma('user_version') as number
    refuseNewer(name, version, schema)
    const strange =
      version === latestVersion(schema) ? compareStructure(connection, schema) : findStrange(connection)
    if (version < 1 || strange.length > 0) {
      const [first = 'it has no version'] = strange
      throw new DatabaseRefused(`${name} is no database of Turnout: ${first}.`)
    }
    const [damage = findOrphans(connection)[0]] = findFileDamage(connection)
    if (damage !== undefined) {
      throw new DatabaseRefused(`${name} is damaged: ${damage}. Take another backup.`)
    }
    return { version }
  } catch (error) {
    throw explainOpening(name, error, 'Take another backup.')
  } finally {
    connection?.close()
  }
}

/**
 * Looks for damage in a database that may be in use: writes go on. The file is looked at in one snapshot; the rows take far
 * longer, and as long as one snapshot is held no server can empty its log.
 *
 * @param findMore looks at the rows, in short reads
 * @returns a sentence for each damage
 * @throws DatabaseRefused when it cannot be opened, or has another version than this program
 */
export async function inspect(
  path: string,
  findMore: (reader: Reader) => Promise<string[]>,
  schema: Schema = currentSchema,
): Promise<string[]> {
  const errors: string[] = []
  let connection: Connection | undefined
  try {
    const opened = new Connection(path, BUSY_TIMEOUT)
    connection = opened
    opened.pragma('query_only = ON')
    const reads = new GroupRead(opened, Date.now)
    await reads.read(async () => {
      const version = opened.pragma('user_version') as number
      const target = latestVersion(schema)
      if (version !== target) throw new DatabaseRefused(explainVersion(path, version, target))
      // One after another: what comes later may throw.
      errors.push(...findFileDamage(opened))
      errors.push(...compareStructure(opened, schema))
      errors.push(...findOrphans(opened))
    })
    errors.push(...(await findMore(reads)))
  } catch (error) {
    // What is damaged as a file often cannot be read to its end.
    const damaged = /^SQLITE_(NOTADB|CORRUPT)/.test(sqliteCodeOf(error) ?? '')
    if (!damaged && errors.length === 0) throw explainOpening(path, error)
    errors.push(`not everything can be read: ${(error as Error).message}`)
  } finally {
    connection?.close()
  }
  return errors
}

function explainVersion(path: string, version: number, target: number): string {
  if (version === 0) return `${path} is no database of Turnout. Choose another --data folder.`
  const what =
    version < target
      ? 'Start the server once, which brings it up to date'
      : 'Use the Turnout that it is used with, which is newer'
  return `${path} has version ${version}, and this program checks version ${target}. ${what}.`
}

function findFileDamage(connection: Connection): string[] {
  try {
    return checkIntegrity(connection, MOST)
  } catch (error) {
    // Damage that the search itself cannot read past: then it ends at the first, which it can tell of.
    const first = checkIntegrity(connection, 1)
    if (first.length === 0) throw error
    return first
  }
}

function checkIntegrity(connection: Connection, most: number): string[] {
  return connection
    .all<{ integrity_check: string }>(`PRAGMA integrity_check(${most})`)
    .map(row => row.integrity_check.replace('*** in database main ***', '').replace(/\s+/g, ' ').trim())
    .filter(text => text !== 'ok')
}

function findOrphans(connection: Connection): string[] {
  const orphans = connection.all<{ table: string; rowid: number | null; parent: string }>(
    `SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ${MOST}`,
  )
  return orphans.map(({ table, rowid, parent }) => `row ${rowid} of ${table} lacks its row of ${parent}`)
}

/** @returns a sentence for each difference to the schema of this program */
function compareStructure(connection: Connection, schema: Schema): string[] {
  const reference = new Connection(':memory:', 0)
  try {
    reference.exec(schema.create)
    const expected = describeStructure(reference)
    const found = describeStructure(connection)
    return [
      ...[...expected].filter(line => !found.has(line)).map(line => `the schema lacks ${line}`),
      ...[...found].filter(line => !expected.has(line)).map(line => `the schema has a strange ${line}`),
    ].slice(0, MOST)
  } finally {
    reference.close()
  }
}

/** Of an older version, whose schema this program does not know in every detail. */
function findStrange(connection: Connection): string[] {
  const instance = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'instance'")
  return [
    ...(instance === undefined ? ['it lacks the table instance'] : []),
    ...findForeignObjects(connection).map(line => `the schema has a strange ${line}`),
  ]
}
