import { makeFault } from '#base/faults.ts'
import { toCsv } from '#machinery/tables/csv.ts'
import { MAX_BYTES, SLICE, wrong } from '#machinery/tables/lines.ts'
import { hasMarks, type SheetMarks } from '#machinery/tables/plain-header.ts'
import { Archive } from './archive.ts'
import { readParts, type WorkbookParts } from './parts.ts'
import { readFirstRow, readSheet } from './sheet.ts'

/**
 * Writes the first sheet with content as CSV in UTF-8, each row in the line that it has in the spreadsheet. Every cell is text.
 * If there are several sheets, one whose first row has these marks goes before the others.
 *
 * @param give takes a piece of the CSV
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function workbookToCsv(
  { bytes, marks }: { bytes: Uint8Array; marks: readonly SheetMarks[] },
  give: (piece: Uint8Array) => void,
): Promise<void> {
  const archive = new Archive(bytes)
  const parts = await readParts(archive)
  const marked = parts.sheets.length > 1 ? await findMarked(archive, parts, marks) : undefined
  for (const sheet of marked === undefined ? parts.sheets : [marked]) {
    const text = new Text(give)
    await readSheet(archive, sheet, parts, (line, cells) => text.add(line, cells))
    if (text.end()) return
  }
}

async function findMarked(
  archive: Archive,
  parts: WorkbookParts,
  marks: readonly SheetMarks[],
): Promise<string | undefined> {
  if (marks.length === 0) return undefined
  for (const sheet of parts.sheets) {
    const cells = await readFirstRow(archive, sheet, parts)
    if (marks.some(one => hasMarks(cells, one))) return sheet
  }
  return undefined
}

class Text {
  readonly #give: (piece: Uint8Array) => void
  #pieces: string[] = []
  #waiting = 0
  #bytes = 0
  #line = 0

  constructor(give: (piece: Uint8Array) => void) {
    this.#give = give
  }

  add(line: number, cells: readonly string[]): void {
    const text = '\r\n'.repeat(line - this.#line - 1) + toCsv([cells])
    this.#line = line
    this.#pieces.push(text)
    this.#waiting += text.length
    if (this.#waiting >= SLICE) this.#flush()
  }

  /** @returns whether there was any row */
  end(): boolean {
    this.#flush()
    return this.#line > 0
  }

  #flush(): void {
    const piece = Buffer.from(this.#pieces.join(''))
    this.#pieces = []
    this.#waiting = 0
    this.#bytes += piece.length
    if (this.#bytes > MAX_BYTES) throw wrong(makeFault('tooManyBytes', { max: MAX_BYTES }))
    // A small buffer shares its memory with others, and what is handed to another thread must not.
    if (piece.length > 0) this.#give(new Uint8Array(piece))
  }
}
