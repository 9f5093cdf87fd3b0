import { emailKey } from '#base/fields.ts'
import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { Language } from '#texts/languages.ts'
import {
  agreementHash,
  type Basket,
  fillFrom,
  findEntered,
  readSale,
  type Sale,
  type WantedLine,
} from './basket.ts'
import { type Invoice, NO_INVOICE, refuseWithoutAddress } from './invoice.ts'
import * as listStore from './list-store.ts'
import { queueConfirmed, queueWaiting } from './queue-mails.ts'
import { newReference } from './reference.ts'
import { reservedForApproval } from './reservation-time.ts'
import { type Order, type OrderDetails, presentOrder, withoutDetails } from './schemas.ts'
import * as store from './store.ts'

/** How many orders of one e-mail may wait at a time. */
const MAX_PENDING = 3

/** An order as its buyer sends it. */
export interface NewOrder {
  /** The one-time id of the form. A form that is sent again leads to the same order. */
  formId: string
  buyer: { name: string; email: string }
  /** Whom the receipt is made out to, if not to the buyer alone. */
  invoice?: Invoice | undefined
  language: Language
  lines: readonly (Omit<WantedLine, 'quantity'> & { tickets: readonly Holder[] })[]
  /** The answers of the order, by key. */
  answers: Readonly<Record<string, string>>
  /** The code as the buyer has entered it. */
  code?: string | undefined
  /** What the buyer has agreed to, as `agreementHash` returns it. */
  agreement: string
  /** The hashed networks that the order comes from, the narrowest first. Without them its mails are not counted. */
  placedFrom?: readonly string[]
  /**
   * Until when the places of an order that has to be paid are held, in milliseconds. Without it `place` refuses an order that
   * costs something.
   */
  reservedUntil?: number | undefined
}

export interface Holder {
  name: string
  /** It is null if the buyer gets the ticket. */
  email: string | null
  /** The answers to the questions of each ticket, by key. */
  answers?: Readonly<Record<string, string>>
}

/** The codes of the tickets of each line, signed before the write. */
export type SignedLines = readonly (attendees.SignedAhead | undefined)[]

/** Signs the tickets of an order in a thread, so that no write waits for it. */
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
 * Places an order, whole or not at all: checks everything again, takes the places, and confirms it if it needs no approval and
 * costs nothing. If the same form comes again, it places nothing and returns the order that the form made.
 *
 * @throws Problem those of `fillBasket`; sold_out with `details.registration_type_id` and `details.available`; seen_changed if
 *   the order comes to something else than the buyer has seen; payment_needed if it costs something; too_many_pending
 */
export async function place(
  tx: WriteTx,
  eventId: string,
  order: NewOrder,
  signed: SignedLines = [],
): Promise<Order> {
  const sale = await readSale(tx, eventId)
  const placed = await placeFrom(tx, sale, order, signed)
  return placed.isNew ? withoutDetails(placed.order) : placed.order
}

/** The result of placing an order. If the form had made an order before, it is that order as it is. */
export type Placed = { order: Order; isNew: false } | { order: OrderDetails; isNew: true }

/** Does the same as `place` from a sale that was read in this transaction. @throws Problem those of `place` */
export async function placeFrom(
  tx: WriteTx,
  sale: Sale,
  order: NewOrder,
  signed: SignedLines = [],
): Promise<Placed> {
  const { id: eventId } = sale.event
  const made = await store.findByForm(tx, eventId, order.formId)
  if (made !== undefined) return { order: presentOrder(made), isNew: false }
  const lines = order.lines.map(({ tickets, ...line }) => ({ ...line, quantity: tickets.length }))
  const findCode = () => findEntered(tx, eventId, order.code, tx.clock())
  const basket = await fillFrom(sale, { lines }, findCode, tx.clock())
  if (agreementHash(basket) !== order.agreement) throw new Problem('seen_changed')
  if (basket.total > 0 && order.reservedUntil === undefined) throw new Problem('payment_needed')
  refuseWithoutAddress(basket.isAddressNeeded, order.invoice ?? NO_INVOICE)
  const key = emailKey(order.buyer.email)
  const waitsFor = waitOf(basket)
  if (waitsFor !== null && (await listStore.countPendingOf(tx, eventId, key, MAX_PENDING)) >= MAX_PENDING) {
    throw new Problem('too_many_pending', { details: { most: MAX_PENDING } })
  }
  const row = await insertOrder(tx, basket, order, waitsFor)
  const isConfirmed = waitsFor === null
  const placed = await placeLines(tx, row, { basket, order, signed, isConfirmed })
  if (isConfirmed) await queueConfirmed(tx, placed)
  if (waitsFor === 'approval') await queueWaiting(tx, placed)
  return { order: placed, isNew: true }
}

