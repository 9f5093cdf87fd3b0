import { randomInt } from 'node:crypto'
import * as attendees from '../attendees/rules.ts'
import type { Reader } from '../db/batches.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { queue } from '../emails/outbox.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as checkout from '../registrations/checkout.ts'
import * as registrations from '../registrations/rules.ts'
import { DAY } from '../time.ts'
import type { Language } from '../web/texts/languages.ts'
import { type Basket, fillBasket } from './basket.ts'
import { confirmedMail, declinedMail, holderMail, waitingMail } from './kinds.ts'
import { type Order, type OrderDetails, presentOrder } from './schemas.ts'
import * as store from './store.ts'

/** How long an order waits for the organizer, in milliseconds. */
export const APPROVAL_TIME = 7 * DAY
/** Orders of one e-mail that may wait at a time. */
const MAX_PENDING = 3

/** An order as its buyer sends it. */
export interface NewOrder {
  /** The one-time id of the form: sent again, it leads to the same order. */
  formId: string
  buyer: { name: string; email: string }
  language: Language
  lines: readonly { typeId: string; tickets: readonly Holder[] }[]
  /** Of the order, by key. */
  answers: Readonly<Record<string, string>>
  /** What the buyer has seen that it comes to, in minor units. */
  total: number
}

export interface Holder {
  name: string
  /** Null: the buyer gets the ticket. */
  email: string | null
}

/** The codes of the tickets of each line, signed before the write. */
export type SignedLines = readonly (attendees.SignedAhead | undefined)[]

/** Signs the tickets of an order in a thread, so that nobody's write waits for it. */
export async function prepare(
  reader: Reader,
  accountId: string,
  eventId: string,
  { lines }: Pick<NewOrder, 'lines'>,
): Promise<SignedLines> {
  const count = lines.reduce((sum, { tickets }) => sum + tickets.length, 0)
  const signed = await attendees.signAhead(reader, accountId, eventId, count)
  let at = 0
  return lines.map(({ tickets }) => {
    const codes = signed?.codes.slice(at, at + tickets.length)
    at += tickets.length
    return codes && { eventId, codes }
  })
}

/**
 * Takes an order, whole or not at all: checks everything again, takes the places, and confirms it, where nobody has to approve
 * it. The same form again makes nothing, and gives the order that it made.
 *
 * @throws Problem those of `fillBasket`; sold_out with `details.registration_type_id` and `details.available`; seen_changed where
 *   it comes to something else than the buyer has seen; payment_needed where it costs something; too_many_pending
 */
export async function place(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  order: NewOrder,
  signed: SignedLines = [],
): Promise<Order> {
  const made = await store.findByForm(tx, accountId, eventId, order.formId)
  if (made !== undefined) return presentOrder(made)
  const wanted = order.lines.map(({ typeId, tickets }) => ({ typeId, quantity: tickets.length }))
  const basket = await fillBasket(tx, accountId, eventId, { lines: wanted }, tx.clock())
  if (basket.total !== order.total) throw new Problem('seen_changed')
  if (basket.total > 0) throw new Problem('payment_needed')
  const key = emailKey(order.buyer.email)
  const isApproved = !basket.event.requires_approval
  if (!isApproved && (await store.countPendingOf(tx, accountId, eventId, key, MAX_PENDING)) >= MAX_PENDING) {
    throw new Problem('too_many_pending', { details: { most: MAX_PENDING } })
  }
  const row = await insertOrder(tx, basket, accountId, order, isApproved)
  await placeLines(tx, accountId, row.id, { basket, order, signed, isApproved })
  if (isApproved) await tellConfirmed(tx, await getDetails(tx, accountId, row.id))
  else await queue(tx, accountId, waitingMail, mailOf(presentOrder({ ...row, standing: 1 })))
  return get(tx, accountId, row.id)
}

async function insertOrder(
  tx: WriteTx,
  { event, total }: Basket,
  accountId: string,
  { buyer, language, formId }: NewOrder,
  isApproved: boolean,
): Promise<Omit<store.OrderRow, 'standing'>> {
  const now = await tx.now()
  const row = {
    id: newUuid(),
    account_id: accountId,
    event_id: event.id,
    reference: newReference(),
    status: isApproved ? 'confirmed' : 'pending',
    waits_for: isApproved ? null : 'approval',
    failed_for: null,
    buyer_name: buyer.name,
    buyer_email: buyer.email,
    buyer_email_key: emailKey(buyer.email),
    language,
    currency: event.currency,
    amount_total: total,
    terms: event.terms,
    form_id: formId,
    secret_version: 1,
    expires_at: isApproved ? null : tx.clock() + APPROVAL_TIME,
    confirmed_at: isApproved ? now : null,
    failed_at: null,
    created_at: now,
  } as const
  await store.insert(tx, row)
  return row
}

