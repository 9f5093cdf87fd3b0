import * as v from 'valibot'
import type { AttendeeRow } from '../attendees/rules.ts'
import { attendeeExample, attendeeSchema, presentAttendee } from '../attendees/schemas.ts'
import { answers, closedObject, email, integer, listOf, name, text, uuid } from '../fields.ts'
import { currency, id, instant, minorUnits } from '../resource.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { RegistrationRow } from './store.ts'

export const registrationStatuses = ['pending', 'confirmed', 'failed', 'refunded', 'cancelled'] as const
export const registrationSources = ['checkout', 'api'] as const
export const languages = ['en', 'es'] as const

/** The most tickets of one registration. */
export const MAX_QUANTITY = 100
export const MAX_SEAT = 50

export const buyerSchema = closedObject({ name: name(), email })

/** The body of POST /registrations: specification section 4. */
export const newRegistrationSchema = v.pipe(
  closedObject({
    event_id: uuid,
    registration_type_id: uuid,
    buyer: buyerSchema,
    quantity: v.optional(integer(1, MAX_QUANTITY)),
    attendees: v.optional(
      listOf(
        closedObject({
          name: name(),
          email: v.optional(v.nullable(email)),
          seat: v.optional(v.nullable(text(MAX_SEAT))),
        }),
        MAX_QUANTITY,
      ),
    ),
    answers: v.optional(answers),
    language: v.optional(v.picklist(languages, "must be 'en' or 'es'")),
  }),
  v.forward(
    v.check(
      ({ attendees, quantity }) =>
        attendees === undefined || quantity === undefined || attendees.length === quantity,
      'must be as many as quantity',
    ),
    ['attendees'],
  ),
)

export type NewRegistration = v.InferOutput<typeof newRegistrationSchema>

/** The registration: specification section 2. */
export const registrationSchema = v.object({
  id,
  object: v.literal('registration'),
  event_id: id,
  status: v.picklist(registrationStatuses),
  registration_type_id: v.nullable(id),
  registration_type_name: v.nullable(v.string()),
  buyer: v.object({ name: v.string(), email: v.string() }),
  quantity: v.pipe(v.number(), v.integer(), v.minValue(1)),
  amount_subtotal: minorUnits,
  amount_total: minorUnits,
  currency,
  answers: v.record(v.string(), v.string()),
  source: v.picklist(registrationSources),
  created_at: v.nullable(instant),
  confirmed_at: v.nullable(instant),
  cancelled_at: v.nullable(instant),
  attendees: v.array(attendeeSchema),
})

export type Registration = v.InferOutput<typeof registrationSchema>

export const newRegistrationExample = {
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  registration_type_id: '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a',
  buyer: { name: 'Grace', email: 'grace@example.org' },
  attendees: [{ name: 'Grace', email: 'grace@example.org', seat: 'A1' }],
  answers: { diet: 'vegan' },
  language: 'en',
}

export const registrationExample: Registration = {
  id: '0197a0b4-4b10-7c55-b1a0-0d1e2f3a4b5c',
  object: 'registration',
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  status: 'confirmed',
  registration_type_id: '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a',
  registration_type_name: 'Standard',
  buyer: { name: 'Grace', email: 'grace@example.org' },
  quantity: 1,
  amount_subtotal: 5000,
  amount_total: 0,
  currency: 'EUR',
  answers: { diet: 'vegan' },
  source: 'api',
  created_at: '2026-11-01T10:00:00.000Z',
  confirmed_at: '2026-11-01T10:00:00.000Z',
  cancelled_at: null,
  attendees: [attendeeExample],
}

export function presentRegistration(row: RegistrationRow, attendees: readonly AttendeeRow[]): Registration {
  return {
    id: row.id,
    object: 'registration',
    event_id: row.event_id,
    status: row.status,
    registration_type_id: row.registration_type_id,
    registration_type_name: row.registration_type_name,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    quantity: row.quantity,
    amount_subtotal: row.amount_subtotal,
    amount_total: row.amount_total,
    currency: row.currency,
    answers: JSON.parse(row.answers) as Record<string, string>,
    source: row.source,
    created_at: toIso(row.created_at),
    confirmed_at: toIsoOrNull(row.confirmed_at),
    cancelled_at: toIsoOrNull(row.cancelled_at),
    attendees: attendees.map(presentAttendee),
  }
}
