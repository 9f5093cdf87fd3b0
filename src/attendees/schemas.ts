import * as v from 'valibot'
import { id, instant } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import type { AttendeeRow } from './store.ts'

const ticketHolder = {
  id,
  object: v.literal('attendee'),
  name: v.nullable(v.string()),
  email: v.nullable(v.string()),
}

const ticketState = {
  seat: v.nullable(v.string()),
  checked_in: v.boolean(),
  checked_in_at: v.nullable(instant),
  voided: v.boolean(),
}

/** The attendee: specification section 2. */
export const attendeeSchema = v.object({
  ...ticketHolder,
  qr_code: v.pipe(
    v.string(),
    v.metadata({
      pattern: '^SVC1\\.[A-Z2-7]{136}$',
      description: 'The signed payload of the ticket, as a QR code carries it.',
    }),
  ),
  ...ticketState,
})

/** The attendee of a check-in, without the code that would admit somebody else. */
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
}

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
  }
}
