/*
 * This module says whether a ticket is valid. The server runs it, and so does the page of a scanner, which decides without a
 * network. So the two cannot disagree. It imports nothing.
 */

/** Describes the state of a ticket, whoever holds it. */
export type TicketState = 'ok' | 'unpaid' | 'cancelled' | 'void' | 'exchanged'

/** Describes a ticket as it is judged. Instants are milliseconds. */
export interface Judged {
  state: TicketState
  /** When it was admitted. It is null if it was not admitted yet. */
  usedAt: number | null
  /** The ticket is valid from this instant on. Null means always. */
  from: number | null
  /** The ticket is valid before this instant. Null means for ever. */
  until: number | null
}

/** Says why a ticket is not admitted. These are codes of the API (specification section 4). */
export type AdmissionRefusal =
  | 'registration_cancelled'
  | 'registration_not_confirmed'
  | 'ticket_voided'
  | 'already_checked_in'
  | 'not_valid_today'

/** Says the same at a door, which alone is told that another ticket took the place of one. */
export type DoorRefusal = AdmissionRefusal | 'ticket_exchanged'

/**
 * Returns the state of a ticket.
 *
 * @param status the status of its registration
 * @param isExchanged whether another ticket took its place, as a door is told
 */
export function ticketState(status: string, isVoid: boolean, isExchanged = false): TicketState {
  if (isExchanged) return 'exchanged'
  if (status === 'cancelled' || status === 'refunded') return 'cancelled'
  if (status !== 'confirmed') return 'unpaid'
  return isVoid ? 'void' : 'ok'
}

const REFUSED: Readonly<Record<Exclude<TicketState, 'ok'>, DoorRefusal>> = {
  cancelled: 'registration_cancelled',
  unpaid: 'registration_not_confirmed',
  void: 'ticket_voided',
  exchanged: 'ticket_exchanged',
}

/** Returns the first reason that a ticket is not admitted at an instant, in milliseconds, or undefined if it is. */
export function judge({ state, usedAt, from, until }: Judged, at: number): DoorRefusal | undefined {
  if (state !== 'ok') return REFUSED[state]
  if (usedAt !== null) return 'already_checked_in'
  const isValid = (from === null || at >= from) && (until === null || at < until)
  return isValid ? undefined : 'not_valid_today'
}
