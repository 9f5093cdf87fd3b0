import { isDeepStrictEqual } from 'node:util'
import * as attendees from '../attendees/rules.ts'
import { newestFirst, type Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { Problem } from '../problem.ts'
import * as checkout from '../registrations/checkout.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'
import { DAY } from '../time.ts'
import { refuseLateCancel } from './cancel-until.ts'
import type { Invoice } from './invoice.ts'
import * as linkStore from './link-store.ts'
import * as listStore from './list-store.ts'
import { type Order, type OrderDetails, presentOrder } from './schemas.ts'
import * as store from './store.ts'
import { tellCancelled, tellConfirmed, tellDeclined } from './telling.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Order> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return presentOrder(row)
}

/** @throws Problem not_found */
export async function getDetails(tx: ReadTx, accountId: string, id: string): Promise<OrderDetails> {
  const order = await get(tx, accountId, id)
  const lines = await checkout.listByOrder(tx, accountId, id)
  const prices = await attendees.listPrices(
    tx,
    accountId,
    lines.map(line => line.id),
  )
  return { ...order, registrations: lines, prices }
}

/** The account that has an order, for the command line, which names none. @throws Problem not_found */
export async function findOwner(tx: ReadTx, id: string): Promise<string> {
  const accountId = await findAccount(tx, id)
  if (accountId === undefined) throw new Problem('not_found')
  return accountId
}

/** Whose order it is: a link names no account. @returns undefined where there is none */
export async function findAccount(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await linkStore.findAccount(tx, id))?.account_id
}

/** Whose ticket of which order it is: a link names neither. @returns undefined for one that was not ordered */
export async function findTicket(
  tx: ReadTx,
  id: string,
): Promise<{ accountId: string; orderId: string } | undefined> {
  const row = await linkStore.findOfTicket(tx, id)
  return row && { accountId: row.account_id, orderId: row.order_id }
}

/** The order that a form has made, if it was carried out. */
export async function findByForm(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  formId: string,
): Promise<Order | undefined> {
  const row = await store.findByForm(tx, accountId, eventId, formId)
  return row && presentOrder(row)
}

/** @param reference as it is kept, or without its hyphen */
export async function findByReference(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  reference: string,
): Promise<Order | undefined> {
  const plain = reference.replace('-', '')
  const row = await store.findByReference(tx, accountId, eventId, `${plain.slice(0, 4)}-${plain.slice(4)}`)
  return row && presentOrder(row)
}

/** Of one buyer, the newest first; of more than the limit some. @param key as e-mails are compared */
export async function listByBuyer(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  key: string,
  limit: number,
): Promise<Order[]> {
  const rows = await store.listByBuyer(tx, accountId, eventId, key, limit)
  return rows.sort(newestFirst).map(presentOrder)
}

/** Newest first. */
export async function list(
  tx: ReadTx,
  accountId: string,
  filters: store.OrderFilters,
  page: Page,
): Promise<Order[]> {
  return (await store.listPage(tx, accountId, filters, page)).map(presentOrder)
}

/**
 * How many orders of which event wait for the organizer.
 *
 * @param eventIds of these events alone; null for all of the account
 * @param most orders that are counted in all, or of each of these events
 */
export async function countToApprove(
  tx: ReadTx,
  accountId: string,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const eventId of eventIds ?? [undefined]) {
    for (const { event_id } of await listStore.listToApprove(tx, accountId, eventId, most))
      counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  }
  return counts
}

/**
 * Approves an order that waits for it: what it costs has to be paid from now on, within the event's days.
 *
 * @throws Problem not_found; order_ended, also for an offer, which its buyer has to take; not_on_sale where the event is cancelled
 */
export async function approve(tx: WriteTx, accountId: string, id: string): Promise<Order> {
  const { waits_for, event_id: eventId } = await get(tx, accountId, id)
  if (waits_for !== 'approval') throw new Problem('order_ended')
  const event = await events.getDetails(tx, accountId, eventId)
  if (event.status === 'cancelled') throw new Problem('not_on_sale')
  if ((await dueOf(tx, accountId, id)) === 0) return confirm(tx, accountId, id)
  return awaitPayment(tx, accountId, id, payableUntil(event, tx.clock()))
}

/** What is to be paid of a pending order, in minor units: what was cancelled of it is not. */
export async function dueOf(tx: ReadTx, accountId: string, id: string): Promise<number> {
  return (await store.sumPending(tx, accountId, id))?.due ?? 0
}

/** Until when an order can be paid that is not paid at once: the event's days, and no longer than the event. @param now milliseconds */
export function payableUntil(
  event: Pick<EventDetails, 'payment_days' | 'starts_at' | 'ends_at'>,
  now: number,
): number {
  return Math.max(now, Math.min(now + event.payment_days * DAY, eventPages.endOf(event)))
}

/** Holds the places of an order until it is paid, and no longer than until then. @throws Problem not_found */
export async function awaitPayment(
  tx: WriteTx,
  accountId: string,
  id: string,
  until: number,
): Promise<Order> {
  await store.setWaiting(tx, accountId, id, 'payment', until, await tx.now())
  return get(tx, accountId, id)
}

