import { DAY, HOUR, MINUTE } from '#base/time.ts'
import type { InstanceReadTx } from '#machinery/db/port.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import * as listStore from './list-store.ts'

/*
 * For how long a pending order holds its places depends on what it waits for (`expires_at`):
 *
 * - A buyer who pays at a processor has 35 minutes. The session lasts 32 of them, and 3 come after it.
 * - A buyer who pays by transfer has the event's days for that.
 * - A buyer who pays at the door has until the event is over, as nobody can pay there before it begins.
 * - An organizer who approves the order has the event's days for that.
 * - Somebody who answers an offer has the event's hours for that.
 *
 * Two sweepers look for lapsed orders again and again, and give the places back. `orderExpiry` (orders/expiry.ts) ends those that
 * wait for the organizer or for an answer, which `listDue` finds. The `Reconciler` (payments/reconciler.ts) ends those that wait
 * for payment, which `listUnpaid` finds. It has the processor end the session first, as the processor may say that the buyer paid
 * at the last moment.
 */

/**
 * How long a buyer can pay at a processor, in milliseconds. Stripe takes no less than 30 minutes from when it gets the call, and
 * the call may take its time.
 */
export const SESSION_LASTS = 32 * MINUTE

/**
 * Nobody else gets the places for so long after the session, in milliseconds. Meanwhile the processor is asked what became of it.
 */
const AFTER_SESSION = 3 * MINUTE

/** How long places are held while the processor does not answer, in milliseconds from when they would have been given back. */
export const MOST_SILENT = DAY
/** How long places are held while money is on its way, in milliseconds from when that is known. A payment may take no longer. */
export const MOST_PROCESSING = 21 * DAY
/**
 * How long places are held if the buyer paid another amount than was asked for, in milliseconds. Somebody has to decide
 * meanwhile.
 */
export const DECIDED_WITHIN = 7 * DAY

/** Returns until when places are held for a session that the processor has not made yet. @param now milliseconds */
export function reservedForSession(now: number): number {
  return reservedAfterSession(now + SESSION_LASTS)
}

/** Returns until when places are held for a session. @param expiresAt when it ends at the processor, in milliseconds */
export function reservedAfterSession(expiresAt: number): number {
  return expiresAt + AFTER_SESSION
}

/**
 * Returns until when a buyer can pay an order that is not paid at once: for the event's days, but not after the event.
 *
 * @param now milliseconds
 */
export function payableUntil(
  event: Pick<EventDetails, 'payment_days' | 'starts_at' | 'ends_at'>,
  now: number,
): number {
  return Math.max(now, Math.min(now + event.payment_days * DAY, eventPages.endOf(event)))
}

/**
 * Returns until when a buyer can pay an order at the door: until the event is over, or for the event's days while it has no date.
 *
 * @param now milliseconds
 */
export function payableAtDoorUntil(
  event: Pick<EventDetails, 'payment_days' | 'starts_at' | 'ends_at'>,
  now: number,
): number {
  return event.starts_at === null ? payableUntil(event, now) : Math.max(now, eventPages.endOf(event))
}

/** Returns until when the organizer can approve an order. @param now milliseconds */
export function reservedForApproval(
  { approval_days: days }: Pick<EventDetails, 'approval_days'>,
  now: number,
): number {
  return now + days * DAY
}

/** Returns until when somebody can accept an offer, which is not after the sale or the event. @param now milliseconds */
export function reservedForAnswer(
  event: Pick<EventDetails, 'waitlist_hours' | 'starts_at' | 'ends_at'>,
  { sales_end: end }: Pick<TypeDetails, 'sales_end'>,
  now: number,
): number {
  const ofSale = end === null ? Number.POSITIVE_INFINITY : Date.parse(end)
  return Math.min(now + event.waitlist_hours * HOUR, ofSale, eventPages.endOf(event))
}

/**
 * Returns the orders of all accounts whose time to be paid is over, for the `Reconciler`.
 *
 * @param now milliseconds of the clock
 */
export function listUnpaid(
  tx: InstanceReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return listStore.listUnpaid(tx, now, limit)
}

/**
 * Returns the orders of all accounts whose time is over, for `orderExpiry`. It leaves out those that wait for payment.
 *
 * @param now milliseconds of the clock
 */
export function listDue(
  tx: InstanceReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return listStore.listDue(tx, now, limit)
}
