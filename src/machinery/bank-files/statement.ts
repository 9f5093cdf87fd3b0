import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { makeFault } from '#base/faults.ts'
import { type Encoding, findEncoding, isWorkbook, type Source } from '#machinery/tables/encoding.ts'
import {
  digestOf,
  MAX_BYTES,
  MAX_LINES,
  type Reading,
  readLines,
  SLICE,
  sourceOf,
  type TableLine,
  wrong,
} from '#machinery/tables/lines.ts'
import { refusal } from '#machinery/tables/refusal.ts'
import { currencyIn, ranksOf } from './column-names.ts'
import { readWrittenDate } from './dates.ts'
import { Evidence } from './evidence.ts'
import { findOtherFormat } from './format.ts'
import { findLayout, type Layout, MAX_COLUMNS } from './layout.ts'
import { checkMapping, columnsOf, type Mapping, type Missing, missingOf } from './mapping.ts'
import { type Booking, type LineFault, type Manner, type Reason, readLine } from './read-line.ts'

export interface StatementLine extends Booking {
  /** The line is the n-th of the file with these values. It is 1 for most. */
  n: number
  /**
   * The SHA-256, in hexadecimal, of date, amount, currency, counterparty, text and `n`. It is the same in a file that has the
   * line again.
   */
  key: string
}

export interface WrongLine {
  line: number
  faults: [LineFault, ...LineFault[]]
}

export interface StatementPart {
  lines: StatementLine[]
  wrong: WrongLine[]
  leftOut: { line: number; reason: Reason | 'remark' }[]
}

export interface Statement {
  /** The names by which a mapping refers to the columns. */
  columns: string[]
  separator: string
  encoding: Encoding
  encodingGuessed: boolean
  /** The SHA-256 of its bytes in hexadecimal. */
  digest: string
  /** The number of lines below the header that have content, including those that turn out not to be bookings. */
  total: number
  /** The first of these lines, so that people can choose the columns. */
  sample: string[][]
  /** The given mapping, or the guess. The lines are read by it. */
  mapping: Mapping
  /**
   * Columns of the given mapping that the file lacks. Then `mapping` is the guess, and nothing is read before somebody sets the
   * mapping again.
   */
  unfit: string[]
  /** The fields that the guess has not found. */
  missing: Missing[]
  /** What no line of the file decides. Lines with it are wrong until the mapping sets `order` or `decimal`. */
  doubts: ('order' | 'decimal')[]
  /**
   * Reads the lines, some at a time. The event loop turns between them.
   *
   * @throws Problem invalid_parameter for `mapping`, if it does not fit or lacks something
   */
  read(): AsyncGenerator<StatementPart>
}

const SAMPLE_LINES = 5

/**
 * Reads a bank's statement as CSV. It reads the whole file once, to learn what its dates and amounts show together, and once more
 * when its lines are asked for. The file is never in memory as a whole.
 *
 * @param currency ISO 4217, for lines that name none
 * @param kept the mapping that somebody has set for this file or an earlier one. It wins over the guess
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, if there is one, `details.line`; for `mapping.<field>`
 */
