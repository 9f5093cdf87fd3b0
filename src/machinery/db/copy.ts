import { bytesOf, countWithin, inBatches, type Length } from './batches.ts'
import { readProgress } from './instance.ts'
import { type Database, DatabaseUnavailable, INSTANCE, type Table, type Value } from './port.ts'

/** Inserts rows of a table, which all have the same columns. */
export type InsertRows = (table: string, rows: readonly Row[]) => Promise<void>

export type Row = Readonly<Record<string, Value>>

/** The most rows and bytes that are read at once, except for a single row that is longer. */
const BATCH = 200
const BATCH_BYTES = 4_000_000

/** What belongs to a run on the database where it was, and would make the copy look like a copy of a copy. */
const OF_THE_RUN = { run_mark: null, heartbeat_at: null }

/** The columns that name another row of the same table. A row comes after those that it names. */
const WITHIN: Readonly<Record<string, readonly string[]>> = { receipts: ['of_id', 'cancels_id'] }

/**
 * Copies all rows of a database to which nobody writes meanwhile, table by table in the order of their references.
 *
 * @returns how many rows each table has
 * @throws DatabaseUnavailable if somebody has written meanwhile
 */
export async function copyRows(source: Database, insert: InsertRows): Promise<Map<string, number>> {
  const before = await source.read(INSTANCE, readProgress)
  const counts = new Map<string, number>()
  for (const table of await source.read(INSTANCE, tx => source.catalog.listTables(tx))) {
    const within = WITHIN[table.name]
    const order = within === undefined ? undefined : new OrderedRows(within)
    let count = 0
    for await (const read of walk(source, table)) {
      const rows = read.map(row => (table.name === 'instance' ? { ...row, ...OF_THE_RUN } : row))
      const ready = order === undefined ? rows : order.take(rows)
      if (ready.length > 0) await insert(table.name, ready)
      count += rows.length
    }
    for (let ready = order?.take([]) ?? []; ready.length > 0; ready = order?.take([]) ?? []) {
      await insert(table.name, ready)
    }
    counts.set(table.name, count)
  }
  const after = await source.read(INSTANCE, readProgress)
  if (after.write_number !== before.write_number || after.latest_write_at !== before.latest_write_at) {
    throw new DatabaseUnavailable('Somebody wrote to the database while it was copied.')
  }
  return counts
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
  take(rows: readonly Row[]): Row[] {
    const all = [...this.#waiting, ...rows]
    const isReady = (row: Row) =>
      this.#columns.every(column => row[column] === null || this.#there.has(row[column] as Value))
    const ready = all.filter(isReady)
    this.#waiting = all.filter(row => !isReady(row))
    for (const { id } of ready) this.#there.add(id as Value)
    return ready
  }
}

async function* walk(source: Database, table: Table): AsyncGenerator<Row[]> {
  const names = table.columns.map(({ name }) => `"${name}"`)
  const texts = table.columns.filter(({ type }) => type === 'TEXT')
  const lengths = texts.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(' + ') || '0'
  const keys = table.key.map(name => `"${name}"`)
  const places = keys.map((_, at) => `key_${at}`)
  const selected = [...keys.map((key, at) => `${key} AS ${places[at]}`), ...names]
  const marks = keys.map((_, at) => `$${at + 2}`)
  const batches = inBatches(source, INSTANCE, BATCH, async (tx, last: Row | undefined, size) => {
    const after = last === undefined ? [] : places.map(place => last[place] as Value)
    const where = last === undefined ? '' : `WHERE (${keys}) > (${marks})`
    const next = `FROM "${table.name}" ${where} ORDER BY ${keys} LIMIT $1`
    const found = await tx.all<Length>(`SELECT ${lengths} AS bytes ${next}`, [size, ...after])
    return tx.all<Row>(`SELECT ${selected} ${next}`, [countWithin(found, bytesOf, BATCH_BYTES), ...after])
  })
  for await (const rows of batches) {
    yield rows.map(row => Object.fromEntries(table.columns.map(({ name }) => [name, row[name] as Value])))
  }
}
