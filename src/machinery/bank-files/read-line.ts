import { type Fault, makeFault } from '#base/faults.ts'
import { isText } from '#base/fields.ts'
import { isCurrency, toDecimal } from '#base/money.ts'
import { toNfc } from '#base/words.ts'
import type { TableLine } from '#machinery/tables/lines.ts'
import { type DecimalMark, readWritten, toMinorUnits, type WrittenAmount } from './amounts.ts'
import { type DateOrder, readWrittenDate, toDate } from './dates.ts'
import { isBalance, isPending, readSide, type Side, sideExamples } from './sides.ts'

/** A fault of a line, with the field that has it. The field is null for the whole line. */
export interface LineFault {
  field: BookingField | null
  fault: Fault
}

type BookingField =
  | 'date'
  | 'value_date'
  | 'amount'
  | 'credit'
  | 'debit'
  | 'flag'
  | 'currency'
  | 'counterparty'
  | 'text'

export interface Booking {
  line: number
  /** The form is `YYYY-MM-DD`. */
  date: string
  valueDate: string | null
  /** Minor units. Outgoing money is negative. */
  amount: number
  currency: string
  counterparty: string
  text: string
  bankId: string | null
}

/** The reason why a line counts for nothing without being wrong: it waits to be booked, is a balance, or repeats the header. */
export type Reason = 'pending' | 'balance' | 'header'

export type Read =
  | { booking: Booking }
  | { leftOut: Reason }
  /** `isRemark` is true for a line without a date, such as banks write below the table. */
  | { faults: [LineFault, ...LineFault[]]; isRemark: boolean }

/** The columns by their position, and how the file writes. */
export interface Manner {
  date: number[]
  valueDate: number | undefined
  amount: number | undefined
  credit: number | undefined
  debit: number | undefined
  flag: number | undefined
  currencyAt: number | undefined
  counterparty: number[]
  text: number[]
  bankId: number | undefined
  status: number | undefined
  /** The number of columns. */
  width: number
  header: readonly string[]
  order: DateOrder | undefined
  mark: DecimalMark | undefined
  debitSign: -1 | 1 | undefined
  /** The currency if neither the line nor the amount names another. */
  currency: string
}

/** In characters, for a joined text. */
const MAX_TEXT = 4000
const MAX_COUNTERPARTY = 500
const MAX_BANK_ID = 200

export function readLine({ line, cells, broken }: TableLine, manner: Manner): Read {
  if (broken) return { faults: [{ field: null, fault: makeFault('openQuote') }], isRemark: false }
  const cell = (at: number | undefined) => (at === undefined ? '' : (cells[at] ?? ''))
  const reason = findReason(cells, manner, cell)
  if (reason !== undefined) return { leftOut: reason }
  const faults: LineFault[] = []
  if (cells.slice(manner.width).some(one => one !== ''))
    faults.push({ field: null, fault: makeFault('moreCells', { max: manner.width }) })
  const dateText = manner.date.map(cell).find(one => one !== '') ?? ''
  const date = readDate(dateText, 'date', manner, faults)
  const valueDate =
    cell(manner.valueDate) === '' ? null : readDate(cell(manner.valueDate), 'value_date', manner, faults)
  const money = readMoney(manner, cell, faults)
  const counterparty = readTexts(manner.counterparty.map(cell), 'counterparty', faults)
  const text = readTexts(manner.text.map(cell), 'text', faults)
  const [first, ...more] = faults
  if (first !== undefined || date === undefined || valueDate === undefined || money === undefined) {
    const isRemark = readWrittenDate(dateText) === undefined && !/^'?\d/.test(dateText)
    return { faults: [first as LineFault, ...more], isRemark }
  }
  const bankId = cell(manner.bankId).slice(0, MAX_BANK_ID).replaceAll('\0', '').toWellFormed() || null
  return { booking: { line, date, valueDate, ...money, counterparty, text, bankId } }
}

type Cell = (at: number | undefined) => string

function findReason(cells: readonly string[], manner: Manner, cell: Cell): Reason | undefined {
  if (manner.header.length > 0 && manner.header.every((name, at) => cells[at] === name)) return 'header'
  if (isPending(cell(manner.status))) return 'pending'
  const alone = [manner.amount, manner.credit, manner.debit].every(at => cell(at) === '')
  const says = manner.text.some(at => isBalance(cell(at), alone))
  return says ? 'balance' : undefined
}

const dateExamples = { dmy: '31.12.2026', mdy: '12/31/2026' }

