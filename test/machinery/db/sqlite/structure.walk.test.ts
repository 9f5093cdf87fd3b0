import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaSql } from '#machinery/db/schema.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { describeStructure } from '#machinery/db/sqlite/structure.ts'

const statements = schemaSql
  .replace(/--.*/g, '')
  .split(';')
  .map(sql => sql.replace(/\s+/g, ' ').trim())
  .filter(sql => sql !== '')

/** Describes what the statements alone create. It is undefined if SQLite refuses them. */
function describe(...scripts: string[]): string[] | undefined {
  const connection = new Connection(':memory:', 0)
  try {
    for (const script of scripts) connection.exec(script)
    return [...describeStructure(connection)].sort()
  } catch {
    return undefined
  } finally {
    connection.close()
  }
}

/** Returns the parts of a CREATE TABLE between its commas. */
function partsOf(sql: string): { head: string; parts: string[] } {
  const open = sql.indexOf('(')
  const parts = ['']
  let depth = 0
  for (const character of sql.slice(open + 1, -1)) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return { head: sql.slice(0, open), parts: parts.map(part => part.trim()) }
}

function withoutEachPart(sql: string): string[] {
  const { head, parts } = partsOf(sql)
  return parts.map((_, left) => `${head}(${parts.filter((_, at) => at !== left).join(', ')})`)
}

/** The text with each match replaced in turn; `$1` is the first group. */
function each(sql: string, pattern: RegExp, replacement: string): string[] {
  return [...sql.matchAll(pattern)].map(
    ({ index, 0: found, 1: group = '' }) =>
      sql.slice(0, index) + replacement.replaceAll('$1', group) + sql.slice(index + found.length),
  )
}

const CONSTRAINT = /\b(NOT NULL|PRIMARY KEY NOT NULL|(?:UNIQUE|PRIMARY KEY)(?: \([^)]*\))?)/g
const REFERENCE = /(REFERENCES \w+ \([^)]*\))/g
const COLUMN_CHECK = / CHECK \((?:[^()]|\([^()]*\))*\)/g

/** Yields every statement that differs a little from `sql`, whether SQLite takes it or not. */
function mutantsOf(sql: string): string[] {
  return [
    ...(sql.startsWith('CREATE TABLE') ? withoutEachPart(sql) : []),
    ...['REPLACE', 'IGNORE', 'ROLLBACK', 'FAIL', 'ABORT'].flatMap(what =>
      each(sql, CONSTRAINT, `$1 ON CONFLICT ${what}`),
    ),
    ...each(sql, / (NOT NULL|UNIQUE|PRIMARY KEY)\b/g, ''),
    ...each(sql, REFERENCE, ''),
    ...each(sql, COLUMN_CHECK, ''),
    ...['ON DELETE CASCADE', 'ON UPDATE SET NULL', 'DEFERRABLE INITIALLY DEFERRED'].flatMap(what =>
      each(sql, REFERENCE, `$1 ${what}`),
    ),
    ...each(sql, / CHECK (\((?:[^()]|\([^()]*\))*\))/g, ' CHECK (1 /* $1 */)'),
    ...each(sql, / CHECK (\((?:[^()]|\([^()]*\))*\))/g, " DEFAULT 'CHECK $1'"),
    ...['TEXT', 'INTEGER', 'BIGINT'].flatMap(type => [
      ...each(sql, new RegExp(` ${type}\\b`, 'g'), ' BLOB'),
      ...each(sql, new RegExp(` (${type})\\b`, 'g'), ' $1 COLLATE NOCASE'),
      ...each(sql, new RegExp(` (${type})\\b`, 'g'), ' $1 DEFAULT 0'),
      ...each(sql, new RegExp(` (${type})\\b`, 'g'), ' $1 GENERATED ALWAYS AS (1)'),
    ]),
    // A quoted word, and one after a letter that only looks like a space, belong to the type; a comment ends at a line feed.
    ...each(sql, / NOT NULL/g, ' "NOT" NULL'),
    ...each(sql, / NOT NULL/g, ' \u00a0NOT NULL'),
    ...each(sql, / NOT NULL/g, ' -- \r NOT NULL\n'),
    ...each(sql, /(?<=\d)(?=[) ])/g, '0'),
    ...each(sql, /(?<=')(\w+)(?=')/g, 'other'),
    ...each(sql, /(?<=')(\w+)(?=')/g, ' $1'),
    ...each(sql, /(?<=')(\w+)(?=')/g, "$1''"),
    ...each(sql, / (?:AND|OR) /g, ' <> '),
    ...each(sql, / IS NOT NULL/g, ' IS NULL'),
    ...each(sql, / IS NULL/g, ' IS NOT NULL'),
    ...each(sql, / (?:>=|=) /g, ' < '),
    ...each(sql, /(?<=[(,] ?)(\w+)(?=[,)])/g, '$1 COLLATE NOCASE'),
    ...each(sql, /(?<=[(,] ?)(\w+)(?=[,)])/g, '$1 DESC'),
    ...each(sql, /(?<=[(,] ?)(\w+)(?=[,)])/g, 'lower($1)'),
    ...each(sql, /, \w+(?=[,)])/g, ''),
    ...each(sql, /^CREATE INDEX/g, 'CREATE UNIQUE INDEX'),
    ...each(sql, /^CREATE UNIQUE INDEX/g, 'CREATE INDEX'),
    ...each(sql, / WHERE .*/g, ''),
    ...each(sql, /$/g, ' STRICT'),
    ...each(sql, /$/g, ' WITHOUT ROWID'),
    ...each(sql, /$/g, ' WHERE created_at > 0'),
    ...each(sql, /\)$/g, ', more TEXT)'),
    ...each(sql, /\)$/g, ', CHECK (0))'),
  ]
}

