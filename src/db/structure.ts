import type { Connection } from './sqlite-connection.ts'

/**
 * What a schema consists of, a line each, whatever the order and the layout that it was written in: tables that were migrated
 * are like those that were made new.
 */
export function describeStructure(connection: Connection): Set<string> {
  const lines = new Set(findForeignObjects(connection))
  for (const { name, sql } of connection.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
  )) {
    for (const line of [
      ...describeColumns(connection, name),
      ...describeChecks(name, sql),
      ...describeReferences(connection, name),
      ...describeIndexes(connection, name),
    ]) {
      lines.add(line)
    }
  }
  return lines
}

/** What Turnout never has, and what could do more than hold data: triggers, views, virtual tables. */
export function findForeignObjects(connection: Connection): string[] {
  return connection
    .all<{ type: string; name: string }>(
      `SELECT type, name FROM sqlite_schema
       WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY name LIMIT 100`,
    )
    .map(({ type, name }) => `${type} ${name}`)
}

interface Column {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
  hidden: number
}

function describeColumns(connection: Connection, table: string): string[] {
  return connection.all<Column>('SELECT * FROM pragma_table_xinfo($1)', [table]).map(column => {
    const { name, type, notnull, dflt_value, pk, hidden } = column
    const rules = [
      notnull ? ' not null' : '',
      pk ? ` key ${pk}` : '',
      dflt_value === null ? '' : ` default ${dflt_value}`,
      hidden ? ' generated' : '',
    ]
    return `column ${table}.${name} ${type}${rules.join('')}`
  })
}

/** SQLite tells of every constraint but these: they are read from the text of the table. */
function describeChecks(table: string, sql: string): string[] {
  const text = sql.replace(/--[^\n]*|\/\*.*?\*\//gs, ' ').replace(/\s+/g, ' ')
  return [...text.matchAll(/\bCHECK ?\(/gi)].map(({ index, 0: { length } }) => {
    let end = index + length
    for (let depth = 1; depth > 0 && end < text.length; end++) {
      if (text[end] === '(') depth++
      else if (text[end] === ')') depth--
    }
    return `check of ${table}: ${text.slice(index + length, end - 1).trim()}`
  })
}

interface Reference {
  id: number
  table: string
  from: string
  to: string | null
  on_update: string
  on_delete: string
}

function describeReferences(connection: Connection, table: string): string[] {
  const references = new Map<number, Reference[]>()
  for (const row of connection.all<Reference>('SELECT * FROM pragma_foreign_key_list($1) ORDER BY id, seq', [
    table,
  ])) {
    references.set(row.id, [...(references.get(row.id) ?? []), row])
  }
  return [...references.values()].map(rows => {
    const [{ table: parent, on_update, on_delete }] = rows as [Reference]
    const from = rows.map(row => row.from).join(', ')
    const to = rows.map(row => row.to).join(', ')
    return `reference of ${table} (${from}) to ${parent} (${to}) ${on_update} ${on_delete}`
  })
}

interface Index {
  name: string
  unique: number
  origin: string
  sql: string | null
}

function describeIndexes(connection: Connection, table: string): string[] {
  const indexes = connection.all<Index>(
    `SELECT l.name, l."unique", l.origin, s.sql FROM pragma_index_list($1) l
     LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = l.name`,
    [table],
  )
  return indexes.map(({ name, unique, origin, sql }) => {
    const columns = connection.all<{ name: string | null; desc: number; coll: string }>(
      'SELECT name, "desc", coll FROM pragma_index_xinfo($1) WHERE key = 1 ORDER BY seqno',
      [name],
    )
    const list = columns.map(column => `${column.name ?? '?'} ${column.coll}${column.desc ? ' desc' : ''}`)
    const where = /\bWHERE\b.*/is.exec(sql ?? '')?.[0].replace(/\s+/g, ' ') ?? ''
    // The names of those that belong to a constraint are numbered in the order in which they were made.
    const named = origin === 'c' ? ` ${name}` : ''
    return `${unique ? 'unique ' : ''}index${named} of ${table} (${list.join(', ')})${where && ` ${where}`}`
  })
}