/**
 * Confirms an order that came to nothing as it was not paid in time: its places, those of its pools and the uses of codes are
 * taken again.
 *
 * @throws Problem sold_out, code_used_up
 */
export async function revive(tx: WriteTx, accountId: string, id: string): Promise<OrderDetails> {
  await store.markRevived(tx, accountId, id, await tx.now())
  await checkout.reviveOrder(tx, accountId, id)
  const order = await getDetails(tx, accountId, id)
  await tellConfirmed(tx, accountId, order)
  return order
}

/** Confirms a pending order, and tells of it. */
export async function confirm(tx: WriteTx, accountId: string, id: string): Promise<Order> {
  await store.markConfirmed(tx, accountId, id, await tx.now())
  await checkout.confirmOrder(tx, accountId, id)
  const order = await getDetails(tx, accountId, id)
  await tellConfirmed(tx, accountId, order)
  return order
}

/**
 * Ends an order that waits, and gives its places back: it was declined, nobody decided in time, or its buyer does not want it.
 *
 * @throws Problem not_found, order_ended
 */
export async function fail(
  tx: WriteTx,
  accountId: string,
  id: string,
  reason: NonNullable<Order['failed_for']>,
): Promise<Order> {
  if ((await get(tx, accountId, id)).status !== 'pending') throw new Problem('order_ended')
  await store.markFailed(tx, accountId, id, reason, await tx.now())
  await checkout.failOrder(tx, accountId, id)
  const order = await get(tx, accountId, id)
  if (reason === 'declined' || reason === 'undecided') await tellDeclined(tx, accountId, order)
  if (reason === 'withdrawn')
    await tellCancelled(tx, accountId, order, await checkout.listByOrder(tx, accountId, id))
  return order
}

/** Ends an order whose time is over: an offer has lapsed, or nobody has decided. It may have got more time meanwhile, or none to lose. */
export async function expire(tx: WriteTx, accountId: string, id: string): Promise<void> {
  const { waits_for, expires_at } = await get(tx, accountId, id)
  if (expires_at === null || tx.clock() < Date.parse(expires_at)) return
  await fail(tx, accountId, id, waits_for === 'answer' ? 'lapsed' : 'undecided')
}

/**
 * Cancels an order for its buyer, until the organizer's date: every registration of it that still stands.
 *
 * @throws Problem not_found; order_ended; too_late after that date, or where there is none; refund_required
 */
export async function cancelByBuyer(
  tx: WriteTx,
  accountId: string,
  id: string,
  cancelUntil: string | null,
): Promise<Order> {
  const order = await getDetails(tx, accountId, id)
  if (order.status === 'pending') {
    return fail(tx, accountId, id, order.waits_for === 'answer' ? 'turned_down' : 'withdrawn')
  }
  refuseLateCancel(order, cancelUntil, tx.clock())
  await tellCancelled(tx, accountId, order, await cancelStanding(tx, accountId, order))
  return get(tx, accountId, id)
}

/** Cancels what stands of a confirmed order. @returns the registrations that it cancelled @throws Problem refund_required */
export async function cancelStanding(
  tx: WriteTx,
  accountId: string,
  order: OrderDetails,
): Promise<Registration[]> {
  const standing = order.registrations.filter(({ status }) => status === 'confirmed')
  for (const { id } of standing) await registrations.cancel(tx, accountId, id)
  return standing
}

/**
 * Tells whom it was of that a registration is cancelled, in the transaction of that; nobody, where it was not ordered here: what is
 * imported or made through the API mails nobody.
 */
export async function tellOfCancelled(
  tx: WriteTx,
  accountId: string,
  registration: Registration,
): Promise<void> {
  const order = await findOrderOf(tx, accountId, registration)
  if (order !== undefined)
    await tellCancelled(tx, accountId, order, [registration], { cause: registration.id })
}

/** The order that a registration is a line of. @returns undefined for one that was not ordered here */
export async function findOrderOf(
  tx: ReadTx,
  accountId: string,
  { attendees: [ticket] }: Pick<Registration, 'attendees'>,
): Promise<Order | undefined> {
  const found = ticket && (await findTicket(tx, ticket.id))
  return found && get(tx, accountId, found.orderId)
}

/** The versions of the links to the orders of these registrations, by registration: of those that were ordered here. */
export async function readVersions(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listStore.listVersions(tx, accountId, registrationIds)
  return new Map(rows.map(({ id, secret_version }) => [id, secret_version]))
}

/** Says whom its receipt is made out to. @returns whether that is another than before */
export async function setInvoice(
  tx: WriteTx,
  accountId: string,
  { id, invoice: was }: Order,
  invoice: Invoice,
): Promise<boolean> {
  if (isDeepStrictEqual(was, invoice)) return false
  await store.setInvoice(tx, accountId, id, invoice, await tx.now())
  return true
}

/** Gives an order's links new secrets: those in earlier mails lead nowhere. @throws Problem not_found */
export async function renewLinks(tx: WriteTx, accountId: string, id: string): Promise<Order> {
  await store.renewSecret(tx, accountId, id, await tx.now())
  return get(tx, accountId, id)
}