/** Reads a date. @returns undefined if there is a fault */
function readDate(
  cell: string,
  field: 'date' | 'value_date',
  { order }: Manner,
  faults: LineFault[],
): string | undefined {
  const written = readWrittenDate(cell)
  const example = order === undefined ? '2026-12-31' : dateExamples[order]
  if (written === undefined) {
    faults.push({
      field,
      fault: cell === '' ? makeFault('required') : makeFault('calendarDate', { example }),
    })
    return undefined
  }
  const values = [...new Set([toDate(written, 'dmy'), toDate(written, 'mdy')])].filter(
    one => one !== undefined,
  )
  const date = order === undefined ? values[0] : toDate(written, order)
  if (date === undefined) faults.push({ field, fault: makeFault('calendarDate', { example }) })
  else if (order === undefined && values.length > 1)
    faults.push({ field, fault: makeFault('ambiguous', { values }) })
  else return date
  return undefined
}

interface Money {
  amount: number
  currency: string
}

/** Reads the amount of a line. @returns undefined if there is a fault */
function readMoney(manner: Manner, cell: Cell, faults: LineFault[]): Money | undefined {
  const stated = cell(manner.currencyAt).toUpperCase()
  if (stated !== '' && !isCurrency(stated)) {
    faults.push({ field: 'currency', fault: makeFault('currency', { example: manner.currency }) })
    return undefined
  }
  if (manner.amount !== undefined)
    return readAmount(cell(manner.amount), 'amount', stated, manner, faults, sideOf(manner, cell, faults))
  const [credit, debit] = [cell(manner.credit), cell(manner.debit)]
  // Some banks fill the other column with a zero.
  const isNothing = (text: string) => text === '' || /^[0.,]+$/.test(readWritten(text)?.number ?? '?')
  if (!isNothing(credit) && !isNothing(debit)) {
    faults.push({ field: 'debit', fault: makeFault('contradicts', { field: 'credit' }) })
    return undefined
  }
  if (credit !== '' && (debit === '' || isNothing(debit)))
    return readAmount(credit, 'credit', stated, manner, faults, undefined)
  const read = readAmount(
    debit,
    manner.debit === undefined ? 'credit' : 'debit',
    stated,
    manner,
    faults,
    undefined,
  )
  if (read === undefined || readWritten(debit)?.side !== undefined) return read
  const { debitSign = read.amount < 0 ? -1 : 1 } = manner
  return { ...read, amount: debitSign === -1 ? read.amount : 0 - read.amount }
}

function sideOf({ flag }: Manner, cell: Cell, faults: LineFault[]): Side | undefined {
  if (flag === undefined) return undefined
  const side = readSide(cell(flag))
  if (side === undefined) faults.push({ field: 'flag', fault: makeFault('oneOf', { values: sideExamples }) })
  return side
}

function readAmount(
  text: string,
  field: 'amount' | 'credit' | 'debit',
  stated: string,
  { mark, currency: usual }: Manner,
  faults: LineFault[],
  flag: Side | undefined,
): Money | undefined {
  const refuse = (fault: Fault): undefined => {
    faults.push({ field, fault })
  }
  if (text === '') return refuse(makeFault('required'))
  const written = readWritten(text)
  const currency = stated || written?.currency || usual
  const example = mark === ',' ? '1.234,56' : '1,234.56'
  if (written === undefined) return refuse(makeFault('amountText', { example }))
  if (written.currency !== undefined && written.currency !== currency)
    return refuse(makeFault('contradicts', { field: 'currency' }))
  const values = readingsOf(written, currency)
  const size = mark === undefined ? values[0] : toMinorUnits(written.number, mark, currency)
  if (size === undefined) return refuse(makeFault('amountText', { example }))
  if (mark === undefined && values.length > 1)
    return refuse(makeFault('ambiguous', { values: values.map(value => toDecimal(value, currency)) }))
  const side = flag ?? written.side
  const against = side === 'credit' ? -1 : 1
  if (side !== undefined && ((written.side ?? side) !== side || written.sign === against))
    return refuse(makeFault('contradicts', { field: 'flag' }))
  const isOut = side === 'debit' || written.sign === -1
  return { amount: isOut ? 0 - size : size, currency }
}

/** Returns the possible values of an amount if nothing shows the meaning of its mark. */
function readingsOf({ number, grouped }: WrittenAmount, currency: string): number[] {
  const marks: DecimalMark[] = [',', '.']
  const all = marks.map(mark =>
    grouped && !number.includes(mark) && /[.,]/.test(number)
      ? undefined
      : toMinorUnits(number, mark, currency),
  )
  return [...new Set(all)].filter(value => value !== undefined)
}

/** Joins the parts to one line, without repeated ones. */
function readTexts(parts: readonly string[], field: 'counterparty' | 'text', faults: LineFault[]): string {
  const plain = parts.map(part =>
    toNfc(part)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  const text = [...new Set(plain)].filter(part => part !== '').join(field === 'text' ? ' ' : ' / ')
  const max = field === 'text' ? MAX_TEXT : MAX_COUNTERPARTY
  if (!parts.every(isText)) faults.push({ field, fault: makeFault('wellFormed') })
  else if (text.length > max) faults.push({ field, fault: makeFault('maxLength', { max }) })
  return text
}
