import { atLocalHour } from '#base/time.ts'
import { dayOf, type EntryRule, FIRST_HOUR, NO_DAY } from './entry-rule.ts'
import type { EntryRow } from './entry-store.ts'
import type { TicketRow } from './store.ts'

/** An entry with the names of its instants that the rule knows. */
export type Entry = EntryRow & { at: number; leftAt: number | null }

/** Returns how often a ticket admits. */
export function ruleOf({ entries, reentry }: TicketRow): EntryRule {
  return { entries, reentry: reentry === 1 }
}

export function toEntry(row: EntryRow): Entry {
  return { ...row, at: row.entered_at, leftAt: row.left_at }
}

export function toRow({ slot, scan_id, entered_at, left_scan_id, left_at }: Entry): EntryRow {
  return { slot, scan_id, entered_at, left_scan_id, left_at }
}

/** Returns the slot after those that the day of an instant has. */
export function nextSlot(ticket: TicketRow, rows: readonly EntryRow[], at: number): string {
  const day = dayOf(ruleOf(ticket), at, ticket.timezone)
  const numbers = rows.flatMap(({ slot }) => (slot.startsWith(`${day}/`) ? Number(slot.split('/')[1]) : []))
  return `${day}/${Math.max(-1, ...numbers) + 1}`
}

/** An entry before another one begins no later than this. */
export function endOf(entry: Entry | undefined): number | null {
  return entry === undefined ? null : (entry.leftAt ?? entry.at)
}

/** Returns the instants from which and before which the day of an instant lasts. */
export function spanOf(ticket: TicketRow, at: number): { from: number; until: number } {
  const day = dayOf(ruleOf(ticket), at, ticket.timezone)
  if (day === NO_DAY) return { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER }
  const isEarly = dayOf(ruleOf(ticket), atLocalHour(at, ticket.timezone, 0, 12), ticket.timezone) !== day
  const [first, next] = isEarly ? [-1, 0] : [0, 1]
  return {
    from: atLocalHour(at, ticket.timezone, first, FIRST_HOUR),
    until: atLocalHour(at, ticket.timezone, next, FIRST_HOUR),
  }
}
