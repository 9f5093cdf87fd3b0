import * as v from 'valibot'
import { makeFault } from '#base/faults.ts'
import { email } from '#base/fields.ts'
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

/** A column's name has at most this many characters, because it is kept with the import and shown for each column. */
const MAX_HEADER = 200

export interface Table {
  headers: string[]
  /** The number of lines below the header that are not empty. */
  total: number
  encoding: Encoding
  /** The bytes are not UTF-8 and name no encoding, so letters beyond ASCII may be wrong. */
  encodingGuessed: boolean
  separator: string
  /** SHA-256 of the bytes, in hex. */
  digest: string
  /** Yields the lines below the header, some at a time. The event loop turns between them. */
  lines(): AsyncGenerator<TableLine[]>
}

/**
 * Reads a table that a person has chosen. It is CSV as programs and spreadsheets write it, in their encodings and with their
 * separators. The table is read to its end before anything is done with it, and again when its lines are asked for, so it is
 * never in memory as a whole.
 *
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function readTable(given: Uint8Array | Source): Promise<Table> {
  const source = sourceOf(given)
  if (source.size > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
  const beginning = await source.read(0, SLICE)
  if (isWorkbook(beginning)) throw wrong(makeFault('workbook'))
  const { encoding, guessed } = await findEncoding(source)
  const separator = findSeparator(beginning, encoding)
  const reading: Reading = { encoding, separator, toPlain: plainCell }
  let headers: string[] | undefined
  let total = 0
  for await (const lines of readLines(source, reading)) {
    total += lines.length
    if (headers === undefined) {
      headers = readHeaders(lines[0] as TableLine)
      total--
    }
    if (total > MAX_LINES) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
  }
  if (headers === undefined) throw wrong(makeFault('noHeader'))
  if (total === 0) throw wrong(makeFault('noLines'))
  const digest = await digestOf(source)
  const lines = () => withoutHeader(readLines(source, reading))
  return { headers, total, encoding, encodingGuessed: guessed, separator, digest, lines }
}

function readHeaders({ line, cells }: TableLine): string[] {
  while (cells.at(-1) === '') cells.pop()
  // A column's name is never an e-mail, so this line is a guest of a table without a header.
  if (cells.some(cell => v.is(email, cell))) throw wrong(makeFault('noHeader'), line)
  return cells.map(cell => cell.slice(0, MAX_HEADER).toWellFormed())
}

async function* withoutHeader(batches: AsyncGenerator<TableLine[]>): AsyncGenerator<TableLine[]> {
  let first = true
  for await (const lines of batches) {
    yield first ? lines.slice(1) : lines
    first = false
  }
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
