import { makeFault } from '#base/faults.ts'
import { plainCell } from '#machinery/tables/csv.ts'
import { type Encoding, findEncoding, isBinary, isWorkbook, type Source } from '#machinery/tables/encoding.ts'
import {
  digestOf,
  findNamedSeparator,
  MAX_BYTES,
  MAX_LINES,
  parserOf,
  type Reading,
  readLines,
  SEPARATORS,
  SLICE,
  sourceOf,
  type TableLine,
  wrong,
} from '#machinery/tables/lines.ts'
import type { SheetMarks } from '#machinery/tables/plain-header.ts'
import { MAX_SHEET_COLUMNS } from '#machinery/workbooks/limits.ts'
import { readWorkbook } from '#machinery/workbooks/reading.ts'
import { findHeader, HEADER_WITHIN, headersOf, type Recognize } from './header.ts'

export interface Table {
  headers: string[]
  /** The number of the line that names the columns, as a spreadsheet counts. */
  headerLine: number
  /** The number of lines with content, with those above the header and the header. */
  kept: number
  /** The number of lines below the header that are not empty. */
  total: number
  encoding: Encoding
  /** The bytes are not UTF-8 and name no encoding, so letters beyond ASCII may be wrong. */
  encodingGuessed: boolean
  separator: string
  /** SHA-256 of the bytes, in hex. */
  digest: string
  /** Yields all lines with content, some at a time. The event loop turns between them. */
  lines(): AsyncGenerator<TableLine[]>
}

/** Keeps what a workbook is read to, until the table is not needed any more. */
export type Keep = (pieces: AsyncIterable<Uint8Array>) => Promise<Source>

/** Says which other files are tables, for those who import them. */
export interface Exports {
  /** These tell the sheet of a workbook that is read, where it has several. */
  marks: readonly SheetMarks[]
  /** Returns what a file that is no table is read to, as CSV in UTF-8. @returns undefined for any other file */
  convert(file: Source, beginning: Uint8Array): AsyncIterable<Uint8Array> | undefined
}

const NO_EXPORTS: Exports = { marks: [], convert: () => undefined }

/**
 * Reads a table that a person has chosen. It is a workbook (.xlsx), or CSV as programs and spreadsheets write it, in their
 * encodings and with their separators. The table is read to its end before anything is done with it, and again when its lines are
 * asked for, so it is never in memory as a whole.
 *
 * @param recognize counts the names that columns are known by, which tells the line with them
 * @param keep keeps what a workbook is read to. The default keeps it in memory
 * @param exports says which other files are tables
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function readSheet(
  given: Uint8Array | Source,
  recognize: Recognize,
  keep: Keep = keepInMemory,
  exports: Exports = NO_EXPORTS,
): Promise<Table> {
  const file = sourceOf(given)
  if (file.size > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
  const { source, guessed, ...reading } = await open(file, keep, exports)
  const top: TableLine[] = []
  let kept = 0
  for await (const lines of readLines(source, reading)) {
    kept += lines.length
    top.push(...lines.slice(0, HEADER_WITHIN - top.length))
    if (kept > MAX_LINES + HEADER_WITHIN) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
  }
  if (top.length === 0) throw wrong(makeFault('noHeader'))
  const header = findHeader(top, recognize)
  const total = kept - top.indexOf(header) - 1
  if (total > MAX_LINES) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
  if (total === 0) throw wrong(makeFault('noLines'))
  const { encoding, separator } = reading
  return {
    headers: headersOf(header.cells),
    headerLine: header.line,
    ...{ kept, total, encoding, encodingGuessed: guessed, separator },
    digest: await digestOf(file),
    lines: () => readLines(source, reading),
  }
}

type Opened = Reading & { source: Source; guessed: boolean }

async function open(file: Source, keep: Keep, { marks, convert }: Exports): Promise<Opened> {
  const maxColumns = MAX_SHEET_COLUMNS
  const beginning = await file.read(0, SLICE)
  const converted = isWorkbook(beginning) ? readWorkbook(file, marks) : convert(file, beginning)
  if (converted !== undefined) {
    const source = await keep(converted)
    return { source, encoding: 'utf-8', separator: ',', maxColumns, guessed: false }
  }
  const { encoding, guessed } = await findEncoding(file)
  const separator = findSeparator(beginning, encoding)
  return { source: file, encoding, separator, toPlain: plainCell, maxColumns, guessed }
}

async function keepInMemory(pieces: AsyncIterable<Uint8Array>): Promise<Source> {
  const kept: Uint8Array[] = []
  for await (const piece of pieces) kept.push(piece)
  return sourceOf(Buffer.concat(kept))
}

/** Returns the separator that splits the first line into the most cells. Excel writes a line that names its separator. */
function findSeparator(start: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(start)
  if (isBinary(text)) throw wrong(makeFault('noText'))
  const named = findNamedSeparator(text)
  if (named !== undefined) return named
  const beginning = text.replace(/\r\n?/g, '\n').trimStart()
  const counted = SEPARATORS.map(separator => {
    const [cells] = parserOf(separator, 1)(beginning, false).data
    return { separator, count: cells?.length ?? 0 }
  })
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}
