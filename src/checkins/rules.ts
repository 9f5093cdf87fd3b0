import type { WriteEntry } from '../access-log/recorded-write.ts'
import * as attendees from '../attendees/rules.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newOrderedId } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { atLocalHour, toIso, toIsoOrNull } from '../time.ts'
import { emit } from '../webhooks/outbox.ts'
import { type CheckIn, type NewCheckIn, presentCheckIn, presentUndone } from './schemas.ts'
import * as store from './store.ts'

/** An event still admits until this hour of the morning after its last day. */
const LAST_HOUR = 6

/**
 * Admits one ticket, once. Writes are serialized, and UNIQUE (attendee_id) stands behind the rule (specification
 * sections 3 and 4).
 *
 * @throws Problem invalid_qr_code, not_found, wrong_event, registration_cancelled, registration_not_confirmed, ticket_voided,
 *   already_checked_in, not_valid_today: the first that applies
 */
export async function create(tx: WriteTx, accountId: string, input: NewCheckIn): Promise<Written<CheckIn>> {
  const code = input.qr_code === undefined ? undefined : await attendees.verifyCode(tx, input.qr_code)
  const ticket = await store.findTicket(tx, accountId, code?.ticketId ?? (input.attendee_id as string))
  if (ticket === undefined) {
    throw new Problem('not_found', { param: code === undefined ? 'attendee_id' : 'qr_code' })
  }
  if (code !== undefined && code.eventId !== ticket.event_id) throw new Problem('invalid_qr_code')
  if (input.event_id !== undefined) await refuseOtherEvent(tx, accountId, ticket, input.event_id)
  refuseUnlessAdmissible(ticket, tx.clock())

  const row: store.CheckInRow = {
    id: newOrderedId('chk_'),
    event_id: ticket.event_id,
    attendee_id: ticket.attendee_id,
    registration_id: ticket.registration_id,
    source: 'api',
    name: ticket.name,
    email: ticket.email,
    seat: ticket.seat,
    voided: ticket.voided,
    created_at: await tx.now(),
  }
  await store.insert(tx, accountId, row)
  return emit(tx, accountId, 'checkin.created', presentCheckIn(row))
}

/** The entry of a check-in in the access log, for `recordedWrite`. A refusal names the ticket where it is known. */
export function createEntry({ attendee_id }: NewCheckIn): WriteEntry<Written<CheckIn>> {
  return {
    action: 'check_in.create',
    targetType: 'attendee',
    targetId: attendee_id,
    targetOf: ({ resource }) => resource.attendee_id,
  }
}

/**
 * Takes a check-in back, as if it had not been: the ticket admits again. An answer that was kept for a retry of the check-in
 * stays as it was.
 *
 * @param known what the check-in must be, else it is not found: of this event, and just this one, no later one of the ticket
 * @throws Problem not_found where the ticket is not checked in
 */
export async function undo(
  tx: WriteTx,
  accountId: string,
  attendeeId: string,
  known: { event_id?: string; id?: string } = {},
): Promise<Written<CheckIn>> {
  const row = await store.findByTicket(tx, accountId, attendeeId)
  const isAnother = (name: 'event_id' | 'id') => known[name] !== undefined && known[name] !== row?.[name]
  if (row === undefined || isAnother('event_id') || isAnother('id'))
    throw new Problem('not_found', { subject: attendeeId })
  await store.remove(tx, accountId, row.id)
  await registrationTypes.noteChange(tx, accountId, row.registration_type_id)
  return emit(tx, accountId, 'checkin.undone', presentUndone(row))
}

/**
 * The entry of an undo in the access log, for `recordedWrite`. It is about the ticket: the check-in is gone. None where there was
 * nothing to undo.
 */
export function undoEntry(attendeeId: string, reason: string): WriteEntry<Written<CheckIn> | undefined> {
  return {
    action: 'check_in.undo',
    targetType: 'attendee',
    targetId: attendeeId,
    hasChanged: undone => undone !== undefined,
    details: (_, undone) => ({ check_in: undone?.resource.id, reason }),
  }
}

/** Newest first. */
export async function list(
  tx: ReadTx,
  accountId: string,
  eventId: string | undefined,
  page: Page,
): Promise<Iterable<Listed<CheckIn>>> {
  return toListed(await store.listPage(tx, accountId, eventId, page), presentCheckIn)
}

/** A ticket's own event is one of the account, so that no other is looked up. */
async function refuseOtherEvent(
  tx: ReadTx,
  accountId: string,
  ticket: store.TicketRow,
  eventId: string,
): Promise<void> {
  if (ticket.event_id === eventId) return
  await events.get(tx, accountId, eventId, 'event_id')
  throw new Problem('wrong_event', { subject: ticket.attendee_id, details: { event_id: ticket.event_id } })
}

function refuseUnlessAdmissible(ticket: store.TicketRow, now: number): void {
  const subject = ticket.attendee_id
  if (ticket.status === 'cancelled' || ticket.status === 'refunded') {
    throw new Problem('registration_cancelled', { subject })
  }
  if (ticket.status !== 'confirmed') throw new Problem('registration_not_confirmed', { subject })
  if (ticket.voided === 1) throw new Problem('ticket_voided', { subject })
  if (ticket.checked_in_at !== null) {
    throw new Problem('already_checked_in', {
      subject,
      details: { checked_in_at: toIso(ticket.checked_in_at) },
    })
  }
  const { from, until } = validityOf(ticket)
  if ((from !== null && now < from) || (until !== null && now >= until)) {
    throw new Problem('not_valid_today', {
      subject,
      details: { valid_from: toIsoOrNull(from), valid_until: toIsoOrNull(until) },
    })
  }
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
