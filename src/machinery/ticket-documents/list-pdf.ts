import { ROWS_A_PAGE } from './drawing/rows-a-page.ts'
import type { ListRow, ListSheet, Sheets } from './drawing/sheet.ts'
import { drawInThread } from './drawing/thread.ts'

/** Pages of one file: others wait for their tickets while it is drawn. */
const PAGES = 50

/** Rows of one file: what is longer is several. */
export const ROWS_A_FILE = PAGES * ROWS_A_PAGE

/** A list that is ticked by hand. */
export interface PrintedList extends Omit<Sheets, 'sheets'>, Omit<ListSheet, 'rows' | 'page' | 'title'> {
  rows: readonly ListRow[]
  /** Of the pages, from 1 on. @param of how many */
  page: (at: number, of: number) => string
}

/** A PDF of at most `ROWS_A_FILE` rows, A4. */
export function listPdf({ rows, page, ...list }: PrintedList): Promise<Buffer> {
  const count = Math.max(1, Math.ceil(rows.length / ROWS_A_PAGE))
  const { language, title, author, issuedAt, ...words } = list
  const sheets = Array.from({ length: count }, (_, at) => ({
    ...words,
    title,
    rows: rows.slice(at * ROWS_A_PAGE, (at + 1) * ROWS_A_PAGE),
    page: page(at + 1, count),
  }))
  return drawInThread({ language, title, author, issuedAt, sheets })
}
