import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAtOnce, THREAD } from './postgres-thread.ts'

/**
 * Returns the PostgreSQL cluster whose databases the tests use instead of files, such as `postgresql://turnout@127.0.0.1:5432`, or
 * undefined for SQLite. The user owns the cluster, which may lose all of them, so it need not sync.
 */
export function clusterUrl(): string | undefined {
  return process.env.TURNOUT_TEST_ENGINE || undefined
}

/** The database that has the tables and no row. The runner makes it. */
export const TEMPLATE = 'turnout_blank'

/**
 * To make a database takes a hundred milliseconds, and to empty one takes ten. So the processes of a run share databases, and a
 * file here says which are in use. Runs on other clusters have folders of their own.
 */
function poolFolder(): string {
  return join(tmpdir(), `turnout-test-databases-${new URL(clusterUrl() ?? '').port}`)
}

interface Claim {
  database: string
  /** The file of the claim. It is removed when nobody uses the database any more. */
  file: string
  /** True if its tables are no longer those of the schema, so nobody else can have it. */
  isSpoiled?: boolean
}

/** The databases of this process, by their data folders. */
const claims = new Map<string, Claim>()
const ended = new Set<string>()

/** Returns the address of the database that stands for a data folder. An empty one is made where there is none. */
export function databaseUrlOf(folder: string): string {
  const note = noteOf(folder)
  const database = existsSync(note) ? readFileSync(note, 'utf8') : claim(folder, 'empty')
  return urlOf(database)
}

/** Makes the database of a data folder, with all tables and no row. */
export function makeBlankDatabase(folder: string): void {
  claim(folder, 'blank')
}

/** Gives the database of a folder back some time later, if it has one. */
export function giveBackLater(folder: string): void {
  if (claims.has(folder)) ended.add(folder)
}

/** Keeps every other test from getting the database of a folder. */
export function spoil(folder: string): void {
  const claim = claims.get(folder)
  if (claim !== undefined) claim.isSpoiled = true
}

/** Keeps every other test from getting any database that this process has now. */
export function spoilAll(): void {
  for (const claim of claims.values()) claim.isSpoiled = true
}

export function urlOf(database: string): string {
  return `${clusterUrl()}/${database}`
}

/** Forgets what an earlier run has left, and makes the database of which the tests' databases are copies. */
export function resetPool(): void {
  rmSync(poolFolder(), { recursive: true, force: true })
  mkdirSync(poolFolder(), { recursive: true })
  const left = runAtOnce(urlOf('postgres'), [
    "SELECT datname FROM pg_database WHERE datname LIKE 'turnout\\_%'",
  ])
  runAtOnce(urlOf('postgres'), [...left.map(dropping), creating(TEMPLATE, 'template0')])
}

function dropping(database: string): string {
  return `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`
}

function creating(database: string, template: string): string {
  return `CREATE DATABASE ${database} TEMPLATE ${template} ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'`
}

/** Where the programs that a test starts find the database of a folder. */
function noteOf(folder: string): string {
  return `${folder}.database`
}

function claim(folder: string, kind: 'blank' | 'empty'): string {
  for (const each of ended) giveBack(each)
  ended.clear()
  const claim = claimFree(kind)
  claims.set(folder, claim)
  writeFileSync(noteOf(folder), claim.database)
  return claim.database
}

function claimFree(kind: 'blank' | 'empty'): Claim {
  for (let number = 1; ; number++) {
    const database = `turnout_${kind}_${number}`
    const file = join(poolFolder(), database)
    try {
      closeSync(openSync(file, 'wx'))
    } catch {
      continue
    }
    const made = `${file}.made`
    if (existsSync(made)) runAtOnce(urlOf(database), [kind === 'blank' ? EMPTY_TABLES : DROP_TABLES])
    else {
      const template = kind === 'blank' ? TEMPLATE : 'template0'
      runAtOnce(urlOf('postgres'), [dropping(database), creating(database, template)])
    }
    writeFileSync(made, '')
    return { database, file }
  }
}

const END_OTHERS = `PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name <> '${THREAD}';`

/** Deletes the rows of all tables that have some. */
const EMPTY_TABLES = `DO $$
  DECLARE name TEXT; has_rows BOOLEAN;
  BEGIN
    ${END_OTHERS}
    SET session_replication_role = replica;
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'turnout_engine' LOOP
      EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I)', name) INTO has_rows;
      IF has_rows THEN EXECUTE format('DELETE FROM %I', name); END IF;
    END LOOP;
    UPDATE turnout_engine SET system_identifier = NULL, database_oid = NULL, timeline = NULL;
  END $$`

const DROP_TABLES = `DO $$ BEGIN ${END_OTHERS} DROP SCHEMA public CASCADE; CREATE SCHEMA public; END $$`

function giveBack(folder: string): void {
  const claim = claims.get(folder)
  if (claim === undefined) return
  claims.delete(folder)
  rmSync(noteOf(folder), { force: true })
  // Whoever claims it next makes it anew.
  if (claim.isSpoiled === true) rmSync(`${claim.file}.made`, { force: true })
  rmSync(claim.file, { force: true })
}

process.on('exit', () => {
  for (const folder of [...claims.keys()]) giveBack(folder)
})
