import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Papa, { type ParseResult } from 'papaparse'
import { type Fault, makeFault } from '#base/faults.ts'
import type { Problem } from '#base/problem.ts'
import { CP1252 } from './code-page.ts'
import type { Encoding, Source } from './encoding.ts'
import { refusal } from './refusal.ts'

/** The limits of an upload: bytes, lines with content, columns, and characters of a line. */
export const MAX_BYTES = 50 * 1024 * 1024
export const MAX_LINES = 100_000
export const MAX_COLUMNS = 100
export const MAX_LINE = 128 * 1024
/** The most lines that a spreadsheet can have. There may be as many lines without content. */
const LAST_LINE = 1_048_576
/** The bytes that are read at a time: some milliseconds. */
export const SLICE = 32 * 1024
/** The most lines with wrong quotation marks that are passed over, because the parser searches anew for each. */
const MAX_BROKEN = 100

export interface TableLine {
  /** The number of the line in a spreadsheet. The first is 1. */
  line: number
  cells: string[]
  /** The quotation marks of the line are wrong. It has no cells, and the next line begins at a line break. */
  broken?: true
}

export interface Reading {
  encoding: Encoding
  separator: string
  /** Converts each cell before the white space around it is removed. */
  toPlain?: (cell: string) => string
  /** True if lines with wrong quotation marks are reported instead of ending the reading. */
  tellsBroken?: boolean
  /** The default is `MAX_COLUMNS`. */
  maxColumns?: number
}

export function sourceOf(given: Uint8Array | Source): Source {
  if (!(given instanceof Uint8Array)) return given
  return { size: given.length, read: async (start, end) => given.subarray(start, end) }
}

export function wrong(fault: Fault, line?: number): Problem {
  return refusal('file', fault, line === undefined ? {} : { line })
}

/** Returns the SHA-256 of all bytes in hexadecimal. */
export async function digestOf({ size, read }: Source): Promise<string> {
  const hash = createHash('sha256')
  for (let start = 0; start < size; start += 16 * SLICE) {
    hash.update(await read(start, start + 16 * SLICE))
    await nextTurn()
  }
  return hash.digest('hex')
}

export const SEPARATORS = [',', ';', '\t'] as const
const SEPARATOR_LINE = /^"?sep=([,;\t])"?\r?\n/i

/** Returns the separator that Excel writes into a line of its own at the beginning. */
export function findNamedSeparator(text: string): string | undefined {
  return SEPARATOR_LINE.exec(text)?.[1]
}

/** Returns papaparse for one slice after the other. It leaves out an incomplete last line, and says where that begins. */
export function parserOf(
  delimiter: string,
  preview?: number,
): (text: string, ignoreLast: boolean) => ParseResult<string[]> {
  const parser = new Papa.Parser({ delimiter, newline: '\n', preview })
  return (text, ignoreLast) => parser.parse(text, 0, ignoreLast)
}

/**
 * Reads the lines of a CSV that have content, some at a time. The event loop turns between them, and the file is never in memory
 * as a whole.
 *
 * @throws Problem invalid_parameter for `file`, with `details.fault` and `details.line`
 */
export async function* readLines({ size, read }: Source, reading: Reading): AsyncGenerator<TableLine[]> {
  const decoder = new TextDecoder(reading.encoding, { fatal: true })
  const rows = new Rows(reading)
  let rest = ''
  for (let start = 0; start < size; start += SLICE) {
    const isLast = start + SLICE >= size
    const text = rest + decode(decoder, await read(start, start + SLICE), isLast, rows.line + 1)
    // A line break may be split between two slices.
    const returnAtEnd = !isLast && text.endsWith('\r') ? '\r' : ''
    let given = tame(returnAtEnd === '' ? text : text.slice(0, -1)) + (isLast ? '\n' : '')
    let ahead = ''
    for (;;) {
      const { lines, left, again } = rows.take(given, isLast && ahead === '')
      if (lines.length > 0) yield lines
      await nextTurn()
      rest = left + returnAtEnd
      if (again) ahead = left + ahead
      else if (ahead === '') break
      // The text inside an open quotation mark may have as many lines as characters.
      given = (again ? '' : left) + ahead.slice(0, SLICE)
      ahead = ahead.slice(SLICE)
    }
  }
}

/** Splits text into rows, and keeps the number of the last line. */
class Rows {
  readonly #reading: Reading
  readonly #parse: ReturnType<typeof parserOf>
  #broken = 0
  line = 0

