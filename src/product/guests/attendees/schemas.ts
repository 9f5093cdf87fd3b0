import * as v from 'valibot'
import { field, id, instant } from '#base/resource.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { AttendeeRow } from './store.ts'

const ticketHolder = {
  id: field(id, 'The id of the attendee, who has one ticket. A check-in takes it as `attendee_id`.'),
  object: v.literal('attendee'),
  name: field(v.nullable(v.string()), 'Whose ticket it is.'),
  email: field(v.nullable(v.string()), 'The e-mail of the attendee; null when it was not given.'),
}

const ticketState = {
  seat: field(v.nullable(v.string()), 'The seat, where there are seats.'),
  checked_in: field(v.boolean(), 'Whether the ticket was admitted.'),
  checked_in_at: field(v.nullable(instant), 'When it was admitted; null until then.'),
  voided: field(
    v.boolean(),
    'Whether the ticket admits nobody any more, because its registration was cancelled.',
  ),
}

/** Describes the attendee as specified in section 2. */
export const attendeeSchema = v.object({
  ...ticketHolder,
  qr_code: v.pipe(
    v.string(),
    v.metadata({
      pattern: '^SVC1\\.[A-Z2-7]{136}$',
      description:
        'The ticket: put it into a QR code as it is. It is signed, so that nobody can make one up, and holds no personal data.',
    }),
  ),
  ...ticketState,
  answers: field(
    v.record(v.string(), v.string()),
    'The answers to the questions that are asked of each ticket, by the keys of their questions.',
  ),
})

/** Describes the attendee of a check-in. It lacks the code, which would admit somebody else. */
export const checkedInAttendeeSchema = v.object({ ...ticketHolder, ...ticketState })

export type Attendee = v.InferOutput<typeof attendeeSchema>
export type CheckedInAttendee = v.InferOutput<typeof checkedInAttendeeSchema>

export const attendeeExample: Attendee = {
  id: '0197a0b4-4b11-7f3a-a5d2-6e7f8091a2b3',
  object: 'attendee',
  name: 'Grace',
  email: 'grace@example.org',
  qr_code: `SVC1.${'AF2GK43U'.repeat(17)}`,
  seat: 'A1',
  checked_in: false,
  checked_in_at: null,
  voided: false,
  answers: { shirt: 'M' },
}

/** Most tickets have these answers, as nothing was asked. */
export const NO_ANSWERS = '{}'

export function presentAttendee(row: AttendeeRow): Attendee {
  return {
    id: row.id,
    object: 'attendee',
    name: row.name,
    email: row.email,
    qr_code: row.qr_code,
    seat: row.seat,
    checked_in: row.checked_in_at !== null,
    checked_in_at: toIsoOrNull(row.checked_in_at),
    voided: row.voided === 1,
    answers: row.answers === NO_ANSWERS ? {} : (JSON.parse(row.answers) as Record<string, string>),
  }
}
