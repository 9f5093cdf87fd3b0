import type { AbstractRow } from '../abstracts/store.ts'
import type { NewTicket } from '../attendees/rules.ts'
import type { EventRow } from '../events/store.ts'
import { emailKey } from '../fields.ts'
import type { RegistrationRow } from '../registrations/store.ts'
import type { WaitlistRow } from '../waitlist/store.ts'
import type { PlannedItem, PlannedTypedItem } from './plan-event.ts'
import {
  type OrganizationAbstract,
  type OrganizationEvent,
  type OrganizationRegistration,
  quantityOf,
} from './schema.ts'

/** The rows that the items of a file become, with everything that it left out. */

/** @param now milliseconds: when a registration was made that does not say so */
export function registrationRow(
  { id, item, type }: PlannedTypedItem<OrganizationRegistration>,
  event: EventRow,
  now: number,
): Omit<RegistrationRow, 'registration_type_name'> {
  const { status } = item
  const quantity = quantityOf(item)
  const createdAt = item.created_at ?? now
  const wasConfirmed = status !== 'pending' && status !== 'failed' && !item.never_confirmed
  return {
    id,
    event_id: event.id,
    registration_type_id: type.id,
    reference: item.reference,
    status,
    source: item.amount_total > 0 ? 'checkout' : 'api',
    buyer_name: item.buyer.name,
    buyer_email: item.buyer.email,
    buyer_email_key: emailKey(item.buyer.email),
    quantity,
    amount_subtotal: item.amount_subtotal ?? type.price * quantity,
    amount_total: item.amount_total,
    currency: event.currency,
    processor_fee: item.processor_fee,
    refunded_amount: status === 'refunded' ? (item.refunded_amount ?? item.amount_total) : null,
    answers: JSON.stringify(item.answers ?? {}),
    language: item.language,
    confirmed_at: wasConfirmed ? (item.confirmed_at ?? createdAt) : null,
    cancelled_at: item.cancelled_at ?? (status === 'cancelled' ? createdAt : null),
    refunded_at: status === 'refunded' ? (item.refunded_at ?? createdAt) : null,
    created_at: createdAt,
  }
}

export interface BroughtTicket extends NewTicket {
  /** Milliseconds; null for one that was not checked in. */
  checkedInAt: number | null
}

export function ticketsOf(item: OrganizationRegistration): BroughtTicket[] {
  const voided = item.status !== 'pending' && item.status !== 'confirmed'
  const holders =
    item.attendees ??
    Array.from({ length: quantityOf(item) }, () => ({ ...item.buyer, seat: null, checked_in_at: null }))
  return holders.map(({ name, email, seat, checked_in_at: checkedInAt }) => ({
    name,
    email,
    seat,
    voided,
    checkedInAt,
  }))
}

export function waitlistRow(
  { id, item, type }: PlannedTypedItem<OrganizationEvent['waitlist'][number]>,
  now: number,
): WaitlistRow {
  return {
    id,
    reference: item.reference,
    name: item.name,
    email: item.email,
    quantity: item.quantity,
    registration_type_id: type.id,
    created_at: item.created_at ?? now,
    notified_at: item.notified_at,
  }
}

export function abstractRow(
  { id, item }: PlannedItem<OrganizationAbstract>,
  eventId: string,
  now: number,
): AbstractRow {
  const submittedAt = item.submitted_at ?? now
  const isDecided = item.status === 'accepted' || item.status === 'rejected'
  return {
    id,
    event_id: eventId,
    code: item.code,
    title: item.title,
    abstract: item.abstract,
    keywords: item.keywords,
    authors: JSON.stringify(item.authors),
    contact: JSON.stringify(item.contact),
    file_name: item.file_name,
    status: item.status,
    decision_note: item.decision_note,
    decided_at: isDecided ? (item.decided_at ?? submittedAt) : null,
    submitted_at: submittedAt,
    created_at: submittedAt,
  }
}