  constructor(reading: Reading) {
    this.#reading = reading
    this.#parse = parserOf(reading.separator)
  }

  /** Takes a piece of text. @returns `again` as true if a broken line was passed over and the remaining text has more */
  take(text: string, isLast: boolean): { lines: TableLine[]; left: string; again: boolean } {
    const { data, errors, meta } = this.#parse(text, !isLast)
    // A quotation mark inside a cell that is not doubled may also be one that was left open some lines before.
    const open = errors.find(({ row = 0 }) => isLast || row < data.length)?.row
    const lines = this.#keep(data.slice(0, open))
    if (this.line > LAST_LINE) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
    if (open !== undefined) {
      const from = open === 0 ? 0 : parserOf(this.#reading.separator, open)(text, false).meta.cursor
      return { lines: [...lines, this.#passOver()], ...afterBreak(text, from) }
    }
    const left = isLast ? '' : text.slice(meta.cursor)
    if (left.length <= MAX_LINE) return { lines, left, again: false }
    if (!this.#reading.tellsBroken || !left.includes('\n'))
      throw wrong(makeFault('lineTooLong', { max: MAX_LINE }), this.line + 1)
    return { lines: [...lines, this.#passOver()], ...afterBreak(left, 0) }
  }

  #keep(data: readonly string[][]): TableLine[] {
    const {
      separator,
      tellsBroken,
      maxColumns = MAX_COLUMNS,
      toPlain = (cell: string) => cell,
    } = this.#reading
    const lines: TableLine[] = []
    for (const row of data) {
      this.line++
      if (this.line === 1 && isSeparatorLine(row, separator)) continue
      if (hasMoreColumns(row, maxColumns))
        throw wrong(makeFault('tooManyColumns', { max: maxColumns }), this.line)
      const cells = row.slice(0, maxColumns).map(cell => toPlain(cell).trim())
      if (tellsBroken && isSwallowing(row, separator))
        lines.push({ line: this.line, cells: [], broken: true })
      else if (cells.some(isFilled)) lines.push({ line: this.line, cells })
    }
    return lines
  }

  /**
   * Passes over a broken line.
   *
   * @throws Problem invalid_parameter for `file` if such lines are not reported, or there were too many
   */
  #passOver(): TableLine {
    this.line++
    this.#broken++
    if (!this.#reading.tellsBroken || this.#broken > MAX_BROKEN)
      throw wrong(makeFault('openQuote'), this.line)
    return { line: this.line, cells: [], broken: true }
  }
}

/**
 * Returns whether each part of a line between line breaks has the separators of a whole line. Then two stray quotation marks have
 * swallowed other lines. The swallowed lines are not read, because whoever wrote a text could have put a line into it.
 */
function isSwallowing(row: readonly string[], separator: string): boolean {
  if (row.length < 3 || !row.some(cell => cell.includes('\n'))) return false
  const parts = row.join(separator).split('\n')
  return parts.every(part => part.split(separator).length >= row.length)
}

function afterBreak(text: string, from: number): { left: string; again: boolean } {
  const end = text.indexOf('\n', from)
  return { left: end === -1 ? '' : text.slice(end + 1), again: end !== -1 && end + 1 < text.length }
}

/** Returns whether a column after the first `max` has content. */
export function hasMoreColumns(row: readonly string[], max: number): boolean {
  return row.length > max && row.slice(max).some(isFilled)
}

export function isFilled(cell: string): boolean {
  return /\S/.test(cell)
}

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

/** Returns the text at the beginning of a file, as `readLines` splits it. @throws Problem invalid_parameter for `file` */
export function decodeBeginning(bytes: Uint8Array, encoding: Encoding): string {
  return tame(decode(new TextDecoder(encoding, { fatal: true }), bytes, false, 1))
}

/**
 * Returns the text with each line break as one character and long white space shortened. The parser would go through all of that
 * white space at each quotation mark before it.
 */
function tame(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\S\n]{100,}/g, ' '.repeat(99))
}

/** Returns whether a row is `sep=;`. The line is split where it names a separator, into `sep=` and nothing. */
function isSeparatorLine(row: readonly string[], separator: string): boolean {
  return (
    /^"?sep=/i.test(row[0] ?? '') &&
    row.join(separator).replaceAll('"', '').toLowerCase() === `sep=${separator}`
  )
}