function waitOf({ event, total }: Basket): 'approval' | 'payment' | null {
  if (event.requires_approval) return 'approval'
  return total > 0 ? 'payment' : null
}

async function insertOrder(
  tx: WriteTx,
  { event, total }: Basket,
  { buyer, invoice = NO_INVOICE, language, formId, reservedUntil, placedFrom = [] }: NewOrder,
  waitsFor: ReturnType<typeof waitOf>,
): Promise<Omit<store.OrderRow, 'standing'>> {
  const now = await tx.now()
  const until = { approval: reservedForApproval(event, tx.clock()), payment: reservedUntil ?? tx.clock() }
  const row = {
    id: newUuid(),
    account_id: tx.accountId,
    event_id: event.id,
    reference: newReference(),
    status: waitsFor === null ? 'confirmed' : 'pending',
    waits_for: waitsFor,
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
    expires_at: waitsFor === null ? null : until[waitsFor],
    confirmed_at: waitsFor === null ? now : null,
    failed_at: null,
    created_at: now,
    buyer_company: invoice.company,
    buyer_address: invoice.address,
    buyer_vat_id: invoice.vat_id,
    verified_at: null,
    placed_from: placedFrom.length === 0 ? null : placedFrom.join(' '),
  } as const
  await store.insert(tx, row)
  return row
}

async function placeLines(
  tx: WriteTx,
  row: Omit<store.OrderRow, 'standing'>,
  of: { basket: Basket; order: NewOrder; signed: SignedLines; isConfirmed: boolean },
): Promise<OrderDetails> {
  const { basket, order, signed, isConfirmed } = of
  const { event } = basket
  const ticketPrices = new Map<string, checkout.TicketPrice>()
  const reserved = await reserveCode(tx, basket, order.code)
  const registrations: Registration[] = []
  for (const [at, { type, prices }] of basket.lines.entries()) {
    const holders = order.lines.find(({ typeId }) => typeId === type.id)?.tickets ?? []
    const tickets = prices.map((sold_for, n) => ({
      ...(holders[n] as Holder),
      // Nobody is named on an extra: it is the buyer's.
      ...(type.kind === 'extra' ? { name: order.buyer.name, email: null } : {}),
      ...{ sold_for, code_id: reserved?.[at]?.code_id },
    }))
    const line = {
      ...{ orderId: row.id, event, buyer: order.buyer, attendees: tickets, language: order.language },
      type: { ...type, isShared: type.pools.length > 0 },
      status: isConfirmed ? 'confirmed' : 'pending',
      // The answers are those of the whole order, so only its first line keeps them.
      answers: at === 0 ? order.answers : {},
    } as const
    const placed = await takeLine(tx, line, signed[at])
    registrations.push(placed)
    for (const [n, { id }] of placed.attendees.entries())
      ticketPrices.set(id, prices[n] as checkout.TicketPrice)
  }
  if (isConfirmed) await checkout.announce(tx, registrations)
  const standing = registrations.length
  const extras = new Set(
    registrations.flatMap(({ id }, at) => (basket.lines[at]?.type.kind === 'extra' ? [id] : [])),
  )
  const lines = { registrations, extras, prices: ticketPrices, exchangedFor: new Map<string, string>() }
  return { ...presentOrder({ ...row, standing }), event, ...lines }
}

/** @returns for each line, which code its tickets have */
async function reserveCode(
  tx: WriteTx,
  { event, lines }: Basket,
  entered: string | undefined,
): Promise<{ code_id: string | null }[] | undefined> {
  if (entered === undefined) return undefined
  const wanted = lines.map(({ type, prices }) => ({ type, quantity: prices.length }))
  return (await codes.reserve(tx, event.id, entered, wanted)).lines
}

async function takeLine(tx: WriteTx, line: checkout.Line, signed: attendees.SignedAhead | undefined) {
  try {
    return await checkout.placeLine(tx, line, signed)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'sold_out') throw error
    const { id, name } = line.type
    throw new Problem('sold_out', { details: { ...error.details, registration_type_id: id, name } })
  }
}
