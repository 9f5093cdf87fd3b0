import type { StagedRows, Value } from '../port.ts'
import { stagedValues } from '../staged-values.ts'
import type { Connection } from './connection.ts'

/** How many rows one statement stages. A statement has at most 65,535 parameters. */
const ROWS = 200

/**
 * Puts rows into temporary tables of the writing session. No other session sees them, and they end with it. A column `staged_row`
 * keeps the order of the rows.
 */
export async function stageRows(
  writer: Connection,
  name: string,
  rows: Readonly<Record<string, readonly object[]>>,
): Promise<StagedRows> {
  const columns = new Map<string, readonly string[]>()
  const staged = { name, columns }
  try {
    for (const [table, each] of Object.entries(rows)) {
      const [first] = each
      if (first === undefined) continue
      const names = Object.keys(first)
      await writer.query(`CREATE TEMP TABLE ${name}_${table} AS SELECT ${names} FROM ${table} WHERE 1 = 0`)
      columns.set(table, names)
      await writer.query(`ALTER TABLE ${name}_${table} ADD COLUMN staged_row BIGSERIAL`)
      await insertInto(writer, `${name}_${table}`, names, each)
    }
    return staged
  } catch (error) {
    await discardRows(writer, staged).catch(() => undefined)
    throw error
  }
}

async function insertInto(
  writer: Connection,
  table: string,
  names: readonly string[],
  rows: readonly object[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) {
    const some = rows.slice(start, start + ROWS)
    const params: Value[] = []
    const tuples = some.map(row => {
      const places = names.map(name => `$${params.push((row as Record<string, Value>)[name] as Value)}`)
      return `(${places})`
    })
    await writer.query(`INSERT INTO ${table} (${names}) VALUES ${tuples}`, params)
  }
}

export async function discardRows(writer: Connection, { name, columns }: StagedRows): Promise<void> {
  for (const table of columns.keys()) await writer.query(`DROP TABLE ${name}_${table}`)
}

/** Returns the statement that inserts the staged rows of a table, or undefined if it has none. */
export function insertingStaged(
  { name, columns }: StagedRows,
  table: string,
  now: number,
  added: Readonly<Record<string, number>>,
): string | undefined {
  const names = columns.get(table)
  if (names === undefined) return undefined
  return `INSERT INTO ${table} (${names.join(', ')})
    SELECT ${stagedValues(names, now, added)} FROM ${name}_${table} ORDER BY staged_row ON CONFLICT DO NOTHING`
}
