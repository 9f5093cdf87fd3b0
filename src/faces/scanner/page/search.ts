import { fold, foldSpelled } from '#base/fold.ts'
import type { TicketRow } from './contract.ts'

export const MOST_FOUND = 30
/** So many words may be typed without what is between them: a double name with a particle has as many. */
const MOST_JOINED = 4

/** This map keeps the folded texts of rows, because folding thousands of them takes longer than one key press. */
const folded = new WeakMap<TicketRow, string>()

function aboutOf(row: TicketRow): string {
  let about = folded.get(row)
  if (about === undefined) {
    const text = `${row[3] ?? ''} ${row[4] ?? ''}`
    about = [...new Set(formsOf(text).flatMap(runsOf))].map(run => ` ${run}`).join('')
    folded.set(row, about)
  }
  return about
}

/** Returns the text as the list and the search compare it: without marks, and spelled out, as Muller and Mueller for Müller. */
function formsOf(text: string): string[] {
  return [...new Set([fold(text), foldSpelled(text)])]
}

/** Returns, for each word, the word and those after it without what stands between: O'Neil is also found as oneil. */
function runsOf(text: string): string[] {
  const words = wordsOf(text)
  return words.map((_, at) => words.slice(at, at + MOST_JOINED).join(''))
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}

/** Returns the ways to read a typed word: as one, without its marks, or as the words that the marks separate. */
function readingsOf(typed: string): string[][] {
  return formsOf(typed).flatMap(form => {
    const words = wordsOf(form)
    return [[words.join('')], words]
  })
}

/** Returns the rows whose name or seat has a word that begins with each word of the text, sorted by name. */
export function search(rows: Iterable<TicketRow>, text: string): TicketRow[] {
  const typed = text
    .split(/\s+/)
    .filter(part => wordsOf(fold(part)).length > 0)
    .map(readingsOf)
  if (typed.length === 0) return []
  const found: TicketRow[] = []
  for (const row of rows) {
    if (row[3] === null) continue
    const about = aboutOf(row)
    const isIn = (words: readonly string[]) => words.every(word => about.includes(` ${word}`))
    if (typed.every(readings => readings.some(isIn))) found.push(row)
    if (found.length >= 500) break
  }
  return found.sort((one, other) => (one[3] ?? '').localeCompare(other[3] ?? '')).slice(0, MOST_FOUND)
}