test('any change in a statement of the schema changes the structure', () => {
  let valid = 0
  for (const sql of statements) {
    const table = / ON (\w+)/.exec(sql)?.[1]
    const before = /^CREATE (UNIQUE )?INDEX/.test(sql)
      ? statements.filter(other => other.startsWith(`CREATE TABLE ${table} `))
      : []
    const original = describe(...before, sql)
    assert.ok(original !== undefined && original.length > 0, sql)
    let taken = 0
    for (const mutant of new Set(mutantsOf(sql))) {
      const found = describe(...before, mutant)
      if (found === undefined) continue
      taken++
      assert.notDeepEqual(found, original, mutant)
    }
    assert.ok(taken >= 5, `Only ${taken} mutants of ${sql}`)
    valid += taken
  }
  assert.ok(valid > 2_000, String(valid))
})

test('layout, comments, the order of the parts and quoted names make no difference', () => {
  const original = describe(schemaSql)
  const reordered = statements.map(sql => {
    if (!sql.startsWith('CREATE TABLE')) return sql
    const { head, parts } = partsOf(sql)
    const isConstraint = (part: string) => /^(UNIQUE|CHECK|PRIMARY|FOREIGN)\b/.test(part)
    const columns = parts.filter(part => !isConstraint(part)).reverse()
    return `${head}(${[...columns, ...parts.filter(isConstraint).reverse()].join("/* , ) ' */\n\t,-- it's (\n")})`
  })
  assert.deepEqual(describe(...reordered), original)
  const renamed = ['instance', 'accounts', 'events', 'registration_types', 'attendees'].map(
    name => `ALTER TABLE ${name} RENAME TO other; ALTER TABLE other RENAME TO ${name};`,
  )
  assert.deepEqual(describe(schemaSql, ...renamed), original)
  assert.deepEqual(describe(schemaSql, 'VACUUM; ANALYZE; REINDEX'), original)
})

test('an object that is neither a table nor an index is reported by its name', () => {
  const original = new Set(describe(schemaSql))
  const more = (sql: string) => (describe(schemaSql, sql) ?? []).filter(line => !original.has(line))
  assert.deepEqual(more('CREATE VIEW v AS SELECT 1'), ['view v'])
  assert.deepEqual(more('CREATE TRIGGER t AFTER INSERT ON accounts BEGIN SELECT 1; END'), ['trigger t'])
  assert.deepEqual(more('CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)').at(-1), 'table r')
  assert.deepEqual(more('CREATE TABLE "a b" (x "c, d" CHECK (x = \')\'))'), [
    'column "a b".x "c, d" CHECK (x = \')\')',
  ])
  assert.deepEqual(more('CREATE UNIQUE INDEX u ON accounts (name DESC) WHERE name > 1'), [
    'unique index u of accounts (name DESC) WHERE name > 1',
  ])
  assert.deepEqual(more('CREATE TABLE s (n INTEGER PRIMARY KEY AUTOINCREMENT)'), [
    'column s.n INTEGER PRIMARY KEY AUTOINCREMENT',
    'column sqlite_sequence.name',
    'column sqlite_sequence.seq',
  ])
})

test('a difference behind an endless text, or behind a great many objects, is not overlooked', () => {
  const original = new Set(describe(schemaSql))
  const hidden = schemaSql.replace(
    'CREATE TABLE accounts (',
    `CREATE TABLE accounts (/*${' '.repeat(30_000)}*/ more TEXT,`,
  )
  assert.ok(describe(hidden)?.includes('table accounts'))
  const many = Array.from({ length: 1_100 }, (_, at) => `CREATE TABLE t${at} (x);`).join('')
  const found = describe(schemaSql, many, 'CREATE TRIGGER t AFTER INSERT ON accounts BEGIN SELECT 1; END')
  assert.ok((found ?? []).filter(line => !original.has(line)).length > 100)
})
