import type { AnyReadTx, Catalog, Column, Table } from '../port.ts'

/** The tables of SQLite. It keeps a value of another type than its column's as it is, and numbers each row beside the key. */
export const sqliteCatalog: Catalog = {
  listTables,
  isNot: (column, type) => `typeof("${column}") NOT IN ('${type}', 'null')`,
}

async function listTables(tx: AnyReadTx): Promise<Table[]> {
  const tables = new Map<string, Column[]>()
  const columns = await tx.all<Column & { table: string }>(
    `SELECT s.name AS "table", c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c
     WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY s.rowid, c.cid`,
  )
  for (const { table, ...column } of columns) tables.set(table, [...(tables.get(table) ?? []), column])
  return [...tables].map(([name, columns]) => ({ name, columns, key: ['rowid'], row: 'rowid' }))
}
