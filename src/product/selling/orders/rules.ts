import { isDeepStrictEqual } from 'node:util'
import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import { newestFirst, type Page } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { refuseLateCancel } from './cancel-until.ts'
import { confirm } from './confirm-order.ts'
import type { Invoice } from './invoice.ts'
import * as linkStore from './link-store.ts'
import * as listStore from './list-store.ts'
import { awaitPayment, markVerified } from './order-changes.ts'
import { queueCancelled, queueDeclined } from './queue-mails.ts'
import { payableUntil } from './reservation-time.ts'
import {
  dueOf,
  type Order,
  type OrderDetails,
  offerForm,
  presentOrder,
  withLines,
  withoutDetails,
} from './schemas.ts'
import * as store from './store.ts'

export { countToPay } from './list-store.ts'

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Order> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentOrder(row)
}

/** @throws Problem not_found */
export async function getDetails(tx: ReadTx, id: string): Promise<OrderDetails> {
  const order = await get(tx, id)
  const event = await events.getDetails(tx, order.event_id)
  return { ...order, event, ...(await checkout.readLines(tx, id)) }
}

/**
 * Returns when the buyer accepted the terms of an order: when they placed it, or when they accepted what they were offered.
 *
 * @returns milliseconds
 * @throws Problem not_found
 */
export async function readAcceptedAt(tx: ReadTx, id: string): Promise<number> {
  const row = await store.findAcceptance(tx, id)
  if (row === undefined) throw new Problem('not_found')
  // An offer is verified by its acceptance.
  return row.form_id === offerForm(id) ? (row.verified_at ?? row.created_at) : row.created_at
}

/** Returns the account of an order, for the command line, which names no account. @throws Problem not_found */
export async function findOwner(tx: InstanceReadTx, id: string): Promise<string> {
  const accountId = await findAccount(tx, id)
  if (accountId === undefined) throw new Problem('not_found')
  return accountId
}

/** Returns the account of an order, for a link, which names no account. @returns undefined if there is no such order */
export async function findAccount(tx: InstanceReadTx, id: string): Promise<string | undefined> {
  return (await linkStore.findAccount(tx, id))?.account_id
}

/** Returns the id of the order of a ticket. @returns undefined for a ticket that was not ordered */
export async function findOrderIdOf(tx: ReadTx, ticketId: string): Promise<string | undefined> {
  return (await linkStore.findOrderOfTicket(tx, ticketId))?.order_id
}

/** Returns the order that a form has made, if it has made one. */
export async function findByForm(tx: ReadTx, eventId: string, formId: string): Promise<Order | undefined> {
  const row = await store.findByForm(tx, eventId, formId)
  return row && presentOrder(row)
}

/** @param reference as it is stored, or without its hyphen */
export async function findByReference(
  tx: ReadTx,
  eventId: string,
  reference: string,
): Promise<Order | undefined> {
  const plain = reference.replace('-', '')
  const row = await store.findByReference(tx, eventId, `${plain.slice(0, 4)}-${plain.slice(4)}`)
  return row && presentOrder(row)
}

/**
 * Returns orders of one buyer, the newest first. If there are more than the limit, it returns some of them.
 *
 * @param key as e-mails are compared
 */
export async function listByBuyer(tx: ReadTx, eventId: string, key: string, limit: number): Promise<Order[]> {
  const rows = await store.listByBuyer(tx, eventId, key, limit)
  return rows.sort(newestFirst).map(presentOrder)
}

/** Returns the newest first. */
export async function list(tx: ReadTx, filters: store.OrderFilters, page: Page): Promise<Order[]> {
  return (await store.listPage(tx, filters, page)).map(presentOrder)
}

/**
 * Approves an order that waits for it. From then on the buyer has the event's days to pay what it costs.
 *
 * @throws Problem not_found; order_ended, also for an offer, which its buyer has to accept; not_on_sale if the event is cancelled
 */
export async function approve(tx: WriteTx, id: string): Promise<Order> {
  const order = await getDetails(tx, id)
  if (order.waits_for !== 'approval') throw new Problem('order_ended')
  if (order.event.status === 'cancelled') throw new Problem('not_on_sale')
  if (dueOf(order) === 0) return withoutDetails(await confirm(tx, order))
  const verified = await markVerified(tx, order)
  const until = payableUntil(order.event, tx.clock())
  return withoutDetails(await awaitPayment(tx, verified, until))
}

/**
 * Ends a pending order, and gives its places back: it was declined, nobody decided in time, or its buyer does not want it.
 *
 * @throws Problem not_found, order_ended
 */
export async function fail(
  tx: WriteTx,
  id: string,
  reason: NonNullable<Order['failed_for']>,
): Promise<Order> {
  return withoutDetails(await end(tx, await getDetails(tx, id), reason))
}

/**
 * Does the same as `fail`.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 * @throws Problem order_ended
 */
