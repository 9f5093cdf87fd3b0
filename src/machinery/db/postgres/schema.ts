import { randomBytes } from 'node:crypto'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { schemaSql } from '../schema.ts'
import type { Connection } from './connection.ts'

/** The version of the schema, as SQLite's `user_version` has it. PostgreSQL begins with today's. */
const VERSION = 2

/** A lock of this database that is taken while its tables are made or changed. */
const SCHEMA_LOCK = 'pg_advisory_xact_lock(7472, 1)'

/**
 * The schema as PostgreSQL gets it. Its INTEGER has 32 bits, and a whole number of the program has 53: SQLite's INTEGER has room
 * for it, so here it is a BIGINT.
 */
export const postgresSchema = schemaSql.replace(/\bINTEGER\b/g, 'BIGINT')

/** What SQLite keeps in the header of its file. */
const ENGINE_TABLE = `CREATE TABLE turnout_engine (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  schema_version BIGINT NOT NULL,
  -- The database as the servers know it, until one runs.
  system_identifier TEXT,
  database_oid BIGINT,
  timeline TEXT
)`

/** The newest commit of each writer, by which it learns how a commit has ended whose answer was lost. */
const COMMITS_TABLE = `CREATE TABLE turnout_commits (
  writer TEXT PRIMARY KEY,
  write_number BIGINT NOT NULL
)`

/** After this many commits of others, nobody asks any more how one has ended. */
const ASKED_WITHIN = 100_000

/**
 * Makes the tables in an empty database, and refuses a database that this program must leave as it is.
 *
 * @param place of the database, in sentences
 * @throws Refusal
 */
export async function makeReady(connection: Connection, place: string, clock: Clock): Promise<void> {
  await connection.query('BEGIN')
  try {
    await connection.query(`SELECT ${SCHEMA_LOCK}`)
    const version = await findVersion(connection, place)
    if (version === undefined) {
      await connection.script(`${postgresSchema};\n${ENGINE_TABLE};\n${COMMITS_TABLE}`)
      await connection.query('INSERT INTO turnout_engine (id, schema_version) VALUES (1, $1)', [VERSION])
    } else refuseOtherVersion(version, place)
    await connection.query(
      `INSERT INTO instance (id, cursor_secret, latest_write_at, created_at, updated_at)
       VALUES (1, $1, 0, $2, $2) ON CONFLICT (id) DO NOTHING`,
      [randomBytes(32).toString('base64url'), clock()],
    )
    await connection.query(
      'DELETE FROM turnout_commits WHERE write_number < (SELECT write_number - $1 FROM instance)',
      [ASKED_WITHIN],
    )
    await connection.query('COMMIT')
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Returns whether the database has the tables of the program. @throws Refusal if it has others */
export async function hasTables(connection: Connection, place: string): Promise<boolean> {
  return (await findVersion(connection, place)) !== undefined
}

/** Refuses a database whose tables are not those of this program. @throws Refusal */
export async function refuseUnfitSchema(connection: Connection, place: string): Promise<void> {
  const version = await findVersion(connection, place)
  if (version === undefined) throw new Refusal(`There is no database of Turnout in ${place}.`)
  refuseOtherVersion(version, place)
}

async function findVersion(connection: Connection, place: string): Promise<number | undefined> {
  const { rows } = await connection.query<{ tables: number; own: number }>(
    `SELECT count(*) AS tables, count(CASE WHEN c.relname = 'turnout_engine' THEN 1 END) AS own
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
  )
  const { tables = 0, own = 0 } = rows[0] ?? {}
  if (tables === 0) return undefined
  if (own === 0) {
    throw new Refusal(
      `${place} has tables that are not of Turnout. Name an empty database with --database-url.`,
    )
  }
  const versions = await connection.query<{ schema_version: number }>(
    'SELECT schema_version FROM turnout_engine',
  )
  return versions.rows[0]?.schema_version ?? 0
}

function refuseOtherVersion(version: number, place: string): void {
  if (version > VERSION) {
    throw new Refusal(
      `${place} has version ${version}, and this program only knows versions up to ${VERSION}. Run a newer Turnout.`,
    )
  }
  if (version < VERSION) throw new Refusal(`${place} is no database of Turnout: it has version ${version}.`)
}
