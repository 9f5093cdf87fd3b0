import { makeFault } from '#base/faults.ts'
import { MAX_LINE, MAX_LINES, wrong } from '#machinery/tables/lines.ts'
import type { Archive } from './archive.ts'
import { dateText, numberText } from './cell-text.ts'
import { MAX_SHEET_COLUMNS } from './limits.ts'
import type { WorkbookParts } from './parts.ts'
import { RichText, unescaped } from './rich-text.ts'
import { readXml, type XmlHandlers } from './xml.ts'

/** The last line that a spreadsheet can have. */
const LAST_ROW = 1_048_576
/** Lines that stand above the header count as well, and so does the header. The reader of the lines counts exactly. */
const MAX_ROWS = MAX_LINES + 1_000

/** Takes a row with content. @param line its number in the spreadsheet. Numbers only grow */
export type TakeRow = (line: number, cells: readonly string[]) => void

/**
 * Reads the rows of a sheet that have content, in their order. A formula counts as what the spreadsheet last made of it.
 *
 * @throws Problem invalid_parameter for `file`, with `details.fault` and `details.line`
 */
export async function readSheet(
  archive: Archive,
  part: string,
  workbook: WorkbookParts,
  take: TakeRow,
): Promise<void> {
  await readXml(archive.read(part), new Rows(workbook, take))
}

/** Returns the first row of a sheet that has content, and reads no more of it. @throws Problem as `readSheet` */
export async function readFirstRow(
  archive: Archive,
  part: string,
  workbook: WorkbookParts,
): Promise<readonly string[]> {
  let first: readonly string[] = []
  const rows = new Rows(workbook, (_, cells) => {
    first = cells
    rows.end()
  })
  await readXml(archive.read(part), rows)
  return first
}

class Rows implements XmlHandlers {
  readonly #workbook: WorkbookParts
  readonly #take: TakeRow
  readonly #inline = new RichText()
  #rows = 0
  #line = 0
  #cells: string[] = []
  #characters = 0
  #isDone = false
  /** The cell that is being read: its column from 0, the type and the style that its element gives, and its value. */
  #column = -1
  #type = ''
  #style = -1
  #value: string | undefined
  #isValue = false

  constructor(workbook: WorkbookParts, take: TakeRow) {
    this.#workbook = workbook
    this.#take = take
  }

  isDone(): boolean {
    return this.#isDone
  }

  /** Takes no row any more. */
  end(): void {
    this.#isDone = true
  }

  open(name: string, attributes: () => Record<string, string>): void {
    if (name === 'row') this.#openRow(attributes().r)
    else if (name === 'c') this.#openCell(attributes())
    else if (name === 'v') {
      this.#isValue = true
      this.#value = ''
    } else if (name === 'is') this.#inline.begin()
    this.#inline.open(name)
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text
    else this.#inline.add(text)
  }

  close(name: string): void {
    this.#inline.close(name)
    if (name === 'v') this.#isValue = false
    else if (name === 'is') this.#value = this.#inline.end()
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else if (name === 'sheetData') this.end()
  }

  #openRow(number: string | undefined): void {
    const line = Number(number)
    // A row that names no number, or one that is behind, follows the one before.
    this.#line = Number.isInteger(line) && line > this.#line ? line : this.#line + 1
    if (this.#line > LAST_ROW) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
    this.#cells = []
    this.#characters = 0
    this.#column = -1
  }

  #openCell({ r, t, s }: Record<string, string>): void {
    this.#column = columnOf(r) ?? this.#column + 1
    this.#type = t ?? 'n'
    this.#style = Number(s ?? -1)
    this.#value = undefined
  }

  #closeCell(): void {
    const text = this.#value === undefined ? '' : this.#textOf(this.#value)
    if (text === '') return
    if (this.#column >= MAX_SHEET_COLUMNS) {
      if (text.trim() === '') return
      throw wrong(makeFault('tooManyColumns', { max: MAX_SHEET_COLUMNS }), this.#line)
    }
    this.#characters += text.length
    if (this.#characters > MAX_LINE) throw wrong(makeFault('lineTooLong', { max: MAX_LINE }), this.#line)
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells[this.#column] = text
  }

  #textOf(value: string): string {
    const { texts, isDate, is1904 } = this.#workbook
    switch (this.#type) {
      case 's':
        return /^\d{1,7}$/.test(value) ? texts.at(Number(value)) : ''
      case 'str':
        return unescaped(value)
      case 'inlineStr':
        return value
      case 'b':
        return value === '1' || value === 'true' ? 'TRUE' : 'FALSE'
      case 'n':
        return isDate[this.#style] ? dateText(value, is1904) : numberText(value)
      // A date as ISO 8601 has it, or an error such as #N/A.
      default:
        return value
    }
  }

  #closeRow(): void {
    if (this.#isDone) return
    if (!this.#cells.some(cell => /\S/.test(cell))) return
    this.#rows++
    if (this.#rows > MAX_ROWS) throw wrong(makeFault('tooManyLines', { max: MAX_LINES }))
    this.#take(this.#line, this.#cells)
  }
}

/** Returns the column of a reference such as `AB12`, from 0. No sheet has more letters than three. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^\$?([A-Za-z]{1,3})\$?\d/.exec(reference ?? '')?.[1]?.toUpperCase()
  if (letters === undefined) return undefined
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