async function placeLines(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  of: { basket: Basket; order: NewOrder; signed: SignedLines; isApproved: boolean },
): Promise<void> {
  const { basket, order, signed, isApproved } = of
  const { event } = basket
  for (const [at, { type, prices }] of basket.lines.entries()) {
    const tickets = order.lines.find(({ typeId }) => typeId === type.id)?.tickets ?? []
    const line = {
      ...{ orderId, event, prices, buyer: order.buyer, attendees: tickets, language: order.language },
      type: { ...type, isShared: type.pools.length > 0 },
      status: isApproved ? 'confirmed' : 'pending',
      // Once an order, or each of its lines would answer again.
      answers: at === 0 ? order.answers : {},
    } as const
    const placed = await takeLine(tx, accountId, line, signed[at])
    if (isApproved) await checkout.announce(tx, accountId, placed)
  }
}

async function takeLine(
  tx: WriteTx,
  accountId: string,
  line: checkout.Line,
  signed: attendees.SignedAhead | undefined,
) {
  try {
    return await checkout.placeLine(tx, accountId, line, signed)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sold_out') throw error
    const { id, name } = line.type
    throw new Problem('sold_out', { details: { ...error.details, registration_type_id: id, name } })
  }
}

/** Letters and digits that nobody mistakes for each other: 32 ^ 8 references. */
const SIGNS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** `7K4Q-M2XD` */
function newReference(): string {
  const signs = Array.from({ length: 8 }, () => SIGNS[randomInt(SIGNS.length)])
  return `${signs.slice(0, 4).join('')}-${signs.slice(4).join('')}`
}

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

/** Whose order it is: a link names no account. @returns undefined where there is none */
export async function findOwner(tx: ReadTx, id: string): Promise<string | undefined> {
  return (await store.findOwner(tx, id))?.account_id
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
 * Confirms an order that waits for it.
 *
 * @throws Problem not_found, order_ended
 */
export async function approve(tx: WriteTx, accountId: string, id: string): Promise<Order> {
  await refuseEnded(tx, accountId, id)
  await store.markConfirmed(tx, accountId, id, await tx.now())
  await checkout.confirmOrder(tx, accountId, id)
  const order = await getDetails(tx, accountId, id)
  await tellConfirmed(tx, order)
  return order
}

/**
 * Ends an order that waits, and gives its places back: it was declined, nobody decided in time, or its buyer withdrew it.
 *
 * @throws Problem not_found, order_ended
 */
export async function fail(
  tx: WriteTx,
  accountId: string,
  id: string,
  reason: NonNullable<Order['failed_for']>,
): Promise<Order> {
  await refuseEnded(tx, accountId, id)
  await store.markFailed(tx, accountId, id, reason, await tx.now())
  await checkout.failOrder(tx, accountId, id)
  const order = await get(tx, accountId, id)
  if (reason !== 'withdrawn') await queue(tx, accountId, declinedMail, mailOf(order))
  return order
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
  if (order.status === 'pending') return fail(tx, accountId, id, 'withdrawn')
  if (order.status !== 'confirmed') throw new Problem('order_ended')
  if (cancelUntil === null || tx.clock() >= Date.parse(cancelUntil)) throw new Problem('too_late')
  for (const { id: registrationId, status } of order.registrations) {
    if (status === 'confirmed') await registrations.cancel(tx, accountId, registrationId)
  }
  return get(tx, accountId, id)
}

/** Orders whose time is over, of all accounts. @param now milliseconds of the clock */
export function listDue(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return store.listDue(tx, now, limit)
}

async function refuseEnded(tx: ReadTx, accountId: string, id: string): Promise<void> {
  if ((await get(tx, accountId, id)).status !== 'pending') throw new Problem('order_ended')
}

/** To the buyer, with all tickets; to each other holder their own, all of one address in one mail. */
async function tellConfirmed(tx: WriteTx, order: OrderDetails): Promise<void> {
  await queue(tx, order.account_id, confirmedMail, mailOf(order))
  const buyer = emailKey(order.buyer.email)
  const holders = new Map<string, string>()
  for (const { email } of order.registrations.flatMap(line => line.attendees)) {
    if (email !== null && emailKey(email) !== buyer) holders.set(emailKey(email), email)
  }
  for (const recipient of holders.values()) {
    await queue(tx, order.account_id, holderMail, { ...mailOf(order), recipient })
  }
}

function mailOf({ id, event_id, buyer, language }: Order) {
  return { cause: id, recipient: buyer.email, language, eventId: event_id, subjectId: id }
}
