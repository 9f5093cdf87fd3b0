import * as v from 'valibot'
import { faultsOf, says, tell } from '#base/faults.ts'
import { answers, closedObject, email, integer, listOf, personName, text, uuid } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { currency, field, id, instant, minorUnits } from '#base/resource.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import { type Attendee, attendeeExample, attendeeSchema } from '#product/guests/attendees/schemas.ts'
import { languages } from '#texts/languages.ts'
import { MAX_ANSWER_KEYS } from './answer-keys.ts'
import { registrationSources, registrationStatuses } from './states.ts'
import type { RegistrationRow } from './store.ts'

/** One registration has at most this many tickets. */
export const MAX_QUANTITY = 100
export const MAX_SEAT = 50
/** The reference that another system or a file gives a registration has at most this many characters. */
export const MAX_REFERENCE = 200

const buyerSchema = closedObject({
  name: field(personName, 'The name of the buyer, without a web address.'),
  email: field(email, 'The e-mail of the buyer.'),
})

/** Describes the body of POST /registrations, as specified in section 4. */
export const newRegistrationSchema = v.pipe(
  closedObject({
    event_id: field(uuid, 'The event.'),
    registration_type_id: field(uuid, 'A registration type of this event; another is 404.'),
    buyer: field(buyerSchema, 'Who registers.'),
    quantity: v.optional(
      field(
        integer(1, MAX_QUANTITY),
        'How many tickets. Left out, as many as there are `attendees`, or else one.',
      ),
    ),
    attendees: v.optional(
      field(
        listOf(
          closedObject({
            name: field(personName, 'Whose ticket it is: a name without a web address.'),
            email: v.optional(field(v.nullable(email), 'The e-mail of the attendee.')),
            seat: v.optional(field(v.nullable(text(MAX_SEAT)), 'The seat.')),
          }),
          MAX_QUANTITY,
        ),
        'One for each ticket, as many as `quantity`. Left out, every ticket carries the name and e-mail of the buyer.',
      ),
    ),
    answers: v.optional(
      field(
        answers,
        'The answers to the questions of the form, each under the key of its question; those of an event have at most ' +
          `${MAX_ANSWER_KEYS} different keys together.`,
      ),
    ),
    language: v.optional(
      field(
        v.picklist(languages, says('either', { values: languages })),
        'The language of e-mails to the buyer; `en` when left out.',
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ attendees, quantity }) =>
        attendees === undefined || quantity === undefined || attendees.length === quantity,
      says('asManyAs', { field: 'quantity' }),
    ),
    ['attendees'],
  ),
)

export type NewRegistration = v.InferOutput<typeof newRegistrationSchema>

export const MAX_NOTE = 2_000

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const changedAnswers = v.custom<Record<string, string | null>>(isObject, says('answers'))

/** Lists the parts of a registration that may be changed. Fields that are left out stay. */
export const amendmentSchema = closedObject({
  buyer: v.optional(closedObject({ name: v.optional(personName), email: v.optional(email) })),
  attendees: v.optional(
    listOf(
      closedObject({
        id: uuid,
        name: v.optional(v.nullable(personName)),
        email: v.optional(v.nullable(email)),
        seat: v.optional(v.nullable(text(MAX_SEAT))),
        answers: v.optional(changedAnswers),
      }),
      MAX_QUANTITY,
    ),
  ),
  // Answers are given by their keys, and null removes one. The merged answers of the registration are checked as a whole.
  answers: v.optional(changedAnswers),
  language: v.optional(v.picklist(languages, says('either', { values: languages }))),
  note: v.optional(v.nullable(text(MAX_NOTE))),
})

export type Amendment = v.InferOutput<typeof amendmentSchema>

/**
 * Parses answers.
 *
 * @throws Problem invalid_parameter for answers that no registration may have
 */
export function parseAnswers(given: Record<string, string>, param = 'answers'): Record<string, string> {
  const { success, issues } = v.safeParse(answers, given, { abortEarly: true })
  if (success) return given
  const [{ fault }] = faultsOf(issues)
  throw new Problem('invalid_parameter', { param, message: tell(param, fault) })
}

/** Describes the registration as specified in section 2. */
export const registrationSchema = v.object({
  id: field(id, 'The id of the registration.'),
  object: v.literal('registration'),
  event_id: field(id, 'The event.'),
  status: field(
    v.picklist(registrationStatuses),
    'Where it stands. Pending and confirmed ones hold capacity; only the tickets of confirmed ones are admitted.',
  ),
  registration_type_id: field(v.nullable(id), 'The registration type.'),
  registration_type_name: field(v.nullable(v.string()), 'Its name.'),
  buyer: field(
    v.object({
      name: field(v.string(), 'The name of the buyer.'),
      email: field(v.string(), 'The e-mail of the buyer, as it was given.'),
    }),
    'Who registered.',
  ),
  quantity: field(v.pipe(v.number(), v.integer(), v.minValue(1)), 'How many tickets it has.'),
  amount_subtotal: field(
    minorUnits,
    'What the tickets are worth: price times quantity, in minor units (cents) of `currency`.',
  ),
  amount_total: field(
    minorUnits,
    'What was charged, in minor units (cents) of `currency`: 0 for every registration of this API.',
  ),
  currency,
  answers: field(
    v.record(v.string(), v.string()),
    'The answers of the form, by the keys of their questions.',
  ),
  source: field(v.picklist(registrationSources), 'Where it came from: this API, or the `checkout`.'),
  created_at: field(v.nullable(instant), 'When it was made.'),
  confirmed_at: field(v.nullable(instant), 'When it was confirmed; null before that.'),
  cancelled_at: field(v.nullable(instant), 'When it was cancelled; null otherwise.'),
  attendees: field(v.array(attendeeSchema), 'One for each ticket.'),
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

export const cancelledRegistrationExample: Registration = {
  ...registrationExample,
  status: 'cancelled',
  cancelled_at: '2026-11-02T09:30:00.000Z',
  attendees: registrationExample.attendees.map(attendee => ({ ...attendee, voided: true })),
}

export function presentRegistration(row: RegistrationRow, attendees: Attendee[]): Registration {
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
    attendees,
  }
}

/**
 * Returns the same registration with tickets marked void.
 *
 * @param ids the tickets to mark; all if none are named
 */
export function withVoided(registration: Registration, ids?: readonly string[]): Registration {
  const isMeant = (id: string) => ids === undefined || ids.includes(id)
  const attendees = registration.attendees.map(ticket =>
    isMeant(ticket.id) ? { ...ticket, voided: true } : ticket,
  )
  return { ...registration, attendees }
}
