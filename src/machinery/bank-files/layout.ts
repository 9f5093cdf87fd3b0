import { makeFault } from '../faults.ts'
import { type Encoding, isBinary } from '../tables/encoding.ts'
import {
  decodeBeginning,
  findNamedSeparator,
  isFilled,
  parserOf,
  SEPARATORS,
  wrong,
} from '../tables/lines.ts'
import { type NamedField, ranksOf } from './column-names.ts'
import { guessMapping, nameColumns } from './guess.ts'
import { columnsOf, type Mapping, missingOf } from './mapping.ts'

/** Where the table begins in a bank's file, and what its columns are called. */
export interface Layout {
  separator: string
  /** Empty where the file has none: the columns are `#1`, `#2` … So are those that it does not name. */
  header: readonly string[]
  /** As a mapping speaks of them. */
  columns: string[]
  guess: Mapping
}

/** Banks put the data of the account before the table: so many lines may have it. */
const MAX_PREAMBLE = 60
/** Lines below a header that tell what its columns are. */
const SAMPLE = 50

const telling: readonly NamedField[] = [
  ...(['date', 'value_date', 'amount', 'credit', 'debit', 'flag', 'currency', 'bank_id', 'status'] as const),
  ...(['balance', 'counterparty', 'text'] as const),
]

/**
 * Finds the table in the beginning of a file.
 *
 * @param kept its header is looked for first
 * @throws Problem invalid_parameter for `file` where there is none
 */
export function findLayout(beginning: Uint8Array, encoding: Encoding, kept: Mapping | undefined): Layout {
  const text = decodeBeginning(beginning, encoding)
  if (isBinary(text)) throw wrong(makeFault('noText'))
  const named = findNamedSeparator(text)
  const tables = (named === undefined ? SEPARATORS : [named]).map(separator => ({
    separator,
    rows: parserOf(separator, MAX_PREAMBLE + SAMPLE)(text, false).data.map(row =>
      row.map(cell => cell.trim()),
    ),
  }))
  const layout =
    (kept && findKept(tables, kept)) ?? findByNames(tables) ?? findByContent(tables) ?? findWidest(tables)
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
  // What is shorter than most is a line of the bank's own.
  const width = usualWidth(sample)
  const whole = sample.filter(row => row.length >= width).slice(0, SAMPLE)
  const headers = Array.from({ length: usedWidth(header, whole) }, (_, column) => header[column] ?? '')
  return { separator, header, columns: nameColumns(headers), guess: guessMapping(headers, whole) }
}

/** Columns without a name behind the others count, where most lines have something there. */
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

/** The line that has the most names of columns, of a date and an amount among them. */
function findByNames(tables: readonly Rows[]): Layout | undefined {
  let best: { table: Rows; at: number; score: number } | undefined
  for (const table of tables) {
    for (const [at, row] of table.rows.slice(0, MAX_PREAMBLE).entries()) {
      const known = new Set(row.flatMap(cell => [...ranksOf(cell).keys()]))
      const has = (...fields: NamedField[]) => fields.some(field => known.has(field))
      if (!has('date', 'value_date') || !has('amount', 'credit', 'debit')) continue
      const score = telling.filter(field => has(field)).length
      if (score > (best?.score ?? 0)) best = { table, at, score }
    }
  }
  return best && layoutOf(best.table, best.at)
}

/** The separator by which a date is found at all, and best an amount; the line before the first of them may name the columns. */
function findByContent(tables: readonly Rows[]): Layout | undefined {
  let dated: Layout | undefined
  for (const { separator, rows } of tables) {
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

/** A table of which somebody has to say what its columns are. */
function findWidest(tables: readonly Rows[]): Layout | undefined {
  const found = tables.map(table => {
    const width = usualWidth(table.rows.filter(row => row.some(isFilled)))
    return { table, width, at: table.rows.findIndex(row => row.length === width) }
  })
  const [best] = found.sort((one, other) => other.width - one.width)
  return best === undefined || best.width < 3 ? undefined : layoutOf(best.table, best.at)
}
