import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { AT_WRITE } from '#machinery/db/port.ts'
import { codeKey } from '#product/catalog/codes/schemas.ts'
import type { EventRow } from '#product/catalog/events/store.ts'
import type { WaitlistRow } from '#product/catalog/waitlist/store.ts'
import type { Placement } from '#product/guests/registrations/placement.ts'
import type { OrderRow } from '#product/selling/orders/store.ts'
import type { Plan } from './plan.ts'
import type { PlannedEvent, PlannedTypedItem } from './plan-event.ts'
import type { PlannedOrder } from './plan-orders.ts'
import type { PlannedReceipt } from './plan-receipts.ts'
import type { OrganizationEvent, OrganizationRegistration } from './schema.ts'

/** This file makes rows of the items of a file, with everything that the file left out. */

/**
 * Returns the placement of a registration. What was ordered or paid for came through the checkout, because nothing else takes
 * money.
 */
export function placementOf(
  { item: stated, type }: PlannedTypedItem<OrganizationRegistration>,
  {
    row: event,
    codeIds,
    orderIds,
    besideIds,
  }: Pick<PlannedEvent, 'row' | 'codeIds' | 'orderIds' | 'besideIds'>,
): Placement {
  // The ticket is known once all rows are made.
  const { exchanged_for: _, ...item } = stated
  const attendees =
    item.attendees?.map(({ code, ...holder }) => {
      return { ...holder, code_id: code === null ? null : (codeIds.get(codeKey(code)) ?? null) }
    }) ?? null
  if (item.order === null) {
    const beside = item.beside === null ? null : (besideIds.get(item.beside) ?? null)
    return { ...item, attendees, event, type, source: item.amount_total > 0 ? 'checkout' : 'api', beside }
  }
  const ordered = item.attendees?.reduce((sum, { price }) => sum + (price ?? 0), 0)
  const amount_subtotal = item.amount_subtotal ?? ordered
  const order_id = orderIds.get(item.order) as string
  return { ...item, attendees, event, type, source: 'checkout', amount_subtotal, order_id }
}

/** Returns the row of an order that existed in another database. Its form was sent to that one, and no link to it leads here. */
export function orderRow(
  { id, item }: PlannedOrder,
  event: EventRow,
  now: number,
): Omit<OrderRow, 'standing'> {
  const { buyer, currency, created_at, unverified, ledger: _, payment: __, ...order } = item
  return {
    ...order,
    ...{
      id,
      account_id: event.account_id,
      event_id: event.id,
      buyer_name: buyer.name,
      buyer_email: buyer.email,
    },
    buyer_email_key: emailKey(buyer.email),
    currency: currency ?? event.currency,
    ...{ form_id: newUuid(), secret_version: 1, created_at: created_at ?? now },
    verified_at: unverified ? null : (item.confirmed_at ?? created_at ?? now),
    placed_from: null,
  }
}

/** Returns the row of a receipt. It keeps the instant at which it was issued, also as the instant of the row. */
export function receiptRow(
  { id, item, orderId, eventId, ofId, cancelsId }: PlannedReceipt,
  { account }: Plan,
) {
  const { kind, number, payment, refund, amount, currency, erased_at, snapshot } = item
  const issuedAt = Date.parse(snapshot.issued_at)
  return {
    ...{ id, account_id: account.row.id, kind, number, of_id: ofId, cancels_id: cancelsId },
    ...{
      order_id: orderId,
      event_id: eventId,
      payment_id: payment,
      refund_id: refund,
      amount,
      currency,
      erased_at,
    },
    snapshot: JSON.stringify(snapshot),
    ...{ issued_at: issuedAt, created_at: issuedAt, updated_at: AT_WRITE },
  }
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
