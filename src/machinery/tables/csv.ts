import Papa from 'papaparse'

/** What makes a program that opens the file as UTF-8 instead of guessing. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * A spreadsheet takes a cell for a formula when it begins with one of these, in their full-width forms too, after any white
 * space; and a tab or line break at the start can push what follows into a cell of its own.
 */
const FORMULA = /^(?:[\t\r\n\0]|[\s\u0085]*[=+\-@\uff1d\uff0b\uff0d\uff20])/

/** A user's text as a cell that no spreadsheet evaluates: a leading apostrophe makes it text. */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** What `safeCell` has made a cell of. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** Rows as CSV (RFC 4180): every field quoted, every line ended by CRLF, the last one too. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse(rows as string[][], { quotes: true, newline: '\r\n' })}\r\n`
}
