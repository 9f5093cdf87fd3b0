import type { TicketRow } from './contract.ts'

/** Removes accents and case, so that any keyboard can find everybody. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll('æ', 'ae')
    .replaceAll('œ', 'oe')
    .replaceAll('ı', 'i')
}

export const MOST_FOUND = 30

/** This map keeps the folded texts of rows, because folding thousands of them takes longer than one key press. */
const folded = new WeakMap<TicketRow, string>()

function aboutOf(row: TicketRow): string {
  let about = folded.get(row)
  if (about === undefined) {
    about = ` ${fold(`${row[3] ?? ''} ${row[4] ?? ''}`).replace(/[\s\-'’,.]+/g, ' ')}`
    folded.set(row, about)
  }
  return about
}

/** Returns the rows whose name or seat has a word that begins with each word of the text, sorted by name. */
export function search(rows: Iterable<TicketRow>, text: string): TicketRow[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const found: TicketRow[] = []
  for (const row of rows) {
    if (row[3] === null) continue
    const about = aboutOf(row)
    if (words.every(word => about.includes(` ${word}`))) found.push(row)
    if (found.length >= 500) break
  }
  return found.sort((one, other) => (one[3] ?? '').localeCompare(other[3] ?? '')).slice(0, MOST_FOUND)
}
