import type { RegistrationTypeRow } from '#product/catalog/registration-types/store.ts'
import { refusal } from './refusals.ts'
import { mayBeDescribed, type Uncertain } from './uncertain.ts'

interface Filling {
  row: Pick<RegistrationTypeRow, 'name' | 'capacity' | 'sold'>
  /** Where the file describes the type, if it does. */
  path: string | undefined
  taken: number
  released: number
}

/**
 * Refuses a type that would be oversold.
 *
 * @throws Problem invalid_parameter
 */
export function refuseOversold(type: Filling, eventPath: string): void {
  const oversold = findOversold(type, eventPath)
  if (oversold !== undefined) throw refusal(...oversold)
}

export function findOversold(
  { row, path, taken, released }: Filling,
  eventPath: string,
): [path: string, message: string] | undefined {
  const sold = row.sold - released
  if (sold + taken <= row.capacity) return undefined
  const [place, verb] =
    path === undefined ? [`${eventPath}.registrations`, 'are too many'] : [`${path}.capacity`, 'is too small']
  return [place, `${verb}: "${row.name}" has a capacity of ${row.capacity}${describe(sold, taken)}`]
}

/** Describes what is sold and what the file brings. What only the file has is not sold. */
function describe(sold: number, taken: number): string {
  const tickets = (count: number) => (count === 1 ? '1 ticket' : `${count} tickets`)
  if (sold === 0) return `, and the file brings ${tickets(taken)}`
  const are = `${tickets(sold)} ${sold === 1 ? 'is' : 'are'} sold`
  return taken === 0 ? `, and ${are}` : `, ${are}, and the file brings ${taken} more`
}

/** Returns whether a type may have more room than it seems. */
export function isUncertain(
  { row, path }: Filling,
  uncertain: Uncertain | undefined,
  updateHistory: boolean,
): boolean {
  if (uncertain === undefined) return false
  return (updateHistory && uncertain.refunds) || (path === undefined && mayBeDescribed(row.name, uncertain))
}
