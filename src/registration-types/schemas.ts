import * as v from 'valibot'
import { count, currency, field, id, instant, minorUnits } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import type { RegistrationTypeRow } from './store.ts'

/** The registration type: specification section 2. */
export const registrationTypeSchema = v.object({
  id: field(id, 'The id of the type, for `registration_type_id`.'),
  object: v.literal('registration_type'),
  event_id: field(id, 'The event that it belongs to.'),
  name: field(v.string(), 'What people choose, such as Standard or Guest.'),
  description: field(v.nullable(v.string()), 'What it includes, for people.'),
  price: field(minorUnits, 'The price of one ticket, in minor units (cents) of `currency`; 0 is free.'),
  currency,
  capacity: field(count, 'The most tickets there can be. It is never exceeded.'),
  sold: field(count, 'Tickets of pending and confirmed registrations.'),
  available: field(count, '`capacity` less `sold`.'),
  active: field(v.boolean(), 'Whether the checkout sells it. It does not hinder an import.'),
  sales_start: field(v.nullable(instant), 'From when the checkout sells it. It does not hinder an import.'),
  sales_end: field(v.nullable(instant), 'Until when the checkout sells it. It does not hinder an import.'),
})

export type RegistrationType = v.InferOutput<typeof registrationTypeSchema>

export const registrationTypeExample: RegistrationType = {
  id: '0197a0b4-3c60-7a02-8c44-1f0e9d8c7b6a',
  object: 'registration_type',
  event_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f',
  name: 'Standard',
  description: null,
  price: 5000,
  currency: 'EUR',
  capacity: 300,
  sold: 120,
  available: 180,
  active: true,
  sales_start: null,
  sales_end: null,
}

export function presentRegistrationType(row: RegistrationTypeRow): RegistrationType {
  return {
    id: row.id,
    object: 'registration_type',
    event_id: row.event_id,
    name: row.name,
    description: row.description,
    price: row.price,
    currency: row.currency,
    capacity: row.capacity,
    sold: row.sold,
    available: row.capacity - row.sold,
    active: row.active === 1,
    sales_start: toIsoOrNull(row.sales_start),
    sales_end: toIsoOrNull(row.sales_end),
  }
}
