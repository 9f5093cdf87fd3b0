import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { Reader } from '../batches.ts'
import type { FaultFinder } from '../engine.ts'
import { Connection, explainOpening, sqliteCodeOf } from './connection.ts'
import { GroupRead } from './group-read.ts'
import { currentSchema, latestVersion, refuseNewer, runMigrations, type Schema } from './migrations.ts'
import { copyStructure, describeStructure, findForeignObjects } from './structure.ts'

/** How long the inspection waits for a process that keeps it from reading, in milliseconds. */
const BUSY_TIMEOUT = 5_000
/** The most errors of one kind to report. More would add nothing. */
const MAX_FINDINGS = 100
/** In characters. */
const LONGEST_SENTENCE = 1_000

/** The beginning of every SQLite database. */
const MAGIC = 'SQLite format 3\0'

/**
 * Refuses a file that is not of SQLite, before anything opens it.
 *
 * @throws Refusal
 * @throws Error ENOENT, EACCES
 */
export function refuseOtherFiles(path: string): void {
  const head = Buffer.alloc(MAGIC.length)
  const stats = statSync(path)
  if (stats.isDirectory()) throw new Refusal(`${path} is a folder, not a file.`)
  if (stats.isFile()) {
    const file = openSync(path, 'r')
    try {
      readSync(file, head, 0, head.length, 0)
    } finally {
      closeSync(file)
    }
  }
  if (head.toString('latin1') !== MAGIC) throw new Refusal(`${path} is no database of Turnout.`)
  const beside = ['-wal', '-journal']
    .map(end => path + end)
    .find(name => existsSync(name) && statSync(name).size > 0)
  if (beside !== undefined) {
    throw new Refusal(
      `${path} is not whole: it belongs together with ${beside}, which is beside it. Make a whole file of it with "turnout backup".`,
    )
  }
}

/**
 * Inspects a whole file that may come from anywhere. It is trusted step by step: a schema is used only if every word of it is
 * known, and rows are read only if the file is whole.
 *
 * @param name of the file, in the sentences
 * @throws Refusal if the file is damaged, newer than this program, not a database of Turnout, or has unfit rows
 */
export async function refuseUnfit(
  path: string,
  name: string,
  findUnfit: FaultFinder,
  schema: Schema = currentSchema,
): Promise<{ version: number }> {
  let connection: Connection | undefined
  try {
    connection = openForReading(path)
    const version = connection.pragma('user_version') as number
    refuseNewer(name, version, schema)
    const [strange] = version < 1 ? ['it has no version'] : findStrange(connection, version, schema)
    if (strange !== undefined) throw noDatabase(name, strange)
    const [damage = findOrphans(connection)[0]] = findFileDamage(connection)
    if (damage !== undefined) {
      throw new Refusal(`${name} is damaged: ${tidy(damage)}. Take another backup.`)
    }
    const [unfit] = await findUnfit(new GroupRead(connection, Date.now))
    if (unfit !== undefined) {
      throw new Refusal(
        `${name} is not whole: ${tidy(unfit)}. Take another backup; "turnout check" tells more of a copy of this one.`,
      )
    }
    return { version }
  } catch (error) {
    // The file has the text of a statement that SQLite itself cannot read.
    if (sqliteCodeOf(error) === 'SQLITE_ERROR') throw noDatabase(name, (error as Error).message)
    throw explainOpening(name, error, 'Take another backup.')
  } finally {
    connection?.close()
  }
}

/**
 * Looks for damage in a database that may be in use. Writes go on. The file is inspected in one snapshot. The rows take far
 * longer, and no server can empty its log while one snapshot is held.
 *
 * @param findMore inspects the rows of a file that is whole
 * @returns a sentence for each damage
 * @throws Refusal if the database cannot be opened, or has another version than this program
 */
