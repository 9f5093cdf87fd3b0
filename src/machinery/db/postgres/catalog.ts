import type { AnyReadTx, Catalog, Column, Table } from '../port.ts'
import { schemaSql } from '../schema.ts'

/** The tables of PostgreSQL, which keeps no value of another type than its column's. */
export const postgresCatalog: Catalog = { listTables }

async function listTables(tx: AnyReadTx): Promise<Table[]> {
  const indexes = await tx.all<{ table: string; columns: string }>(
    `SELECT c.relname AS table, string_agg(a.attname, ',' ORDER BY array_position(i.indkey, a.attnum)) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
     WHERE i.indisunique AND i.indpred IS NULL
       AND c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
     GROUP BY c.relname, i.indexrelid, i.indisprimary
     HAVING bool_and(a.attnotnull) ORDER BY i.indisprimary DESC, i.indexrelid`,
  )
  return [...schemaColumns()].map(([name, columns]) => ({
    name,
    columns,
    // The primary key comes first, and a table without one has another that is as good.
    key: indexes.find(({ table }) => table === name)?.columns.split(',') ?? [],
    row: 'CAST(ctid AS TEXT)',
  }))
}

/**
 * Returns the columns by table, in the order of the schema's text. The types are those of the text: here an INTEGER is a BIGINT
 * too, and only one of them is an instant.
 */
function schemaColumns(): Map<string, Column[]> {
  const tables = [...schemaSql.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)^\)/gms)]
  return new Map(
    tables.map(([, name = '', body = '']) => {
      const columns = body.matchAll(/^ {2}(\w+) (TEXT|INTEGER|BIGINT|BYTEA)\b/gm)
      return [name, [...columns].map(([, name = '', type = '']) => ({ name, type }))]
    }),
  )
}
