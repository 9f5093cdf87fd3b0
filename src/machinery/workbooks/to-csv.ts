import { makeFault } from '#base/faults.ts'
import { toCsv } from '#machinery/tables/csv.ts'
import { MAX_BYTES, SLICE, wrong } from '#machinery/tables/lines.ts'
import { Archive } from './archive.ts'
import { readParts } from './parts.ts'
import { readSheet } from './sheet.ts'

/**
 * Writes the first sheet with content as CSV in UTF-8, each row in the line that it has in the spreadsheet. Every cell is text.
 *
 * @param give takes a piece of the CSV
 * @throws Problem invalid_parameter for `file`, with `details.fault` and, where there is one, `details.line`
 */
export async function workbookToCsv(bytes: Uint8Array, give: (piece: Uint8Array) => void): Promise<void> {
  const archive = new Archive(bytes)
  const parts = await readParts(archive)
  for (const sheet of parts.sheets) {
    const text = new Text(give)
    await readSheet(archive, sheet, parts, (line, cells) => text.add(line, cells))
    if (text.end()) return
  }
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