export async function readStatement(
  given: Uint8Array | Source,
  currency: string,
  kept?: Mapping,
): Promise<Statement> {
  const stated = kept && checkMapping(kept)
  const source = sourceOf(given)
  if (source.size > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
  const beginning = await source.read(0, SLICE)
  if (isWorkbook(beginning)) throw wrong(makeFault('workbook'))
  const format = findOtherFormat(beginning)
  if (format !== undefined) throw wrong(makeFault('otherFormat', { format }))
  const { encoding, guessed } = await findEncoding(source)
  const layout = await findLayout(beginning, encoding, stated)
  const unfit = stated === undefined ? [] : columnsOf(stated).filter(name => !layout.columns.includes(name))
  const mapping = stated === undefined || unfit.length > 0 ? layout.guess : stated
  const { separator } = layout
  const reading: Reading = { encoding, separator, tellsBroken: true, maxColumns: MAX_COLUMNS }
  const lines = () => belowHeader(readLines(source, reading), layout)
  const { total, sample, evidence } = await look(lines(), layout, mapping, currency)
  if (total === 0) throw wrong(makeFault('noLines'))
  const manner = mannerOf(layout, mapping, evidence, currency)
  return {
    columns: layout.columns,
    separator,
    encoding,
    encodingGuessed: guessed,
    digest: await digestOf(source),
    total,
    sample,
    mapping,
    unfit,
    missing: missingOf(mapping),
    doubts: [
      ...(manner.order === undefined && evidence.hasOpenDates ? (['order'] as const) : []),
      ...(manner.mark === undefined && evidence.hasOpenAmounts ? (['decimal'] as const) : []),
    ],
    read: () => {
      if (unfit.length > 0) throw refusal('mapping', makeFault('otherColumns', { values: unfit }))
      checkMapping(mapping)
      return readBookings(lines(), manner)
    },
  }
}

/** The lines that are handled before the event loop turns. */
const AT_ONCE = 500

async function* belowHeader(
  batches: AsyncGenerator<TableLine[]>,
  { header }: Layout,
): AsyncGenerator<TableLine[]> {
  let isBelow = header.length === 0
  for await (const lines of batches) {
    const at = isBelow ? -1 : lines.findIndex(({ cells }) => isHeader(cells, header))
    if (!isBelow && at === -1) continue
    isBelow = true
    for (let from = at + 1; from < lines.length; from += AT_ONCE) {
      yield lines.slice(from, from + AT_ONCE)
      await nextTurn()
    }
  }
}

function isHeader(cells: readonly string[], header: readonly string[]): boolean {
  return (
    header.every((name, at) => cells[at] === name) && cells.slice(header.length).every(cell => cell === '')
  )
}

async function look(
  batches: AsyncGenerator<TableLine[]>,
  layout: Layout,
  mapping: Mapping,
  currency: string,
): Promise<{ total: number; sample: string[][]; evidence: Evidence }> {
  const evidence = new Evidence()
  const manner = mannerOf(layout, mapping, evidence, currency)
  const { date, valueDate, amount, credit, debit, currencyAt } = manner
  const balance = layout.header.findIndex(name => ranksOf(name).has('balance'))
  const amounts = [amount, credit, debit, balance].filter(at => at !== undefined && at >= 0) as number[]
  const dates = [...new Set([...date, valueDate].filter(at => at !== undefined))]
  const sample: string[][] = []
  let total = 0
  for await (const lines of batches) {
    total += lines.length
    if (total > MAX_LINES) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
    for (const { cells } of lines) {
      if (sample.length < SAMPLE_LINES && cells.length > 0) sample.push(cells)
      // The lines around the bookings may be written in another way.
      if (!dates.some(at => readWrittenDate(cells[at] ?? '') !== undefined)) continue
      for (const at of dates) evidence.addDate(cells[at] ?? '')
      const own = (currencyAt === undefined ? '' : (cells[currencyAt] ?? '')).toUpperCase() || manner.currency
      for (const at of amounts) evidence.addAmount(cells[at] ?? '', own)
      if (debit !== undefined) evidence.addDebit(cells[debit] ?? '')
    }
  }
  return { total, sample, evidence }
}

function mannerOf(
  { columns, header }: Layout,
  mapping: Mapping,
  evidence: Evidence,
  currency: string,
): Manner {
  const placeOf = (name: string | null) => {
    const at = name === null ? -1 : columns.indexOf(name)
    return at === -1 ? undefined : at
  }
  const placesOf = (names: readonly (string | null)[]) => names.map(placeOf).filter(at => at !== undefined)
  const money = mapping.amount ?? mapping.credit ?? mapping.debit ?? ''
  return {
    date: placesOf([mapping.date, mapping.value_date]),
    valueDate: placeOf(mapping.value_date),
    amount: placeOf(mapping.amount),
    credit: placeOf(mapping.credit),
    debit: placeOf(mapping.debit),
    flag: placeOf(mapping.flag),
    currencyAt: placeOf(mapping.currency),
    counterparty: placesOf(mapping.counterparty),
    text: placesOf(mapping.text),
    bankId: placeOf(mapping.bank_id),
    status: placeOf(mapping.status),
    width: columns.length,
    header,
    order: mapping.order ?? evidence.order,
    mark: mapping.decimal ?? evidence.mark,
    debitSign: evidence.debitSign,
    currency: currencyIn(money) ?? currency,
  }
}

/** The most lines without a date that may turn out to be remarks below the table. */
const MAX_REMARKS = 200

async function* readBookings(
  batches: AsyncGenerator<TableLine[]>,
  manner: Manner,
): AsyncGenerator<StatementPart> {
  const count = new Occurrences()
  let remarks: WrongLine[] = []
  for await (const lines of batches) {
    const part: StatementPart = { lines: [], wrong: [], leftOut: [] }
    for (const line of lines) {
      const read = readLine(line, manner)
      if ('leftOut' in read) {
        part.leftOut.push({ line: line.line, reason: read.leftOut })
        continue
      }
      if ('faults' in read && read.isRemark && remarks.length < MAX_REMARKS) {
        remarks.push({ line: line.line, faults: read.faults })
        continue
      }
      // A remark with lines of the table below it is a line of the table, and wrong.
      part.wrong.push(...remarks)
      remarks = []
      if ('faults' in read) part.wrong.push({ line: line.line, faults: read.faults })
      else part.lines.push(count.toLine(read.booking))
    }
    yield part
  }
  const leftOut = remarks.map(({ line }) => ({ line, reason: 'remark' as const }))
  if (leftOut.length > 0) yield { lines: [], wrong: [], leftOut }
}

/** Counts how often each line occurs. */
class Occurrences {
  readonly #seen = new Map<string, number>()

  toLine(booking: Booking): StatementLine {
    const seen = sha256(sameOf(booking)).toString('base64url')
    const n = (this.#seen.get(seen) ?? 0) + 1
    this.#seen.set(seen, n)
    return { ...booking, n, key: keyOf(booking, n) }
  }
}

/** What a line is known by. */
type Known = Pick<Booking, 'date' | 'amount' | 'currency' | 'counterparty' | 'text'>

function sameOf({ date, amount, currency, counterparty, text }: Known): (string | number)[] {
  return [date, amount, currency, counterparty, text]
}

/** Returns what the nth line of a file that says this is known by, a SHA-256 in hex. */
export function keyOf(booking: Known, n: number): string {
  return sha256([...sameOf(booking), n]).toString('hex')
}

function sha256(values: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest()
}
