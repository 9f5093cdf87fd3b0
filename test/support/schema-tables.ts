import { schemaSql } from '#machinery/db/schema.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'

export interface SchemaTable {
  name: string
  columns: { name: string; type: string }[]
  /** The columns of each unique index. */
  unique: string[][]
}

/** Reads the tables from the text of the schema, which is the same for each engine. They are in the order of their names. */
export function readSchema(): SchemaTable[] {
  const schema = new Connection(':memory:', 0)
  schema.exec(schemaSql)
  const namesOf = (pragma: string) =>
    schema.all<{ name: string }>(`SELECT name FROM ${pragma}`).map(({ name }) => name)
  const tables = namesOf("sqlite_schema WHERE type = 'table' ORDER BY name").map(name => ({
    name,
    columns: schema.all<{ name: string; type: string }>(
      `SELECT name, type FROM pragma_table_info('${name}') ORDER BY cid`,
    ),
    unique: namesOf(`pragma_index_list('${name}') WHERE "unique" = 1`).map(index =>
      namesOf(`pragma_index_info('${index}')`),
    ),
  }))
  schema.close()
  return tables
}
