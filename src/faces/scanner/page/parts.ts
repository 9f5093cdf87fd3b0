import type { TicketRow } from './contract.ts'

/** A part has this many tickets. */
export const PART = 2000

export type Part = readonly [key: number, rows: readonly TicketRow[]]

/** Splits the fetched list into the parts in which the storage keeps it. */
export function partsOf(tickets: readonly TicketRow[]): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < tickets.length; at += PART) parts.push([at, tickets.slice(at, at + PART)])
  return parts
}

/**
 * Returns the parts that have to be written again because they have a name or a seat that has changed, or that nobody may know
 * any more. The storage keeps all other changes beside the parts.
 */
export function withoutOldNames(parts: Iterable<Part>, changed: readonly TicketRow[]): Part[] {
  if (changed.length === 0) return []
  const byId = new Map(changed.map(row => [row[0], row]))
  const isOld = (row: TicketRow) => {
    const now = byId.get(row[0])
    const isOther = (place: 3 | 4) => row[place] !== null && row[place] !== now?.[place]
    return now !== undefined && (isOther(3) || isOther(4))
  }
  return [...parts]
    .filter(([, rows]) => rows.some(isOld))
    .map(([key, rows]) => [key, rows.map(row => (isOld(row) ? (byId.get(row[0]) ?? row) : row))])
}
