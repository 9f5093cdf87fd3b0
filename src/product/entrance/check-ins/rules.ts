import type { WriteEntry } from '../access-log/recorded-write.ts'
import * as attendees from '../attendees/rules.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import { admit, refusalOf, takeBack, validityOf } from './admission.ts'
import * as scans from './scan-store.ts'
import { type CheckIn, type NewCheckIn, presentCheckIn } from './schemas.ts'
import * as store from './store.ts'
import { admitOldestStanding } from './succession.ts'
import { noteUndo } from './undo-log.ts'

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
  return admit(tx, accountId, ticket, { source: 'api', at: await tx.now(), scanId: null })
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
 * Takes a check-in back, as if it had not been: the ticket admits again, or, where a door has admitted it as well, that admission
 * takes its place. An answer that was kept for a retry of the check-in stays as it was.
 *
 * @param reason for the log of scans
 * @param known what the check-in must be, else it is not found: of this event, and just this one, no later one of the ticket
 * @throws Problem not_found where the ticket is not checked in
 */
export async function undo(
  tx: WriteTx,
  accountId: string,
  attendeeId: string,
  known: { event_id?: string; id?: string } = {},
  reason: string | null = null,
): Promise<Written<CheckIn>> {
  const row = await store.findByTicket(tx, accountId, attendeeId)
  const isAnother = (name: 'event_id' | 'id') => known[name] !== undefined && known[name] !== row?.[name]
  if (row === undefined || isAnother('event_id') || isAnother('id'))
    throw new Problem('not_found', { subject: attendeeId })
  const ofId = row.scan_id ?? row.id
  const of = { event_id: row.event_id, of_id: ofId, attendee_id: attendeeId }
  await noteUndo(tx, accountId, { ...of, note: reason })
  if (row.scan_id !== null) await scans.markUndone(tx, accountId, row.scan_id, await tx.now())
  const undone = await takeBack(tx, accountId, row)
  await admitOldestStanding(tx, accountId, attendeeId)
  return undone
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
  const refusal = refusalOf(ticket, now)
  if (refusal === undefined) return
  const subject = ticket.attendee_id
  if (refusal === 'already_checked_in') {
    throw new Problem(refusal, { subject, details: { checked_in_at: toIsoOrNull(ticket.checked_in_at) } })
  }
  if (refusal === 'not_valid_today') {
    const { from, until } = validityOf(ticket)
    throw new Problem(refusal, {
      subject,
      details: { valid_from: toIsoOrNull(from), valid_until: toIsoOrNull(until) },
    })
  }
  throw new Problem(refusal, { subject })
}
