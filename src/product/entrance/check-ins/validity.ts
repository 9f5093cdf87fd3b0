/*
 * Whether a ticket is good, as one module: the server and the page of a scanner, which decides without a network, both run it, so
 * that the two cannot disagree. It imports nothing.
 */

/** What a ticket is worth, whoever holds it. */
export type TicketState = 'ok' | 'unpaid' | 'cancelled' | 'void'

/** A ticket as it is judged. Instants are milliseconds. */
export interface Judged {
  state: TicketState
  /** When it was admitted; null where it was not yet. */
  usedAt: number | null
  /** From when it is valid; null: always. */
  from: number | null
  /** Before when it is valid; null: for ever. */
  until: number | null
}

/** Why a ticket is not admitted: codes of the API (specification section 4). */
export type AdmissionRefusal =
  | 'registration_cancelled'
  | 'registration_not_confirmed'
  | 'ticket_voided'
  | 'already_checked_in'
  | 'not_valid_today'

/** The state of a ticket. @param status of its registration */
export function ticketState(status: string, isVoid: boolean): TicketState {
  if (status === 'cancelled' || status === 'refunded') return 'cancelled'
  if (status !== 'confirmed') return 'unpaid'
  return isVoid ? 'void' : 'ok'
}

const REFUSED: Readonly<Record<Exclude<TicketState, 'ok'>, AdmissionRefusal>> = {
  cancelled: 'registration_cancelled',
  unpaid: 'registration_not_confirmed',
  void: 'ticket_voided',
}

/** The first reason that a ticket is not admitted at an instant, in milliseconds; undefined where it is. */
export function judge({ state, usedAt, from, until }: Judged, at: number): AdmissionRefusal | undefined {
  if (state !== 'ok') return REFUSED[state]
  if (usedAt !== null) return 'already_checked_in'
  const isValid = (from === null || at >= from) && (until === null || at < until)
  return isValid ? undefined : 'not_valid_today'
}
