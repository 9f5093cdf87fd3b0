import type { StagedRows, Value } from '../port.ts'
import { stagedValues } from '../staged-values.ts'
import type { Connection } from './connection.ts'

/** Puts rows into temporary tables of the writing connection. No other connection sees them, and they need no lock. */
export function stageRows(
  writer: Connection,
  name: string,
  rows: Readonly<Record<string, readonly object[]>>,
): StagedRows {
  const columns = new Map<string, readonly string[]>()
  const staged = { name, columns }
  try {
    for (const [table, each] of Object.entries(rows)) {
      const [first] = each
      if (first === undefined) continue
      const names = Object.keys(first)
      // The columns have the types of the columns they go to, so nothing needs conversion later.
      writer.exec(
        `CREATE TEMP TABLE ${name}_${table} AS SELECT ${names.join(', ')} FROM main.${table} WHERE 1 = 0`,
      )
      columns.set(table, names)
      writer.run('BEGIN')
      writer.runEach(
        `INSERT INTO temp.${name}_${table} VALUES (${names.map(() => '?').join(', ')})`,
        valuesOf(each, names),
      )
      writer.run('COMMIT')
    }
    return staged
  } catch (error) {
    writer.rollBack()
    discardRows(writer, staged)
    throw error
  }
}

function* valuesOf(rows: readonly object[], names: readonly string[]): Generator<Value[]> {
  for (const row of rows) yield names.map(name => (row as Record<string, Value>)[name] as Value)
}

export function discardRows(writer: Connection, { name, columns }: StagedRows): void {
  for (const table of columns.keys()) writer.exec(`DROP TABLE temp.${name}_${table}`)
}

/** Inserts the staged rows of a table. @returns how many rows were inserted */
export function insertStagedRows(
  connection: Connection,
  { name, columns }: StagedRows,
  table: string,
  now: number,
  added: Readonly<Record<string, number>>,
): number {
  const names = columns.get(table)
  if (names === undefined) return 0
  return connection.runEach(
    `INSERT INTO main.${table} (${names.join(', ')})
     SELECT ${stagedValues(names, now, added)} FROM temp.${name}_${table} WHERE 1 = 1 ORDER BY rowid ON CONFLICT DO NOTHING`,
    [[]],
  )
}
