import type { Mapping } from './columns.ts'
import type { MissingType } from './read-line.ts'
import type { Counts, LineDetails } from './schemas.ts'

/** The most types that a check keeps the names of. An event with more of them does not come from such a shop. */
export const MOST_MISSING = 50

/** Notes that a line would be added: as an extra, or with its tickets. */
export function noteNew(counts: Counts, { guest }: LineDetails, extras: ReadonlySet<string>): void {
  const { registration_type_id = '', quantity = 0 } = guest ?? {}
  if (extras.has(registration_type_id)) counts.extras = (counts.extras ?? 0) + quantity
  else counts.tickets += quantity
}

/** Notes that an export names a type which the event does not have, and for how many tickets. */
export function noteMissing(counts: Counts, missing: MissingType | undefined): void {
  if (missing === undefined) return
  const noted = counts.missing ?? []
  const isSame = ({ name }: MissingType) => name.toLowerCase() === missing.name.toLowerCase()
  const found = noted.find(isSame)
  if (found === undefined && noted.length >= MOST_MISSING) {
    counts.more_missing = true
    return
  }
  const tickets = (found?.tickets ?? 0) + missing.tickets
  // What is sold alone somewhere is a ticket everywhere.
  const isExtra = missing.extra === true && (found === undefined || found.extra === true)
  const { name } = found ?? missing
  const added = { name, tickets, ...(isExtra ? { extra: true as const } : {}) }
  counts.missing = [...noted.filter(one => one !== found), added].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
}

/** Notes which columns of an export have an answer in some line. */
export function noteAnswered(counts: Counts, { answers }: Mapping, cells: readonly string[]): void {
  const noted = new Set(counts.answered)
  for (const at of answers.values()) if ((cells[at] ?? '') !== '') noted.add(at)
  if (noted.size > (counts.answered?.length ?? 0)) counts.answered = [...noted].sort((a, b) => a - b)
}
