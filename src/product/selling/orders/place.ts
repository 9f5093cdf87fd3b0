import * as attendees from '../attendees/rules.ts'
import * as codes from '../codes/rules.ts'
import type { Reader } from '../db/batches.ts'
import type { WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as checkout from '../registrations/checkout.ts'
import type { Registration } from '../registrations/schemas.ts'
import { DAY } from '../time.ts'
import type { Language } from '../web/texts/languages.ts'
import { type Basket, fillBasket, seenOf } from './basket.ts'
import { type Invoice, NO_INVOICE } from './invoice.ts'
import * as listStore from './list-store.ts'
import { newReference } from './reference.ts'
import { type Order, presentOrder } from './schemas.ts'
import * as store from './store.ts'
import { tellConfirmed, tellWaiting } from './telling.ts'

/** Orders of one e-mail that may wait at a time. */
const MAX_PENDING = 3

/** An order as its buyer sends it. */
export interface NewOrder {
  /** The one-time id of the form: sent again, it leads to the same order. */
  formId: string
  buyer: { name: string; email: string }
  /** Whom its receipt is made out to, where that is not the buyer alone. */
  invoice?: Invoice | undefined
  language: Language
  lines: readonly { typeId: string; tickets: readonly Holder[] }[]
  /** Of the order, by key. */
  answers: Readonly<Record<string, string>>
  /** As the buyer has entered it. */
  code?: string | undefined
  /** What the buyer has agreed to, as `seenOf` says it. */
  seen: string
  /** Until when its places are held where it has to be paid, in milliseconds; without it nothing that costs something is taken. */
  heldUntil?: number | undefined
}

export interface Holder {
  name: string
  /** Null: the buyer gets the ticket. */
  email: string | null
  /** To the questions of each ticket, by key. */
  answers?: Readonly<Record<string, string>>
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
 * it and it costs nothing. The same form again makes nothing, and gives the order that it made.
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
  const basket = await fillBasket(tx, accountId, eventId, { lines: wanted, code: order.code }, tx.clock())
  if (seenOf(basket) !== order.seen) throw new Problem('seen_changed')
  if (basket.total > 0 && order.heldUntil === undefined) throw new Problem('payment_needed')
  const key = emailKey(order.buyer.email)
  const waitsFor = waitOf(basket)
  if (
    waitsFor !== null &&
    (await listStore.countPendingOf(tx, accountId, eventId, key, MAX_PENDING)) >= MAX_PENDING
  ) {
    throw new Problem('too_many_pending', { details: { most: MAX_PENDING } })
  }
  const row = await insertOrder(tx, basket, accountId, order, waitsFor)
  const isConfirmed = waitsFor === null
  const registrations = await placeLines(tx, accountId, row.id, { basket, order, signed, isConfirmed })
  const placed = presentOrder({ ...row, standing: registrations.length })
  if (isConfirmed) await tellConfirmed(tx, accountId, { ...placed, registrations })
  if (waitsFor === 'approval') await tellWaiting(tx, accountId, placed)
  return placed
}

function waitOf({ event, total }: Basket): 'approval' | 'payment' | null {
  if (event.requires_approval) return 'approval'
  return total > 0 ? 'payment' : null
}

async function insertOrder(
  tx: WriteTx,
  { event, total }: Basket,
  accountId: string,
  { buyer, invoice = NO_INVOICE, language, formId, heldUntil }: NewOrder,
  waitsFor: ReturnType<typeof waitOf>,
): Promise<Omit<store.OrderRow, 'standing'>> {
  const now = await tx.now()
  const until = { approval: tx.clock() + event.approval_days * DAY, payment: heldUntil ?? tx.clock() }
  const row = {
    id: newUuid(),
    account_id: accountId,
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
  } as const
  await store.insert(tx, row)
  return row
}

async function placeLines(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  of: { basket: Basket; order: NewOrder; signed: SignedLines; isConfirmed: boolean },
): Promise<Registration[]> {
  const { basket, order, signed, isConfirmed } = of
  const { event } = basket
  const reserved = await reserveCode(tx, accountId, basket, order.code)
  const registrations: Registration[] = []
  for (const [at, { type, prices }] of basket.lines.entries()) {
    const holders = order.lines.find(({ typeId }) => typeId === type.id)?.tickets ?? []
    const tickets = prices.map((sold_for, n) => ({
      ...(holders[n] as Holder),
      ...{ sold_for, code_id: reserved?.[at]?.code_id },
    }))
    const line = {
      ...{ orderId, event, buyer: order.buyer, attendees: tickets, language: order.language },
      type: { ...type, isShared: type.pools.length > 0 },
      status: isConfirmed ? 'confirmed' : 'pending',
      // Once an order, or each of its lines would answer again.
      answers: at === 0 ? order.answers : {},
    } as const
    const placed = await takeLine(tx, accountId, line, signed[at])
    if (isConfirmed) await checkout.announce(tx, accountId, placed)
    registrations.push(placed)
  }
  return registrations
}

/** @returns of each line, which code its tickets have */
async function reserveCode(
  tx: WriteTx,
  accountId: string,
  { event, lines }: Basket,
  entered: string | undefined,
): Promise<{ code_id: string | null }[] | undefined> {
  if (entered === undefined) return undefined
  const wanted = lines.map(({ type, prices }) => ({ type, quantity: prices.length }))
  return (await codes.reserve(tx, accountId, event.id, entered, wanted)).lines
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
