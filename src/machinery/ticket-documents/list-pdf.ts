import { type Asker, drawInTurn } from './drawing/drawings.ts'
import { ROWS_A_PAGE } from './drawing/rows-a-page.ts'
import type { ListRow, ListSheet, Sheets } from './drawing/sheet.ts'

/** The most pages of one file. Others wait for their tickets while it is drawn. */
const PAGES = 50

/** The most rows of one file. A longer list needs several. */
export const ROWS_A_FILE = PAGES * ROWS_A_PAGE

/** A list that people tick by hand. */
export interface PrintedList extends Omit<Sheets, 'sheets'>, Omit<ListSheet, 'rows' | 'page' | 'title'> {
  rows: readonly ListRow[]
  /** Returns the text for a page, counted from 1. @param of the number of pages */
  page: (at: number, of: number) => string
}

/** Returns a PDF of at most `ROWS_A_FILE` rows, A4. @throws as `Drawings.draw` */
export function listPdf({ rows, page, ...list }: PrintedList, asker: Asker): Promise<Buffer> {
  const count = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE))
  const { language, title, author, issuedAt, ...words } = list
  const sheets = Array.from({ length: count }, (_, at) => ({
    ...words,
    title,
    rows: rows.slice(at * ROWS_A_PAGE, (at + 1) * ROWS_A_PAGE),
    page: page(at + 1, count),
  }))
  return drawInTurn({ language, title, author, issuedAt, sheets }, asker)
}
