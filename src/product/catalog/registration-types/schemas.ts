import * as v from 'valibot'
import * as fields from '#base/fields.ts'
import { count, currency, field, id, instant, minorUnits } from '#base/resource.ts'
import { toIsoOrNull } from '#base/time.ts'
import { type TypeKind, typeKinds } from './kinds.ts'
import type { PoolRow } from './pool-store.ts'
import { entryModes } from './states.ts'
import type { RegistrationTypeRow } from './store.ts'

/** The registration type (specification section 2). */
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
  available: field(
    count,
    '`capacity` less `sold`, and no more than is left of what it shares with other types.',
  ),
  active: field(v.boolean(), 'Whether the checkout sells it. It does not hinder an import.'),
  sales_start: field(v.nullable(instant), 'From when the checkout sells it. It does not hinder an import.'),
  sales_end: field(v.nullable(instant), 'Until when the checkout sells it. It does not hinder an import.'),
})

export type RegistrationType = v.InferOutput<typeof registrationTypeSchema>

const maybeInstant = v.nullable(fields.instant)
const capacity = fields.integer(0, 1_000_000)
/** The most tickets of one type in one order. */
export const MAX_PER_ORDER = 100

/** The fields of a type that an organizer sets. After parsing, instants are in milliseconds. */
export const typeFields = {
  name: fields.name(),
  description: v.nullable(fields.text(5000)),
  price: fields.amount,
  capacity,
  active: fields.yesOrNo,
  sales_start: maybeInstant,
  sales_end: maybeInstant,
  /** A ticket admits between these two instants. If they are open, it admits on the days of the event. */
  valid_from: maybeInstant,
  valid_until: maybeInstant,
}

/** The fields of how it is sold, which the API does not show. */
export const saleFields = {
  /** The least tickets of an order that has any of this type. */
  min_per_order: fields.integer(1, MAX_PER_ORDER),
  /** Null means as many as an order may have. */
  max_per_order: v.nullable(fields.integer(1, MAX_PER_ORDER)),
  /** A hidden type is shown only with a code. */
  hidden: fields.yesOrNo,
  /** The tax that the price includes, in hundredths of a percent. */
  tax_basis_points: fields.integer(0, 10_000),
  kind: fields.oneOf(typeKinds),
  /** The price is the least, and the buyer may give more. */
  open_price: fields.yesOrNo,
}

/** The fields of how often a ticket admits, which the API does not show. */
export const entryFields = {
  /** A day at the door begins at 06:00. */
  entries: fields.oneOf(entryModes),
  /** Whether a ticket admits again after each exit. */
  reentry: fields.yesOrNo,
}

/** The fields of a pool, which is capacity that several types of an event share. */
export const poolFields = { name: fields.name(), capacity, registration_type_ids: v.array(fields.uuid) }

type Stated<Fields extends Record<string, v.GenericSchema>> = {
  [Name in keyof Fields]: v.InferOutput<Fields[Name]>
}

type SaleValues = Stated<typeof saleFields>

/** The values of a type for which nobody has set others. */
export const saleDefaults: SaleValues = {
  min_per_order: 1,
  max_per_order: null,
  hidden: false,
  tax_basis_points: 0,
  kind: 'ticket',
  open_price: false,
}

/** The entries of a type for which nobody has set others. */
export const entryDefaults: Stated<typeof entryFields> = { entries: 'once', reentry: false }

export type NewType = Stated<typeof typeFields> & Partial<SaleValues> & Partial<typeof entryDefaults>
export type NewPool = Stated<typeof poolFields>

export interface Pool extends NewPool {
  id: string
  event_id: string
  sold: number
  available: number
}

/** A type from which tickets are about to be taken. */
export interface TypeOnSale extends RegistrationType {
  /** Whether it draws from a pool. */
  isShared: boolean
}

/** A type with the fields that the API does not show. */
export interface TypeDetails extends RegistrationType {
  valid_from: string | null
  valid_until: string | null
  /** The order of the types. Of types with the same position, the oldest comes first. */
  position: number
  min_per_order: number
  max_per_order: number | null
  hidden: boolean
  tax_basis_points: number
  kind: TypeKind
  open_price: boolean
  entries: (typeof entryModes)[number]
  reentry: boolean
  /** The pools that it draws from, oldest first. */
  pools: Pool[]
}

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
    available: Math.min(row.capacity - row.sold, row.shared_available ?? Number.POSITIVE_INFINITY),
    active: row.active === 1,
    sales_start: toIsoOrNull(row.sales_start),
    sales_end: toIsoOrNull(row.sales_end),
  }
}

export function presentDetails(row: RegistrationTypeRow, pools: Pool[]): TypeDetails {
  return {
    ...presentRegistrationType(row),
    valid_from: toIsoOrNull(row.valid_from),
    valid_until: toIsoOrNull(row.valid_until),
    position: row.position,
    min_per_order: row.min_per_order,
    max_per_order: row.max_per_order,
    hidden: row.hidden === 1,
    tax_basis_points: row.tax_basis_points,
    kind: row.kind,
    open_price: row.open_price === 1,
    entries: row.entries,
    reentry: row.reentry === 1,
    pools,
  }
}

export function presentPool({ id, event_id, name, capacity, sold }: PoolRow, typeIds: string[]): Pool {
  const registration_type_ids = typeIds.toSorted()
  return { id, event_id, name, capacity, sold, available: capacity - sold, registration_type_ids }
}
