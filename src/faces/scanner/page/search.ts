import type { TicketRow } from './contract.ts'

/** Without accents and case, so that everybody is found by what a keyboard has. */
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

/** Of rows that were looked at before: folding thousands takes longer than a key does. */
const folded = new WeakMap<TicketRow, string>()

function aboutOf(row: TicketRow): string {
  let about = folded.get(row)
  if (about === undefined) {
    about = ` ${fold(`${row[3] ?? ''} ${row[4] ?? ''}`).replace(/[\s\-'’,.]+/g, ' ')}`
    folded.set(row, about)
  }
  return about
}

/** Those with a word that begins with each word of the text, in their name or seat, by name. */
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
