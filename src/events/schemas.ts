import * as v from 'valibot'
import { currency, id, instant } from '../resource.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import type { EventRow } from './store.ts'

export const eventStatuses = ['draft', 'published', 'cancelled', 'completed'] as const
export const eventVisibilities = ['public', 'unlisted', 'private'] as const

/** The event: specification section 2. */
export const eventSchema = v.object({
  id,
  object: v.literal('event'),
  slug: v.string(),
  title: v.string(),
  starts_at: v.nullable(instant),
  ends_at: v.nullable(instant),
  venue: v.nullable(v.string()),
  city: v.nullable(v.string()),
  currency,
  status: v.picklist(eventStatuses),
  visibility: v.nullable(v.picklist(eventVisibilities)),
  requires_approval: v.boolean(),
  created_at: v.nullable(instant),
})

export type Event = v.InferOutput<typeof eventSchema>

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
