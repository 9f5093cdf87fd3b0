import { emailKey } from '#base/fields.ts'
import type { Person } from '#base/words.ts'
import type { Event } from '#product/catalog/events/schemas.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import type { NewTicket } from '#product/guests/attendees/rules.ts'
import type { NewRow, RegistrationRow } from './store.ts'

/**
 * Describes the input of a registration, wherever it comes from. Only one of an organization file has a history. Amounts are in
 * minor units, instants in milliseconds.
 */
export interface Placement extends Partial<History> {
  event: Pick<Event, 'id' | 'currency'>
  type: Pick<RegistrationType, 'id' | 'price'>
  status: RegistrationRow['status']
  source: RegistrationRow['source']
  buyer: { name: string; email: string }
  /** The default is the number of attendees, or else one. */
  quantity?: number | null | undefined
  /** One for each ticket. By default, each ticket carries the name and e-mail of the buyer. */
  attendees?: readonly Holder[] | null | undefined
  answers?: Readonly<Record<string, string>> | null | undefined
  language?: RegistrationRow['language'] | undefined
  /** The default is the price times the quantity. */
  amount_subtotal?: number | null | undefined
  amount_total: number
  /** The order that it is a line of. */
  order_id?: string
  /** The ticket of that order whose place it takes. */
  exchanged_for?: string
  /** The id of the ticket's registration that an extra without an order stands beside. */
  beside?: string | null | undefined
  /** What its organizer reads. */
  note?: string | null | undefined
}

interface Holder {
  name: string | null
  email?: string | null | undefined
  seat?: string | null | undefined
  answers?: Readonly<Record<string, string>> | null | undefined
  /** The id of the code that the ticket is ordered with. */
  code_id?: string | null | undefined
  /** The price that it is ordered for. */
  sold_for?: NewTicket['sold_for']
}

/** Describes the past of a registration. An instant that is null means `created_at`, if the status has such an instant. */
interface History {
  /** The default is the id. */
  reference: string
  processor_fee: number | null
  /** For a refunded registration. Null means the whole amount. */
  refunded_amount: number | null
  created_at: number | null
  confirmed_at: number | null
  cancelled_at: number | null
  refunded_at: number | null
  /** It was cancelled before anybody confirmed it. */
  never_confirmed: boolean
}

type Tickets = Pick<Placement, 'quantity' | 'attendees'>

export function quantityOf({ quantity, attendees }: Tickets): number {
  return quantity ?? attendees?.length ?? 1
}

/** Returns whether the tickets of a registration take up capacity. Otherwise they are void. */
export function holdsPlaces(status: RegistrationRow['status']): boolean {
  return status === 'pending' || status === 'confirmed'
}

/** Returns the tickets of a registration, in their order. */
export function ticketsOf(placement: Tickets & Pick<Placement, 'buyer' | 'status'>): NewTicket[] {
  const { buyer, status } = placement
  const holders: readonly Holder[] =
    placement.attendees ?? Array.from({ length: quantityOf(placement) }, () => buyer)
  const voided = !holdsPlaces(status)
  return holders.map(({ name, email, seat, ...of }) => {
    const { answers, code_id, sold_for } = of
    return { name, email: email ?? null, seat: seat ?? null, voided, answers, code_id, sold_for }
  })
}

/** Returns the people by whom a registration is found: its buyer, then its attendees in their order. */
export function peopleOf({ buyer, attendees }: Pick<Placement, 'buyer' | 'attendees'>): Person[] {
  const holders = attendees?.map(({ name, email }) => ({ name, email: email ?? null })) ?? []
  return [buyer, ...holders]
}

/**
 * Returns the row of a registration, with the defaults of its placement filled in.
 *
 * @param now `created_at` of a placement without one
 */
export function registrationRow(id: string, placement: Placement, now: number): NewRow {
  const { event, type, status, buyer } = placement
  const quantity = quantityOf(placement)
  const createdAt = placement.created_at ?? now
  const wasConfirmed = status !== 'pending' && status !== 'failed' && placement.never_confirmed !== true
  return {
    id,
    event_id: event.id,
    registration_type_id: type.id,
    reference: placement.reference ?? id,
    status,
    source: placement.source,
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    buyer_email_key: emailKey(buyer.email),
    quantity,
    amount_subtotal: placement.amount_subtotal ?? type.price * quantity,
    amount_total: placement.amount_total,
    currency: event.currency,
    processor_fee: placement.processor_fee ?? null,
    refunded_amount: status === 'refunded' ? (placement.refunded_amount ?? placement.amount_total) : null,
    answers: JSON.stringify(placement.answers ?? {}),
    language: placement.language ?? 'en',
    confirmed_at: wasConfirmed ? (placement.confirmed_at ?? createdAt) : null,
    cancelled_at: placement.cancelled_at ?? (status === 'cancelled' ? createdAt : null),
    refunded_at: status === 'refunded' ? (placement.refunded_at ?? createdAt) : null,
    created_at: createdAt,
    order_id: placement.order_id ?? null,
    exchanged_for: placement.exchanged_for ?? null,
    beside: placement.beside ?? null,
    note: placement.note ?? null,
  }
}
