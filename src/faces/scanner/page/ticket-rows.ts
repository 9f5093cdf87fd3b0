import type { TicketRow } from './contract.ts'

/** Returns a ticket with another use, or with none. */
export function withUse(
  [id, type, state, name, seat, owes, , , ...rest]: TicketRow,
  at: string | null,
  door: string | null,
): TicketRow {
  return [id, type, state, name, seat, owes, at, door, ...rest]
}

/** Returns a ticket as a door that may not search keeps it. */
export function withoutName([id, type, state, , ...rest]: TicketRow): TicketRow {
  return [id, type, state, null, ...rest]
}
