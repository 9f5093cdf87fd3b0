import { bytesOf, countWithin, inBatches, type Length, type ValueReader } from './batches.ts'
import { INSTANCE, type Table, type Value } from './port.ts'

/** A batch reads at most this many bytes of what may be long, except for a single row that is longer. */
const BATCH_BYTES = 4_000_000

const LONG = new Set(['TEXT', 'BYTEA'])

export interface Walk {
  table: Table
  /** The names of the columns that are read. */
  columns: readonly string[]
  /** A further expression that is read, as SQL. */
  also?: string
  /** The most rows of a batch. */
  rows: number
}

/** Reads all rows of a table by its key, in short reads. Each row also has the values of the key, as `key_0` and so on. */
export function walkTable<Row extends Readonly<Record<string, unknown>>>(
  reader: ValueReader,
  { table, columns, also, rows }: Walk,
): AsyncGenerator<Row[]> {
  const long = table.columns.filter(({ name, type }) => LONG.has(type) && columns.includes(name))
  const lengths = long.map(({ name }) => `coalesce(octet_length("${name}"), 0)`).join(' + ') || '0'
  const keys = table.key.map(name => `"${name}"`)
  const places = table.key.map((_, at) => `key_${at}`)
  const selected = [
    ...(also === undefined ? [] : [also]),
    ...keys.map((key, at) => `${key} AS ${places[at]}`),
    ...columns.map(name => `"${name}"`),
  ]
  const marks = keys.map((_, at) => `$${at + 2}`)
  return inBatches(reader, INSTANCE, rows, async (tx, last: Row | undefined, size) => {
    const after = last === undefined ? [] : places.map(place => last[place] as Value)
    const where = last === undefined ? '' : `WHERE (${keys}) > (${marks})`
    const next = `FROM "${table.name}" ${where} ORDER BY ${keys} LIMIT $1`
    const found = await tx.all<Length>(`SELECT ${lengths} AS bytes ${next}`, [size, ...after])
    return tx.all<Row>(`SELECT ${selected} ${next}`, [countWithin(found, bytesOf, BATCH_BYTES), ...after])
  })
}
