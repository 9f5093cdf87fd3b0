import { newOrderedId } from '#base/ids.ts'
import type { Written } from '#base/resource.ts'
import { atLocalHour } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { emit } from '#product/administration/webhooks/outbox.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { type CheckIn, presentCheckIn, presentUndone } from './schemas.ts'
import * as store from './store.ts'
import { type AdmissionRefusal, judge, ticketState } from './validity.ts'

/** An event still admits until this hour of the morning after its last day. */
const LAST_HOUR = 6

/** Returns why a ticket is not admitted at an instant, in milliseconds, or undefined if it is. */
export function refusalOf(ticket: store.TicketRow, at: number): AdmissionRefusal | undefined {
  const state = ticketState(ticket.status, ticket.voided === 1)
  const judged = { state, usedAt: ticket.checked_in_at, ...validityOf(ticket) }
  // The state is none of those that only doors are told.
  return judge(judged, at) as AdmissionRefusal | undefined
}

/**
 * Returns the instants, in milliseconds, from which and before which a ticket is valid. Each is the type's own if it is set.
 * Otherwise they are 00:00 of the event's first day and 06:00 after its last day, in the event's time zone. Null means no limit.
 */
export function validityOf(
  ticket: Pick<store.TicketRow, 'valid_from' | 'valid_until' | 'starts_at' | 'ends_at' | 'timezone'>,
): { from: number | null; until: number | null } {
  const { starts_at: startsAt, timezone } = ticket
  const lastDay = ticket.ends_at ?? startsAt
  return {
    from: ticket.valid_from ?? (startsAt === null ? null : atLocalHour(startsAt, timezone, 0, 0)),
    until: ticket.valid_until ?? (lastDay === null ? null : atLocalHour(lastDay, timezone, 1, LAST_HOUR)),
  }
}

/** Says who admitted a ticket, and when. */
export interface Admitted {
  source: store.CheckInRow['source']
  /** In milliseconds. A scanner without a network admits before the admission is recorded. */
  at: number
  /** The scan that holds the check-in. */
  scanId: string | null
}

/** Makes the check-in of a valid ticket. Writes are serialized, and UNIQUE (attendee_id) backs the rule. */
export async function admit(
  tx: WriteTx,
  ticket: store.TicketRow,
  { source, at, scanId }: Admitted,
): Promise<Written<CheckIn>> {
  const row: store.CheckInRow = {
    id: newOrderedId('chk_'),
    event_id: ticket.event_id,
    attendee_id: ticket.attendee_id,
    registration_id: ticket.registration_id,
    source,
    name: ticket.name,
    email: ticket.email,
    seat: ticket.seat,
    voided: ticket.voided,
    checked_in_at: at,
    scan_id: scanId,
    created_at: await tx.now(),
  }
  await store.insert(tx, row)
  if (ticket.at_doors === 1) await attendees.noteTicketAtDoors(tx, row.attendee_id)
  return emit(tx, 'checkin.created', presentCheckIn(row))
}

/** Deletes a check-in as if it had never been. */
export async function removeCheckIn(
  tx: WriteTx,
  row: store.CheckInRow & { registration_type_id: string },
): Promise<Written<CheckIn>> {
  await store.remove(tx, row.id)
  await attendees.noteTicketAtDoors(tx, row.attendee_id)
  await registrationTypes.noteChange(tx, row.registration_type_id)
  return emit(tx, 'checkin.undone', presentUndone(row))
}