export async function inspect(
  path: string,
  findMore: FaultFinder,
  schema: Schema = currentSchema,
): Promise<string[]> {
  const errors: string[] = []
  let connection: Connection | undefined
  try {
    const opened = openForReading(path)
    connection = opened
    const reads = new GroupRead(opened, Date.now)
    const isReadable = await reads.read(INSTANCE, async () => {
      const version = refuseOtherVersion(opened, path, schema)
      // Each result is kept at once, because the next step may throw.
      errors.push(...findStrange(opened, version, schema))
      if (errors.length > 0) return false
      errors.push(...findFileDamage(opened))
      // A tree whose pages are linked wrongly may have no end.
      const isReadable = !errors.some(error => /\bpage\b/i.test(error))
      if (isReadable) errors.push(...findOrphans(opened))
      return isReadable
    })
    if (isReadable) errors.push(...(await findMore(reads)))
    else errors.push('the rows were not looked at, as that comes first')
  } catch (error) {
    // A damaged file often cannot be read to its end.
    const damaged = /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(sqliteCodeOf(error) ?? '')
    if (!damaged && errors.length === 0) throw explainOpening(path, error)
    errors.push(`not everything can be read: ${(error as Error).message}`)
  } finally {
    connection?.close()
  }
  return errors.map(tidy)
}

/**
 * Reads a database that may be in use, and changes nothing.
 *
 * @throws Refusal if it cannot be opened, or has another version than this program
 */
export async function look<T>(path: string, work: (reader: Reader) => Promise<T>): Promise<T> {
  let connection: Connection | undefined
  try {
    connection = openForReading(path)
    refuseOtherVersion(connection, path, currentSchema)
    return await work(new GroupRead(connection, Date.now))
  } catch (error) {
    throw explainOpening(path, error)
  } finally {
    connection?.close()
  }
}

/** @returns the version @throws Refusal */
function refuseOtherVersion(connection: Connection, path: string, schema: Schema): number {
  const version = connection.pragma('user_version') as number
  const target = latestVersion(schema)
  if (version !== target) throw new Refusal(explainVersion(path, version, target))
  return version
}

function noDatabase(name: string, why: string): Refusal {
  return new Refusal(`${name} is no database of Turnout: ${tidy(why)}.`)
}

function openForReading(path: string): Connection {
  const connection = new Connection(path, BUSY_TIMEOUT)
  connection.pragma('query_only = ON')
  // This makes SQLite distrust a damaged page about where its rows end.
  connection.pragma('cell_size_check = ON')
  return connection
}

/** Shortens a sentence that may quote the content of the file, and puts it into one line. */
function tidy(sentence: string): string {
  return sentence
    .slice(0, LONGEST_SENTENCE)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
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
    return checkIntegrity(connection, MAX_FINDINGS)
  } catch (error) {
    // The check itself cannot read past some damage. A check for one finding ends at the first, which it can report.
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
    `SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT ${MAX_FINDINGS}`,
  )
  return orphans.map(({ table, rowid, parent }) => `row ${rowid} of ${table} lacks its row of ${parent}`)
}

/** Compares the schema with that of this program. An older version is migrated first. @returns a sentence for each difference */
function findStrange(connection: Connection, version: number, schema: Schema): string[] {
  const encoding = connection.pragma('encoding') as string
  const foreign = [
    ...(encoding === 'UTF-8' ? [] : [`encoding ${encoding}`]),
    ...findForeignObjects(connection),
  ].map(line => `the schema has a strange ${line}`)
  // Nothing below may run with foreign objects in the schema.
  if (foreign.length > 0) return foreign.slice(0, MAX_FINDINGS)
  const found =
    version === latestVersion(schema) ? describeStructure(connection) : migrated(connection, version, schema)
  const expected = structureOf(schema)
  return [
    ...[...expected].filter(line => !found.has(line)).map(line => `the schema lacks ${line}`),
    ...[...found].filter(line => !expected.has(line)).map(line => `the schema has a strange ${line}`),
  ].slice(0, MAX_FINDINGS)
}

/** The structures of schemas, each worked out once: a restore of a copy without secrets looks twice. */
const structures = new WeakMap<Schema, Set<string>>()

function structureOf(schema: Schema): Set<string> {
  const known = structures.get(schema)
  if (known !== undefined) return known
  const structure = inMemory(reference => {
    reference.exec(schema.create)
    return describeStructure(reference)
  })
  structures.set(schema, structure)
  return structure
}

/** Returns the structure that an older version has after its migrations. A copy without rows shows it. */
function migrated(connection: Connection, version: number, schema: Schema): Set<string> {
  return inMemory(copy => {
    copyStructure(connection, copy)
    runMigrations(copy, version, schema)
    return describeStructure(copy)
  })
}

function inMemory<T>(work: (connection: Connection) => T): T {
  const connection = new Connection(':memory:', 0)
  try {
    return work(connection)
  } finally {
    connection.close()
  }
}
