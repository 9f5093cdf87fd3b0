import { toIso, toIsoOrNull } from '#base/time.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { TicketPrice } from '#product/guests/registrations/checkout.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { Language } from '#texts/languages.ts'
import type { Invoice } from './invoice.ts'
import type { OrderRow } from './store.ts'

export const orderStatuses = ['pending', 'confirmed', 'failed'] as const

/** The most tickets that one order may have. */
export const MAX_TICKETS = 20

/** An order, as pages and commands show it. Amounts are in minor units. */
export interface Order {
  id: string
  account_id: string
  event_id: string
  /** The reference that people name it by. */
  reference: string
  /** `cancelled`: everything that was confirmed was cancelled or refunded since. */
  status: (typeof orderStatuses)[number] | 'cancelled'
  waits_for: OrderRow['waits_for']
  failed_for: OrderRow['failed_for']
  buyer: { name: string; email: string }
  invoice: Invoice
  language: Language
  currency: string
  amount_total: number
  /** The terms that the buyer accepted, in Markdown, as they were then. */
  terms: string | null
  /** The version of its links. */
  secret_version: number
  /** When its places are given back, while it is pending. */
  expires_at: string | null
  confirmed_at: string | null
  failed_at: string | null
  created_at: string
  /** When it was noted that its buyer wants it. Until then nobody but the buyer is mailed. */
  verified_at: string | null
}

/** An order with everything that it sells. A write reads it once, hands it down, and gets it back as it is after each change. */
export interface OrderDetails extends Order {
  event: EventDetails
  /** One registration a line. */
  registrations: Registration[]
  /** The ids of those registrations that are extras. */
  extras: ReadonlySet<string>
  /** The prices by ticket id. */
  prices: ReadonlyMap<string, TicketPrice>
  /** The tickets that were exchanged, by the registration that took the place of each. */
  exchangedFor: ReadonlyMap<string, string>
}

/** Returns the lines of an order that are tickets to the event, without its extras. */
export function ticketLines<Line extends Pick<Registration, 'id'>>(order: {
  registrations: readonly Line[]
  extras: ReadonlySet<string>
}): Line[] {
  return order.registrations.filter(({ id }) => !order.extras.has(id))
}

/** Returns whether a ticket of an order stands. Somebody may have cancelled the tickets, and have kept the extras. */
export function hasTicket(order: Pick<OrderDetails, 'registrations' | 'extras'>): boolean {
  return ticketLines(order).some(({ status }) => status === 'pending' || status === 'confirmed')
}

/** Returns the lines of an order that are extras. */
export function extraLines<Line extends Pick<Registration, 'id'>>(order: {
  registrations: readonly Line[]
  extras: ReadonlySet<string>
}): Line[] {
  return order.registrations.filter(({ id }) => order.extras.has(id))
}

export function presentOrder(row: OrderRow): Order {
  const { id, account_id, event_id, reference, status, waits_for, failed_for, language } = row
  const isOver = status === 'confirmed' && row.standing === 0
  return {
    ...{ id, account_id, event_id, reference, waits_for, failed_for, language },
    status: isOver ? 'cancelled' : status,
    buyer: { name: row.buyer_name, email: row.buyer_email },
    invoice: { company: row.buyer_company, address: row.buyer_address, vat_id: row.buyer_vat_id },
    currency: row.currency,
    amount_total: row.amount_total,
    terms: row.terms,
    secret_version: row.secret_version,
    expires_at: toIsoOrNull(row.expires_at),
    confirmed_at: toIsoOrNull(row.confirmed_at),
    failed_at: toIsoOrNull(row.failed_at),
    created_at: toIso(row.created_at),
    verified_at: toIsoOrNull(row.verified_at),
  }
}

/** Returns what stands for the form of an order that no form has made: somebody on the waitlist was offered it. */
export function offerForm(id: string): string {
  return `offer-${id}`
}

/** Returns an order without its event and what it sells. */
export function withoutDetails(details: OrderDetails): Order {
  const { event: _, registrations: __, extras: _e, prices: ___, exchangedFor: ____, ...order } = details
  return order
}

/** Returns the same order with its lines as they are now. A confirmed order becomes cancelled once none of them stands. */
export function withLines<T extends Pick<OrderDetails, 'status' | 'registrations'>>(
  order: T,
  registrations: Registration[],
): T {
  const wasConfirmed = order.status === 'confirmed' || order.status === 'cancelled'
  const stands = registrations.some(({ status }) => status === 'pending' || status === 'confirmed')
  return { ...order, registrations, ...(wasConfirmed ? { status: stands ? 'confirmed' : 'cancelled' } : {}) }
}

/** Returns what is to be paid of a pending order, in minor units. Cancelled registrations do not count. */
export function dueOf({ registrations }: Pick<OrderDetails, 'registrations'>): number {
  const pending = registrations.filter(({ status }) => status === 'pending')
  return pending.reduce((sum, { amount_total }) => sum + amount_total, 0)
}
