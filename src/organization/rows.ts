import type { AbstractRow } from '../abstracts/store.ts'
import { codeKey } from '../codes/schemas.ts'
import type { EventRow } from '../events/store.ts'
import type { Placement } from '../registrations/placement.ts'
import type { WaitlistRow } from '../waitlist/store.ts'
import type { PlannedItem, PlannedTypedItem } from './plan-event.ts'
import type { OrganizationAbstract, OrganizationEvent, OrganizationRegistration } from './schema.ts'

/** What the items of a file become, with everything that it left out. */

/** What was paid for came by the checkout: nothing else takes money. */
export function placementOf(
  { item, type }: PlannedTypedItem<OrganizationRegistration>,
  event: EventRow,
  codeIds: ReadonlyMap<string, string>,
): Placement {
  const attendees =
    item.attendees?.map(({ code, ...holder }) => {
      return { ...holder, code_id: code === null ? null : (codeIds.get(codeKey(code)) ?? null) }
    }) ?? null
  return { ...item, attendees, event, type, source: item.amount_total > 0 ? 'checkout' : 'api' }
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
