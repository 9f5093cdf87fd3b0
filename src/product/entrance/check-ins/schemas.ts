import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject, label, text, uuid } from '#base/fields.ts'
import { field, id, instant } from '#base/resource.ts'
import { toIso } from '#base/time.ts'
import { attendeeExample, checkedInAttendeeSchema } from '#product/guests/attendees/schemas.ts'
import { MAX_CODE_LENGTH } from '#product/guests/attendees/ticket-code.ts'
import { checkInSources } from './states.ts'
import type { CheckInRow } from './store.ts'

/** Describes the body of POST /check-ins, as specified in section 4. */
export const newCheckInSchema = v.pipe(
  closedObject({
    qr_code: v.optional(field(text(MAX_CODE_LENGTH), 'What the scanner read from the QR code, as it is.')),
    attendee_id: v.optional(
      field(
        uuid,
        'The attendee, picked from a list. It replaces the code and its signature, and no other rule.',
      ),
    ),
    event_id: v.optional(
      field(uuid, 'The event at whose door the ticket is. Left out, tickets of every event are taken.'),
    ),
  }),
  v.check(
    body => (body.qr_code === undefined) !== (body.attendee_id === undefined),
    says('exactlyOneOf', { fields: ['qr_code', 'attendee_id'] }),
  ),
  v.metadata({ oneOf: [{ required: ['qr_code'] }, { required: ['attendee_id'] }] }),
)

export type NewCheckIn = v.InferOutput<typeof newCheckInSchema>

/** Checks the reason for undoing a check-in, which the access log keeps. */
export const undoReason = label(200)

/** Describes the check-in as specified in section 2. */
export const checkInSchema = v.object({
  id: v.pipe(
    v.string(),
    v.metadata({ pattern: '^chk_[0-9a-f]{32}$', description: 'The id of the check-in.' }),
  ),
  object: v.literal('check_in'),
  attendee_id: field(id, 'Who was admitted.'),
  registration_id: field(id, 'The registration that the ticket belongs to.'),
  event_id: field(id, 'The event of the ticket.'),
  attendee: checkedInAttendeeSchema,
  checked_in_at: field(v.nullable(instant), 'When the ticket was admitted.'),
  source: field(
    v.picklist(checkInSources),
    'Who admitted it: a program through the `api`, or the organizer’s people, with a `scanner` or at the desk.',
  ),
})

export type CheckIn = v.InferOutput<typeof checkInSchema>

const { qr_code: _, answers: __, ...attendee } = attendeeExample

export const checkInExample: CheckIn = {
  id: 'chk_0197a0b46c217e44b3c25d6e7f8091a2',
  object: 'check_in',
  attendee_id: attendee.id,
  registration_id: '0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c',
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  attendee: { ...attendee, checked_in: true, checked_in_at: '2026-12-01T08:45:12.345Z' },
  checked_in_at: '2026-12-01T08:45:12.345Z',
  source: 'api',
}

export const undoneCheckInExample: CheckIn = {
  ...checkInExample,
  attendee: { ...attendee, checked_in: false, checked_in_at: null },
}

/** Presents a check-in that was undone, with its ticket as it is now. */
export function presentUndone(row: CheckInRow): CheckIn {
  const checkIn = presentCheckIn(row)
  return { ...checkIn, attendee: { ...checkIn.attendee, checked_in: false, checked_in_at: null } }
}

export function presentCheckIn(row: CheckInRow): CheckIn {
  const checkedInAt = toIso(row.checked_in_at)
  return {
    id: row.id,
    object: 'check_in',
    attendee_id: row.attendee_id,
    registration_id: row.registration_id,
    event_id: row.event_id,
    attendee: {
      id: row.attendee_id,
      object: 'attendee',
      name: row.name,
      email: row.email,
      seat: row.seat,
      checked_in: true,
      checked_in_at: checkedInAt,
      voided: row.voided === 1,
    },
    checked_in_at: checkedInAt,
    source: row.source,
  }
}
