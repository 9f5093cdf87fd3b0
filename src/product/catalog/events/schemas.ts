import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { currency, field, id, instant } from '#base/resource.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import { webAddress } from '#machinery/web/web-address.ts'
import { type BadgeLayout, badgeLayoutSchema, readLayout } from './badge-layout.ts'
import { eventStatuses, eventVisibilities, paymentWays, reminders, waitlistModes } from './states.ts'
import type { EventRow } from './store.ts'

/** The event (specification section 2). */
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

/** The fields of an event that an organizer sets. After parsing, instants are in milliseconds. */
export const eventFields = {
  title: fields.name(),
  slug: fields.slug,
  starts_at: v.nullable(fields.instant),
  ends_at: v.nullable(fields.instant),
  /** The time zone in which its times are shown. */
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

/** The most days that an order may wait for the organizer. */
export const MAX_APPROVAL_DAYS = 60

/** The other fields of an event's page, and how the event is sold. */
export const pageFields = {
  /** The address of the venue. It may have several lines. */
  address: v.nullable(fields.text(500)),
  /** Only holders of tickets see this address. */
  online_url: v.nullable(webAddress),
  contact_email: v.nullable(fields.email),
  /** Markdown that a buyer accepts. */
  terms: v.nullable(fields.text(20_000)),
  /** From this instant, buyers change no names. Null means when the event begins. */
  names_locked_at: maybeInstant,
  /** Buyers may cancel until this instant. Null means that they may not. */
  cancel_until: maybeInstant,
  /** The part of the paid amount that a buyer who cancels gets back. */
  cancel_refund_basis_points: fields.integer(0, 10_000),
  /** The days within which an order is paid, if it is not paid at once. */
  payment_days: fields.integer(1, 365),
  /** Whether buyers cannot withdraw from a contract made at a distance, as for leisure services with a date. */
  withdrawal_excluded: fields.yesOrNo,
  waitlist_mode: fields.oneOf(waitlistModes),
  /** The hours for which an offered place is held. */
  waitlist_hours: fields.integer(1, 720),
  reminder: fields.oneOf(reminders),
  /** The days for which an order waits for the organizer, if orders need approval. */
  approval_days: fields.integer(1, MAX_APPROVAL_DAYS),
  payment_ways: fields.oneOf(paymentWays),
  /**
   * Whether the contact of an abstract gets a mail about a decision. Decisions of a program are then always mailed, and those of
   * a person unless that person chooses otherwise.
   */
  decision_mails: fields.yesOrNo,
  /** Whether the dashboard shows the abstracts of the event. Most events have none. */
  takes_abstracts: fields.yesOrNo,
  /** Whether holders may give their tickets to somebody else, until names are locked. */
  give_on: fields.yesOrNo,
  /** How badges are printed. Null means that the event has none. */
  badge_layout: v.nullable(badgeLayoutSchema),
}

type PageValues = { [Name in keyof typeof pageFields]: v.InferOutput<(typeof pageFields)[Name]> }

/** The values of an event for which nobody has set others. */
export const pageDefaults: PageValues = {
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
  decision_mails: true,
  takes_abstracts: false,
  give_on: false,
  badge_layout: null,
}

type Stated = { [Name in keyof typeof eventFields]: v.InferOutput<(typeof eventFields)[Name]> }

/** Without a slug, the event gets one from its title. */
export type NewEvent = Omit<Stated, 'slug'> & Partial<Pick<Stated, 'slug'> & PageValues>

export type EventChanges = Partial<Stated & PageValues>

/** An event with the fields that the API does not show. */
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
  decision_mails: boolean
  takes_abstracts: boolean
  give_on: boolean
  badge_layout: BadgeLayout | null
  /** Null for an event that the dashboard lists. */
  archived_at: string | null
  /** The series that it is a date of. Null for most events. */
  series_id: string | null
}

/** An event as lists have it: without its texts. */
export type EventOutline = Event &
  Pick<EventDetails, 'timezone' | 'payment_ways' | 'archived_at' | 'series_id'>

/** When and where an event is, by which people plan. Instants are in milliseconds. */
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

export function presentEvent(row: Pick<EventRow, keyof Event & keyof EventRow>): Event {
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
    decision_mails: row.decision_mails === 1,
    takes_abstracts: row.takes_abstracts === 1,
    give_on: row.give_on === 1,
    badge_layout: readLayout(row.badge_layout),
    archived_at: toIsoOrNull(row.archived_at),
    series_id: row.series_id,
  }
}
