import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Papa, { type ParseResult } from 'papaparse'
import * as v from 'valibot'
import { type Fault, makeFault } from '../faults.ts'
import { email } from '../fields.ts'
import type { Problem } from '../problem.ts'
import { plainCell } from '../reports/csv.ts'
import { type Encoding, findEncoding, isBinary, isWorkbook, type Source } from './encoding.ts'
import { refusal } from './refusal.ts'

/** Limits of an upload: bytes, lines that say something, columns, and characters of a line. */
export const MAX_BYTES = 50 * 1024 * 1024
export const MAX_LINES = 100_000
export const MAX_COLUMNS = 100
export const MAX_LINE = 128 * 1024
/** The lines that a spreadsheet can have: of those that say nothing, there may be as many. */
const LAST_LINE = 1_048_576
/** Bytes that are read at a time: some milliseconds. */
const SLICE = 32 * 1024

export interface TableLine {
  /** As a spreadsheet numbers it: the first is 1. */
  line: number
  cells: string[]
}

export interface Table {
  headers: string[]
  /** Lines that say something, below the header. */
  total: number
  encoding: Encoding
  /** The bytes are no UTF-8, and name no encoding: letters beyond ASCII may be wrong. */
  encodingGuessed: boolean
  separator: string
  /** Of its bytes: SHA-256 in hex. */
  digest: string
  /** The lines below the header, some at a time; the event loop turns between them. */
  lines(): AsyncGenerator<TableLine[]>
}

/**
 * Reads a table that a person has chosen: CSV as programs and spreadsheets write it, in their encodings and with their
 * separators. It is read to its end before anything is done with it, and once more when its lines are asked for: never all
 * of it is in memory.
 *
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function readTable(given: Uint8Array | Source): Promise<Table> {
  const source = given instanceof Uint8Array ? sourceOf(given) : given
  if (source.size > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
  const beginning = await source.read(0, SLICE)
  if (isWorkbook(beginning)) throw wrong(makeFault('workbook'))
  const { encoding, guessed } = await findEncoding(source)
  const separator = findSeparator(beginning, encoding)
  let headers: string[] | undefined
  let total = 0
  for await (const lines of readLines(source, encoding, separator)) {
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
  const lines = () => withoutHeader(readLines(source, encoding, separator))
  return { headers, total, encoding, encodingGuessed: guessed, separator, digest, lines }
}

function sourceOf(bytes: Uint8Array): Source {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) }
}

function wrong(fault: Fault, line?: number): Problem {
  return refusal('file', fault, line === undefined ? {} : { line })
}

function readHeaders({ line, cells }: TableLine): string[] {
  while (cells.at(-1) === '') cells.pop()
  // The name of a column is no e-mail: this is a guest, of a table without a header.
  if (cells.some(cell => v.is(email, cell))) throw wrong(makeFault('noHeader'), line)
  return cells
}

async function* withoutHeader(batches: AsyncGenerator<TableLine[]>): AsyncGenerator<TableLine[]> {
  let first = true
  for await (const lines of batches) {
    yield first ? lines.slice(1) : lines
    first = false
  }
}

async function digestOf({ size, read }: Source): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < size; start += 16 * SLICE) {
    hash.update(await read(start, start + 16 * SLICE))
    await nextTurn()
  }
  return hash.digest('hex')
}

/** The separator that parts the first line into the most cells; Excel writes a line that names it. */
function findSeparator(start: Uint8Array, encoding: Encoding): string {
  const text = new TextDecoder(encoding).decode(start)
  if (isBinary(text)) throw wrong(makeFault('noText'))
  const named = SEPARATOR_LINE.exec(text)?.[1]
  if (named !== undefined) return named
  const beginning = text.replace(/\r\n?/g, '\n').trimStart()
  const counted = [',', ';', '\t'].map(separator => {
    const [cells] = parserOf(separator, 1)(beginning, false).data
    return { separator, count: cells?.length ?? 0 }
  })
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}

const SEPARATOR_LINE = /^"?sep=([,;\t])"?\r?\n/i

/** papaparse for one slice after the other: it leaves out a last line that is not whole, and says where that begins. */
function parserOf(
  delimiter: string,
  preview?: number,
): (text: string, ignoreLast: boolean) => ParseResult<string[]> {
  const parser = new Papa.Parser({ delimiter, newline: '\n', preview })
  return (text, ignoreLast) => parser.parse(text, 0, ignoreLast)
}

/** The lines that say something, with the header, some at a time. */
async function* readLines(
  { size, read }: Source,
  encoding: Encoding,
  separator: string,
): AsyncGenerator<TableLine[]> {
  const parse = parserOf(separator)
  const decoder = new TextDecoder(encoding, { fatal: true })
  let rest = ''
  let line = 0
  for (let start = 0; start < size; start += SLICE) {
    const isLast = start + SLICE >= size
    const text: string = rest + decode(decoder, await read(start, start + SLICE), isLast, line + 1)
    // The break of a line may be in two slices.
    const held = !isLast && text.endsWith('\r') ? '\r' : ''
    const whole = tame(held === '' ? text : text.slice(0, -1)) + (isLast ? '\n' : '')
    const { data, errors, meta } = parse(whole, !isLast)
    // A quotation mark inside a cell that is not doubled may as well be one that was not closed some lines before.
    const open = errors.find(({ row = 0 }) => isLast || row < data.length)?.row
    if (open !== undefined) throw wrong(makeFault('openQuote'), line + 1 + open)
    const lines: TableLine[] = []
    for (const row of data) {
      line++
      if (line === 1 && isSeparatorLine(row, separator)) continue
      if (row.length > MAX_COLUMNS && row.slice(MAX_COLUMNS).some(isFilled))
        throw wrong(makeFault('tooManyColumns', { max: MAX_COLUMNS }), line)
      const cells = row.slice(0, MAX_COLUMNS).map(cell => plainCell(cell).trim())
      if (cells.some(isFilled)) lines.push({ line, cells })
    }
    if (line > LAST_LINE) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
    rest = isLast ? '' : whole.slice(meta.cursor) + held
    if (rest.length > MAX_LINE) throw wrong(makeFault('lineTooLong', { max: MAX_LINE }), line + 1)
    if (lines.length > 0) yield lines
    await nextTurn()
  }
}

function isFilled(cell: string): boolean {
  return /\S/.test(cell)
}

/** Some versions of Node decode windows-1252 as Latin-1, which has other control characters where this has letters and signs. */
const CP1252 = [...'€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ']
const C1 = /[\x80-\x9f]/g

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  isLast: boolean,
  line: number,
): string {
  try {
    const text = decoder.decode(bytes, { stream: !isLast })
    return decoder.encoding === 'windows-1252'
      ? text.replace(C1, code => CP1252[code.charCodeAt(0) - 0x80] ?? '')
      : text
  } catch {
    throw wrong(makeFault('encoding', { encoding: decoder.encoding }), line)
  }
}

/**
 * Each break of a line as one character; long white space shorter, as the parser would go through all of it at each quotation
 * mark before it.
 */
function tame(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\S\n]{100,}/g, ' '.repeat(99))
}

/** `sep=;` is parted where it names a separator: `sep=` and nothing. */
function isSeparatorLine(row: readonly string[], separator: string): boolean {
  return (
    /^"?sep=/i.test(row[0] ?? '') &&
    row.join(separator).replaceAll('"', '').toLowerCase() === `sep=${separator}`
  )
}
