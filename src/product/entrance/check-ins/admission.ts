import * as attendees from '../attendees/rules.ts'
import type { WriteTx } from '../db/port.ts'
import { newOrderedId } from '../ids.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { Written } from '../resource.ts'
import { atLocalHour } from '../time.ts'
import { emit } from '../webhooks/outbox.ts'
import { type CheckIn, presentCheckIn, presentUndone } from './schemas.ts'
import * as store from './store.ts'
import { type AdmissionRefusal, judge, ticketState } from './validity.ts'

/** An event still admits until this hour of the morning after its last day. */
const LAST_HOUR = 6

/** Why a ticket is not admitted at an instant, in milliseconds; undefined where it is. */
export function refusalOf(ticket: store.TicketRow, at: number): AdmissionRefusal | undefined {
  const state = ticketState(ticket.status, ticket.voided === 1)
  return judge({ state, usedAt: ticket.checked_in_at, ...validityOf(ticket) }, at)
}

/**
 * The instants, in milliseconds, from which and before which a ticket is valid. Each is the type's own where it is set; else
 * 00:00 of the event's first day, and 06:00 after its last day, in the event's time zone; null means no limit.
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

/** Who admitted a ticket, and when. */
export interface Admitted {
  source: store.CheckInRow['source']
  /** Milliseconds: a scanner without a network admits before that is recorded. */
  at: number
  /** The scan that holds the check-in. */
  scanId: string | null
}

/** Makes the check-in of a ticket that is good. Writes are serialized, and UNIQUE (attendee_id) stands behind the rule. */
export async function admit(
  tx: WriteTx,
  accountId: string,
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
  await store.insert(tx, accountId, row)
  if (ticket.at_doors === 1) await attendees.noteTicketAtDoors(tx, accountId, row.attendee_id)
  return emit(tx, accountId, 'checkin.created', presentCheckIn(row))
}

/** Deletes a check-in, as if it had not been. */
export async function takeBack(
  tx: WriteTx,
  accountId: string,
  row: store.CheckInRow & { registration_type_id: string },
): Promise<Written<CheckIn>> {
  await store.remove(tx, accountId, row.id)
  await attendees.noteTicketAtDoors(tx, accountId, row.attendee_id)
  await registrationTypes.noteChange(tx, accountId, row.registration_type_id)
  return emit(tx, accountId, 'checkin.undone', presentUndone(row))
}
