import type { Mapping } from './columns.ts'
import type { MissingType } from './read-line.ts'
import type { Counts } from './schemas.ts'

/** The most types that a check keeps the names of. An event with more of them does not come from such a shop. */
export const MOST_MISSING = 50

/** Notes that an export names a type which the event does not have, and for how many tickets. */
export function noteMissing(counts: Counts, missing: MissingType | undefined): void {
  if (missing === undefined) return
  const noted = counts.missing ?? []
  const isSame = ({ name }: MissingType) => name.toLowerCase() === missing.name.toLowerCase()
  const found = noted.find(isSame)
  if (found === undefined && noted.length >= MOST_MISSING) return
  const tickets = (found?.tickets ?? 0) + missing.tickets
  counts.missing = [...noted.filter(one => one !== found), { ...(found ?? missing), tickets }].sort(
    (one, other) => (one.name < other.name ? -1 : 1),
  )
}

/** Notes which columns of an export have an answer in some line. */
export function noteAnswered(counts: Counts, { answers }: Mapping, cells: readonly string[]): void {
  const noted = new Set(counts.answered)
  for (const at of answers.values()) if ((cells[at] ?? '') !== '') noted.add(at)
  if (noted.size > (counts.answered?.length ?? 0)) counts.answered = [...noted].sort((a, b) => a - b)
}
