import Papa from 'papaparse'

/** A program that finds this mark opens the file as UTF-8 instead of guessing. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * A spreadsheet takes a cell for a formula if it begins with one of these, also in their full-width forms, after any white space.
 * A tab or line break at the start can push what follows into a cell of its own.
 */
const FORMULA = /^(?:[\t\r\n\0]|[\s\u0085]*[=+\-@\uff1d\uff0b\uff0d\uff20])/

/** Returns a user's text as a cell that no spreadsheet evaluates. A leading apostrophe makes it text. */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Returns the text from which `safeCell` has made a cell. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** Returns rows as CSV (RFC 4180). Every field is quoted, and CRLF ends every line, also the last. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `${Papa.unparse(rows as string[][], { quotes: true, newline: '\r\n' })}\r\n`
}
