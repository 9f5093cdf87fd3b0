import { readProgress } from './instance.ts'
import { type Database, DatabaseUnavailable, INSTANCE, type Value } from './port.ts'
import { walkTable } from './walk-table.ts'

/** Inserts rows of a table, which all have the same columns. There may be none. */
export type InsertRows = (table: string, rows: readonly Row[]) => Promise<void>

export type Row = Readonly<Record<string, Value>>

/** The most rows that are read, and inserted, at once. */
const BATCH = 200

/** What belongs to a run on the database where it was, and would make the copy look like a copy of a copy. */
const OF_THE_RUN = { run_mark: null, heartbeat_at: null }

/** The columns that name another row of the same table. A row comes after those that it names. */
const WITHIN: Readonly<Record<string, readonly string[]>> = { receipts: ['of_id', 'cancels_id'] }

/**
 * Copies all rows of a database to which nobody writes meanwhile, table by table in the order of their references.
 *
 * @returns how many rows there are
 * @throws DatabaseUnavailable if somebody has written meanwhile
 */
export async function copyRows(source: Database, insert: InsertRows): Promise<number> {
  const before = await source.read(INSTANCE, readProgress)
  let count = 0
  for (const table of await source.read(INSTANCE, tx => source.catalog.listTables(tx))) {
    const columns = table.columns.map(({ name }) => name)
    const of = table.name === 'instance' ? OF_THE_RUN : {}
    const order = new OrderedRows(WITHIN[table.name] ?? [])
    for await (const read of walkTable<Row>(source, { table, columns, rows: BATCH })) {
      const rows = read.map(row => ({
        ...Object.fromEntries(columns.map(name => [name, row[name] as Value])),
        ...of,
      }))
      await insert(table.name, order.take(rows))
      count += rows.length
    }
    for (let ready = order.take([]); ready.length > 0; ready = order.take([])) await insert(table.name, ready)
  }
  const after = await source.read(INSTANCE, readProgress)
  if (after.write_number !== before.write_number || after.latest_write_at !== before.latest_write_at) {
    throw new DatabaseUnavailable('Somebody wrote to the database while it was copied.')
  }
  return count
}

/** Holds rows back until those that they name are there. */
class OrderedRows {
  readonly #columns: readonly string[]
  readonly #there = new Set<Value>()
  #waiting: Row[] = []

  constructor(columns: readonly string[]) {
    this.#columns = columns
  }

  /** Adds rows. @returns those, of them and of the ones before, whose references are there now */
  take(rows: readonly Row[]): readonly Row[] {
    if (this.#columns.length === 0) return rows
    const all = [...this.#waiting, ...rows]
    const isReady = (row: Row) =>
      this.#columns.every(column => row[column] === null || this.#there.has(row[column] as Value))
    const ready = all.filter(isReady)
    this.#waiting = all.filter(row => !isReady(row))
    for (const { id } of ready) this.#there.add(id as Value)
    return ready
  }
}
