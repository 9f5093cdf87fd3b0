import * as v from 'valibot'
import { makeFault } from '#base/faults.ts'
import { email } from '#base/fields.ts'
import { type TableLine, wrong } from '#machinery/tables/lines.ts'

/** A column's name has at most this many characters, because it is kept with the import and shown for each column. */
const MAX_HEADER = 200
/** The header is one of this many first lines that have content. Titles and notes may stand above it. */
export const HEADER_WITHIN = 20

/** Counts the names that columns are known by among some cells. */
export type Recognize = (cells: readonly string[]) => number

/** Returns the names of the columns by the line that has them. */
export function headersOf(cells: readonly string[]): string[] {
  const width = cells.findLastIndex(cell => cell !== '') + 1
  return cells.slice(0, width).map(cell => cell.slice(0, MAX_HEADER).toWellFormed())
}

/**
 * Guesses which of the first lines names the columns. A title above it has fewer cells than the table, and below it people have
 * e-mails. Of the lines between, it is the one with the most names that columns are known by, and else the first.
 *
 * @param top the first lines with content, at most `HEADER_WITHIN`
 * @param recognize counts the names that columns are known by
 * @throws Problem invalid_parameter for `file`, with `details.fault` and `details.line`, if the first line of the table is data
 */
export function findHeader(top: readonly TableLine[], recognize: Recognize): TableLine {
  const widths = top.map(({ cells }) => cells.filter(cell => cell !== '').length)
  const widest = Math.max(0, ...widths)
  const isWide = (at: number) => (widths[at] as number) >= Math.min(2, widest)
  const hasEmail = ({ cells }: TableLine) => cells.some(cell => v.is(email, cell))
  const data = top.findIndex((line, at) => isWide(at) && hasEmail(line))
  const above = top.map((_, at) => at).filter(at => isWide(at) && (data === -1 || at < data))
  if (above.length === 0) throw wrong(makeFault('noHeader'), top[data]?.line)
  const recognized = above.map(at => recognize((top[at] as TableLine).cells))
  const most = Math.max(...recognized)
  // Titles of groups of columns may stand above, and are as wide as half of the table at most.
  const first =
    most > 0 ? recognized.indexOf(most) : above.findIndex(at => (widths[at] as number) * 2 > widest)
  return top[above[Math.max(0, first)] as number] as TableLine
}
