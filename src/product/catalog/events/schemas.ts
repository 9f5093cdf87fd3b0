import * as v from 'valibot'
import * as fields from '../fields.ts'
import { currency, field, id, instant } from '../resource.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import { webAddress } from '../web/web-address.ts'
import { eventStatuses, eventVisibilities, paymentWays, reminders, waitlistModes } from './states.ts'
import type { EventRow } from './store.ts'

/** The event: specification section 2. */
export const eventSchema = v.object({
  id: field(id, 'The id of the event, for every place that asks for `event_id`.'),
  object: v.literal('event'),
  slug: field(v.string(), 'The name of the event in addresses, unique in the account.'),
  title: field(v.string(), 'What people call the event.'),
  starts_at: field(v.nullable(instant), 'When it begins; null while that is open.'),
  ends_at: field(v.nullable(instant), 'When it ends; null while that is open.'),
  venue: field(v.nullable(v.string()), 'The building or hall.'),
  city: field(v.nullable(v.string()), 'The city.'),
  currency: field(currency, 'ISO 4217: what its registrations are priced in.'),
  status: field(
    v.picklist(eventStatuses),
    'Where the event stands. It hinders neither importing nor checking in.',
  ),
  visibility: field(
    v.nullable(v.picklist(eventVisibilities)),
    'Who may find it; null when that was not said.',
  ),
  requires_approval: field(v.boolean(), 'Whether the organizer approves each registration of the checkout.'),
  created_at: field(v.nullable(instant), 'When it was added.'),
})

export type Event = v.InferOutput<typeof eventSchema>

/** What an organizer says of an event: instants in milliseconds, once they are read. */
export const eventFields = {
  title: fields.name(),
  slug: fields.slug,
  starts_at: v.nullable(fields.instant),
  ends_at: v.nullable(fields.instant),
  /** In which its times are said. */
  timezone: fields.timezone,
  venue: v.nullable(fields.name()),
  city: v.nullable(fields.name()),
  currency: fields.currency,
  visibility: v.nullable(fields.oneOf(eventVisibilities)),
  requires_approval: fields.yesOrNo,
  /** Markdown. */
  description: v.nullable(fields.text(20_000)),
}

const maybeInstant = v.nullable(fields.instant)

/** That an order may wait for the organizer. */
export const MAX_APPROVAL_DAYS = 60

/** What its page shows beside that, and how it is sold. */
export const pageFields = {
  /** Of the venue, in lines. */
  address: v.nullable(fields.text(500)),
  /** For holders of tickets alone. */
  online_url: v.nullable(webAddress),
  contact_email: v.nullable(fields.email),
  /** Markdown; what a buyer accepts. */
  terms: v.nullable(fields.text(20_000)),
  /** From then on buyers change no names; null: until the event begins. */
  names_locked_at: maybeInstant,
  /** Buyers may cancel until then; null: they may not. */
  cancel_until: maybeInstant,
  /** Of what was paid, when a buyer cancels. */
  cancel_refund_basis_points: fields.integer(0, 10_000),
  /** To pay in, where that is not done at once. */
  payment_days: fields.integer(1, 365),
  /** Whether a contract by mail cannot be withdrawn from, as of leisure with a date. */
  withdrawal_excluded: fields.yesOrNo,
  waitlist_mode: fields.oneOf(waitlistModes),
  /** That an offered place is held. */
  waitlist_hours: fields.integer(1, 720),
  reminder: fields.oneOf(reminders),
  /** That an order waits for the organizer, where each has to be approved. */
  approval_days: fields.integer(1, MAX_APPROVAL_DAYS),
  payment_ways: fields.oneOf(paymentWays),
}

type SaidOfPage = { [Name in keyof typeof pageFields]: v.InferOutput<(typeof pageFields)[Name]> }

/** Of an event that nobody has said more of. */
export const pageDefaults: SaidOfPage = {
  address: null,
  online_url: null,
  contact_email: null,
  terms: null,
  names_locked_at: null,
  cancel_until: null,
  cancel_refund_basis_points: 10_000,
  payment_days: 7,
  withdrawal_excluded: true,
  waitlist_mode: 'notify',
  waitlist_hours: 24,
  reminder: 'orders',
  approval_days: 7,
  payment_ways: 'set_up',
}

type Said = { [Name in keyof typeof eventFields]: v.InferOutput<(typeof eventFields)[Name]> }

/** Without a slug it gets one of its title. */
export type NewEvent = Omit<Said, 'slug'> & Partial<Pick<Said, 'slug'> & SaidOfPage>

export type EventChanges = Partial<Said & SaidOfPage>

/** An event with what the API does not tell of it. */
export interface EventDetails extends Event {
  timezone: string
  description: string | null
  address: string | null
  online_url: string | null
  contact_email: string | null
  terms: string | null
  names_locked_at: string | null
  cancel_until: string | null
  cancel_refund_basis_points: number
  payment_days: number
  withdrawal_excluded: boolean
  waitlist_mode: (typeof waitlistModes)[number]
  waitlist_hours: number
  reminder: (typeof reminders)[number]
  approval_days: number
  payment_ways: (typeof paymentWays)[number]
}

/** When and where an event is: what people plan by. Instants in milliseconds. */
export const datePlaceSchema = v.strictObject({
  starts_at: v.nullable(v.number()),
  ends_at: v.nullable(v.number()),
  timezone: v.string(),
  venue: v.nullable(v.string()),
  address: v.nullable(v.string()),
  city: v.nullable(v.string()),
  online_url: v.nullable(v.string()),
})

export type DatePlace = v.InferOutput<typeof datePlaceSchema>

export const eventExample: Event = {
  id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  object: 'event',
  slug: 'spring-meeting',
  title: 'Spring Meeting',
  starts_at: '2026-12-01T09:00:00.000Z',
  ends_at: '2026-12-02T18:00:00.000Z',
  venue: 'Main Hall',
  city: 'Madrid',
  currency: 'EUR',
  status: 'published',
  visibility: 'public',
  requires_approval: false,
  created_at: '2026-10-01T10:00:00.000Z',
}

export function presentEvent(row: EventRow): Event {
  return {
    id: row.id,
    object: 'event',
    slug: row.slug,
    title: row.title,
    starts_at: toIsoOrNull(row.starts_at),
    ends_at: toIsoOrNull(row.ends_at),
    venue: row.venue,
    city: row.city,
    currency: row.currency,
    status: row.status,
    visibility: row.visibility,
    requires_approval: row.requires_approval === 1,
    created_at: toIso(row.created_at),
  }
}

export function presentDetails(row: EventRow): EventDetails {
  const { timezone, description, address, online_url, contact_email, terms } = row
  const { cancel_refund_basis_points, payment_days, waitlist_mode, waitlist_hours, reminder, approval_days } =
    row
  return {
    ...presentEvent(row),
    ...{ timezone, description, address, online_url, contact_email, terms },
    names_locked_at: toIsoOrNull(row.names_locked_at),
    cancel_until: toIsoOrNull(row.cancel_until),
    ...{ cancel_refund_basis_points, payment_days, waitlist_mode, waitlist_hours, reminder, approval_days },
    payment_ways: row.payment_ways,
    withdrawal_excluded: row.withdrawal_excluded === 1,
  }
}
