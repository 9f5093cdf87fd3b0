import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeFault } from '#base/faults.ts'
import { type Encoding, isBinary } from '#machinery/tables/encoding.ts'
import {
  decodeBeginning,
  findNamedSeparator,
  hasMoreColumns,
  isFilled,
  parserOf,
  SEPARATORS,
  wrong,
} from '#machinery/tables/lines.ts'
import { type NamedField, ranksOf } from './column-names.ts'
import { guessMapping, nameColumns } from './guess.ts'
import { columnsOf, type Mapping, missingOf } from './mapping.ts'

/** The place of the table in a bank's file, with the names of its columns. */
export interface Layout {
  separator: string
  /** The header, or empty if the file has none. Then the columns are `#1`, `#2` …, as are those that it does not name. */
  header: readonly string[]
  /** The names by which a mapping refers to the columns. */
  columns: string[]
  guess: Mapping
}

/** The most columns. Each is named, guessed and shown, and banks have about forty at most. */
export const MAX_COLUMNS = 200
/** The most lines before the table, where banks put the data of the account. */
const MAX_PREAMBLE = 60
/**
 * The lines below a header that show what its columns are, and the cells of them. For more columns than any bank has, fewer lines
 * are used.
 */
const SAMPLE = 50
const SAMPLE_CELLS = 4000

const namedFields: readonly NamedField[] = [
  ...(['date', 'value_date', 'amount', 'credit', 'debit', 'flag', 'currency', 'bank_id', 'status'] as const),
  ...(['balance', 'counterparty', 'text'] as const),
]

/**
 * Finds the table in the beginning of a file. The event loop turns between the parts.
 *
 * @param kept its header is looked for first
 * @throws Problem invalid_parameter for `file` if there is no table, or it has too many columns
 */
export async function findLayout(
  beginning: Uint8Array,
  encoding: Encoding,
  kept: Mapping | undefined,
): Promise<Layout> {
  const text = decodeBeginning(beginning, encoding)
  if (isBinary(text)) throw wrong(makeFault('noText'))
  const named = findNamedSeparator(text)
  const tables: Rows[] = []
  let tooWide: number | undefined
  for (const separator of named === undefined ? SEPARATORS : [named]) {
    const rows = parserOf(separator, MAX_PREAMBLE + SAMPLE)(text, false).data
    const wide = rows.findIndex(row => hasMoreColumns(row, MAX_COLUMNS))
    if (wide >= 0) tooWide ??= wide + 1
    else tables.push({ separator, rows: rows.map(row => row.slice(0, MAX_COLUMNS).map(cell => cell.trim())) })
    await nextTurn()
  }
  const found = (kept && findKept(tables, kept)) ?? findByNames(tables) ?? (await findByContent(tables))
  if (found !== undefined) return found
  // Text contains commas, so the results of the other separators are looked at first.
  if (tooWide !== undefined) throw wrong(makeFault('tooManyColumns', { max: MAX_COLUMNS }), tooWide)
  await nextTurn()
  const layout = findWidest(tables)
  if (layout === undefined) throw wrong(makeFault('noStatement'))
  return layout
}

interface Rows {
  separator: string
  rows: string[][]
}

function layoutOf({ separator, rows }: Rows, at: number): Layout {
  const header = rows[at] ?? []
  const sample = rows.slice(at + 1).filter(row => row.some(isFilled))
  // A line shorter than most is a line of the bank's own.
  const width = usualWidth(sample)
  const most = Math.min(SAMPLE, Math.floor(SAMPLE_CELLS / Math.max(1, width)))
  const fullRows = sample.filter(row => row.length >= width).slice(0, most)
  const headers = Array.from({ length: usedWidth(header, fullRows) }, (_, column) => header[column] ?? '')
  return { separator, header, columns: nameColumns(headers), guess: guessMapping(headers, fullRows) }
}

/** Returns the used width. Columns without a name behind the others count if most lines have a value there. */
function usedWidth(header: readonly string[], rows: readonly string[][]): number {
  let width = header.length === 0 ? usualWidth(rows) : header.length
  while (width > 0 && rows.filter(row => isFilled(row[width] ?? '')).length > rows.length / 2) width++
  return width
}

function usualWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const [usual] = [...counts].sort(([, one], [, other]) => other - one)
  return usual?.[0] ?? 0
}

function findKept(tables: readonly Rows[], kept: Mapping): Layout | undefined {
  const wanted = columnsOf(kept)
  for (const table of tables) {
    const at = table.rows.slice(0, MAX_PREAMBLE).findIndex(row => {
      const columns = new Set(nameColumns(row))
      return wanted.every(name => columns.has(name)) && wanted.some(name => !/^#\d+$/.test(name))
    })
    if (at >= 0) return layoutOf(table, at)
  }
  return undefined
}

/** Finds the line with the most names of columns, including a date and an amount. */
function findByNames(tables: readonly Rows[]): Layout | undefined {
  let best: { table: Rows; at: number; score: number } | undefined
  for (const table of tables) {
    for (const [at, row] of table.rows.slice(0, MAX_PREAMBLE).entries()) {
      const namedIn = new Set(row.flatMap(cell => [...ranksOf(cell).keys()]))
      const has = (...fields: NamedField[]) => fields.some(field => namedIn.has(field))
      if (!has('date', 'value_date') || !has('amount', 'credit', 'debit')) continue
      const score = namedFields.filter(field => has(field)).length
      if (score > (best?.score ?? 0)) best = { table, at, score }
    }
  }
  return best && layoutOf(best.table, best.at)
}

/** Finds the separator that gives a date, and best also an amount. The line before the first such row may name the columns. */
async function findByContent(tables: readonly Rows[]): Promise<Layout | undefined> {
  let dated: Layout | undefined
  for (const { separator, rows } of tables) {
    await nextTurn()
    const width = usualWidth(rows.filter(row => row.some(isFilled)))
    if (width < 3) continue
    const first = rows.findIndex(row => row.length === width)
    const row = rows[first] as string[]
    const isHeader = guessMapping(Array<string>(width).fill(''), [row]).date === null
    const before = isHeader ? rows : [...rows.slice(0, first), [], ...rows.slice(first)]
    const layout = layoutOf({ separator, rows: before }, first)
    const missing = missingOf(layout.guess)
    if (missing.length === 0) return layout
    if (!missing.includes('date')) dated ??= layout
  }
  return dated
}

/** Finds a table whose columns somebody has to name. */
function findWidest(tables: readonly Rows[]): Layout | undefined {
  const found = tables.map(table => {
    const width = usualWidth(table.rows.filter(row => row.some(isFilled)))
    return { table, width, at: table.rows.findIndex(row => row.length === width) }
  })
  const [best] = found.sort((one, other) => other.width - one.width)
  return best === undefined || best.width < 3 ? undefined : layoutOf(best.table, best.at)
}