export async function end(
  tx: WriteTx,
  order: OrderDetails,
  reason: NonNullable<Order['failed_for']>,
): Promise<OrderDetails> {
  if (order.status !== 'pending') throw new Problem('order_ended')
  const now = await tx.now()
  await store.markFailed(tx, order.id, reason, now)
  const lines = await checkout.failLines(tx, order.registrations)
  const changes = { status: 'failed', waits_for: null, expires_at: null } as const
  const failed = withLines({ ...order, ...changes, failed_for: reason, failed_at: toIso(now) }, lines)
  if (reason === 'declined' || reason === 'undecided') await queueDeclined(tx, failed)
  if (reason === 'withdrawn') await queueCancelled(tx, failed, lines, { byBuyer: true })
  return failed
}

/**
 * Ends an order whose time is over, as an offer that lapsed or as undecided. It does nothing if the order got more time
 * meanwhile, no longer waits, or was deleted with its event.
 */
export async function expire(tx: WriteTx, id: string): Promise<void> {
  if ((await store.find(tx, id)) === undefined) return
  const order = await getDetails(tx, id)
  const { waits_for, expires_at } = order
  if (expires_at === null || tx.clock() < Date.parse(expires_at)) return
  await end(tx, order, waits_for === 'answer' ? 'lapsed' : 'undecided')
}

/**
 * Cancels an order for its buyer, until the organizer's date: every registration of it that still stands.
 *
 * @throws Problem not_found; order_ended; too_late after that date, or if there is none; refund_required
 */
export async function cancelByBuyer(tx: WriteTx, id: string, cancelUntil: string | null): Promise<Order> {
  const order = await getDetails(tx, id)
  return withoutDetails(await cancelForBuyer(tx, order, cancelUntil))
}

/**
 * Does the same as `cancelByBuyer`.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 * @throws Problem those of `cancelByBuyer`, except not_found
 */
export async function cancelForBuyer(
  tx: WriteTx,
  order: OrderDetails,
  cancelUntil: string | null,
): Promise<OrderDetails> {
  if (order.status === 'pending')
    return end(tx, order, order.waits_for === 'answer' ? 'turned_down' : 'withdrawn')
  refuseLateCancel(order, cancelUntil, tx.clock())
  const { updatedOrder, cancelled } = await cancelStanding(tx, order)
  await queueCancelled(tx, order, cancelled, { byBuyer: true })
  return updatedOrder
}

/**
 * Cancels the registrations of a confirmed order that still stand.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now, and the registrations that this cancelled
 * @throws Problem refund_required
 */
export async function cancelStanding(
  tx: WriteTx,
  order: OrderDetails,
): Promise<{ updatedOrder: OrderDetails; cancelled: Registration[] }> {
  const standing = order.registrations.filter(({ status }) => status === 'confirmed')
  const written = await registrations.cancelAll(tx, standing)
  const cancelled = written.map(({ resource }) => resource)
  const lines = order.registrations.map(line => cancelled.find(({ id }) => id === line.id) ?? line)
  return { updatedOrder: withLines(order, lines), cancelled }
}

/**
 * Queues the mails that a registration is cancelled, in the transaction that cancels it. A registration that was not ordered here
 * mails nobody by this: it was imported or made through the API.
 *
 * @returns whether it was ordered here
 */
export async function queueCancelledOf(tx: WriteTx, registration: Registration): Promise<boolean> {
  const order = await findOrderOf(tx, registration)
  if (order === undefined) return false
  await queueCancelled(tx, order, [registration], { cause: registration.id })
  return true
}

/** Returns the order that a registration is a line of. @returns undefined for one that was not ordered here */
export async function findOrderOf(
  tx: ReadTx,
  { attendees: [ticket] }: Pick<Registration, 'attendees'>,
): Promise<Order | undefined> {
  const orderId = ticket && (await findOrderIdOf(tx, ticket.id))
  return orderId === undefined ? undefined : get(tx, orderId)
}

/** Returns the versions of the links to the tickets of registrations, by registration id. Ordered ones have that of their order. */
export async function readVersions(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listStore.listVersions(tx, registrationIds)
  return new Map(rows.map(({ id, secret_version }) => [id, secret_version]))
}

/** Sets whom the receipt is made out to. @returns whether that changed anything */
export async function setInvoice(
  tx: WriteTx,
  { id, invoice: was }: Order,
  invoice: Invoice,
): Promise<boolean> {
  if (isDeepStrictEqual(was, invoice)) return false
  await store.setInvoice(tx, id, invoice, await tx.now())
  return true
}

/** Gives an order's links new secrets, so that links in earlier mails lead nowhere. @throws Problem not_found */
export async function renewLinks(tx: WriteTx, id: string): Promise<Order> {
  await store.renewSecret(tx, id, await tx.now())
  return get(tx, id)
}
