import { Problem } from '#base/problem.ts'
import { type Listed, toListed, type Written } from '#base/resource.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import { listDeleting } from '#product/catalog/events/deleting.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { admit, refusalOf, validityOf } from './admission.ts'
import { writtenRecord } from './door-record.ts'
import { begin, isPlain } from './entries.ts'
import { markUndone } from './scan-filing.ts'
import { type CheckIn, type NewCheckIn, presentCheckIn } from './schemas.ts'
import * as store from './store.ts'
import { takeBackCheckIn } from './take-back.ts'
import { noteUndo } from './undo-log.ts'

/**
 * Admits one ticket once. Writes are serialized, and UNIQUE (attendee_id) backs the rule (specification sections 3 and 4).
 *
 * @param source who admits: a program through the API, or the organizer's own people
 * @param verified what `prepare` has found of the code
 * @throws Problem invalid_qr_code, not_found, wrong_event, registration_cancelled, registration_not_confirmed, ticket_voided,
 *   already_checked_in, not_valid_today: the first that applies
 */
export async function create(
  tx: WriteTx,
  input: NewCheckIn,
  source: CheckIn['source'] = 'api',
  verified?: attendees.VerifiedAhead,
  refuse?: (ticket: store.TicketRow) => void,
): Promise<Written<CheckIn>> {
  const text = input.qr_code
  const code = text === undefined ? undefined : await attendees.verifyCode(tx, text, verified)
  const ticket = await store.findTicket(tx, code?.ticketId ?? (input.attendee_id as string))
  if (ticket === undefined) {
    throw new Problem('not_found', { param: code === undefined ? 'attendee_id' : 'qr_code' })
  }
  if (code !== undefined && code.eventId !== ticket.event_id) throw new Problem('invalid_qr_code')
  if (input.event_id !== undefined) await refuseOtherEvent(tx, ticket, input.event_id)
  refuse?.(ticket)
  refuseUnlessAdmissible(ticket, tx.clock())
  const admitted = { source, at: await tx.now(), scanId: null }
  const made = await admit(tx, ticket, admitted)
  if (!isPlain(ticket)) await begin(writtenRecord(tx), ticket, admitted)
  return made
}

/**
 * Verifies the code of a check-in before its write.
 *
 * @returns undefined if there is no code, or if the write has to verify it
 */
export async function prepare(
  reader: Reader,
  accountId: string,
  { qr_code: text }: NewCheckIn,
): Promise<attendees.VerifiedAhead | undefined> {
  return text === undefined ? undefined : attendees.verifyAhead(reader, accountId, text)
}

/** Returns the entry of a check-in in the access log, for `recordedWrite`. A refusal names the ticket if it is known. */
export function createEntry({ attendee_id }: NewCheckIn): WriteEntry<Written<CheckIn>> {
  return {
    action: 'check_in.create',
    targetType: 'attendee',
    targetId: attendee_id,
    targetOf: ({ resource }) => resource.attendee_id,
  }
}

/**
 * Takes back a check-in as if it had never been. The ticket admits again, unless a door has admitted it as well. Then that
 * admission takes its place. An answer that was kept for a retry of the check-in stays as it was.
 *
 * @param reason the reason for the log of scans
 * @param existing what the check-in must be to be found: of this event, and exactly this one rather than a later one of the
 *   ticket
 * @throws Problem not_found if the ticket is not checked in
 */
export async function undo(
  tx: WriteTx,
  attendeeId: string,
  existing: { event_id?: string; id?: string } = {},
  reason: string | null = null,
): Promise<Written<CheckIn>> {
  const row = await store.findByTicket(tx, attendeeId)
  const isAnother = (name: 'event_id' | 'id') =>
    existing[name] !== undefined && existing[name] !== row?.[name]
  if (row === undefined || isAnother('event_id') || isAnother('id'))
    throw new Problem('not_found', { subject: attendeeId })
  const ofId = row.scan_id ?? row.id
  const of = { event_id: row.event_id, of_id: ofId, attendee_id: attendeeId }
  await noteUndo(tx, { ...of, note: reason })
  if (row.scan_id !== null) await markUndone(tx, row.scan_id)
  return takeBackCheckIn(tx, row)
}

/**
 * Returns the entry of an undo in the access log, for `recordedWrite`. It is about the ticket, because the check-in is gone.
 * There is no entry if there was nothing to undo.
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

/** Lists check-ins, newest first. */
export async function list(
  tx: ReadTx,
  eventId: string | undefined,
  page: Page,
): Promise<{ rows: Iterable<Listed<CheckIn>>; ends?: boolean; end?: Position | undefined }> {
  const deleting = await listDeleting(tx)
  if (deleting.some(id => id === eventId)) return { rows: [] }
  const { rows, end } =
    deleting.length > 0 && eventId === undefined
      ? await store.listKeptPage(tx, page)
      : { rows: await store.listPage(tx, eventId, page), end: undefined }
  return { rows: toListed(rows, presentCheckIn), ends: end !== undefined, end }
}

/** Refuses a ticket of another event. The ticket's own event belongs to the account, so it is not looked up. */
async function refuseOtherEvent(tx: ReadTx, ticket: store.TicketRow, eventId: string): Promise<void> {
  if (ticket.event_id === eventId) return
  await events.get(tx, eventId, 'event_id')
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
