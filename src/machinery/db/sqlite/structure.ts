import type { Connection } from './connection.ts'
import { describeStatement } from './create-statement.ts'

/** In characters. No statement of Turnout is longer, and a longer one is not read to its end. */
const LONGEST = 20_000
/** The most objects to read. More objects also cannot be of Turnout, and these are enough to show it. */
const MAX_OBJECTS = 1_000

/** The tables that ANALYZE leaves. They only influence which index is read. */
const STATISTICS = new Set([
  'CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

interface SchemaObject {
  type: string
  name: string
  table: string
  /** Null for an index that belongs to a constraint. */
  sql: string | null
}

/**
 * Returns the parts of a schema, a line each, whatever the order and the layout in which it was written. Migrated tables give the
 * same lines as new ones.
 */
export function describeStructure(connection: Connection): Set<string> {
  const lines = new Set<string>()
  for (const { type, name, table, sql } of readObjects(connection)) {
    if (sql === null) lines.add(`${type} ${name} of ${table}`)
    else for (const line of describe(sql) ?? [`${type} ${name}`]) lines.add(line)
  }
  return lines
}

/** Returns the objects that Turnout never has and that could do more than hold data: triggers, views, virtual tables. */
export function findForeignObjects(connection: Connection): string[] {
  return readObjects(connection)
    .filter(({ sql }) => sql !== null && describe(sql) === undefined)
    .map(({ type, name }) => `${type} ${name}`)
}

/** Makes the tables and indexes of a schema without their rows. The schema must have no foreign objects. */
export function copyStructure(from: Connection, to: Connection): void {
  const statements = readObjects(from).flatMap(({ sql }) => sql ?? [])
  const isTable = (sql: string) => sql.startsWith('CREATE TABLE')
  // `run` refuses a text that contains a second statement.
  for (const sql of statements.filter(isTable)) to.run(sql)
  for (const sql of statements.filter(sql => !isTable(sql))) to.run(sql)
}

function describe(sql: string): string[] | undefined {
  return sql.length > LONGEST ? undefined : describeStatement(sql)
}

function readObjects(connection: Connection): SchemaObject[] {
  return connection
    .all<SchemaObject>(
      `SELECT CAST(substr(type, 1, 20) AS TEXT) AS type, CAST(substr(name, 1, 100) AS TEXT) AS name,
         CAST(substr(tbl_name, 1, 100) AS TEXT) AS "table", CAST(substr(sql, 1, ${LONGEST + 1}) AS TEXT) AS sql
       FROM sqlite_schema ORDER BY rowid LIMIT ${MAX_OBJECTS}`,
    )
    .filter(({ sql }) => sql === null || !STATISTICS.has(sql))
}
