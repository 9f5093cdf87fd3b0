import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { type Details, getDetails } from '#product/guests/registrations/details.ts'
import { exchange } from '#product/guests/registrations/exchange.ts'
import { MAX_QUANTITY, type Registration } from '#product/guests/registrations/schemas.ts'
import { keepRefunded } from '#product/guests/registrations/voiding.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { isDisputed } from '#product/selling/payments/disputes.ts'
import { queueRefund } from '#product/selling/payments/queue-mails.ts'
import {
  type Refundable,
  type RefundableTicket,
  refundableOf,
  restOf,
} from '#product/selling/payments/refundable.ts'
import { backOf, isOver } from '#product/selling/payments/refunding.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'
import { queueExchanged } from './queue-mails.ts'

/** Names a ticket of an order. */
export interface TicketOf {
  registrationId: string
  ticketId: string
}

/** A ticket of an order that may be exchanged, as it was read. */
export interface Exchangeable {
  order: OrderDetails
  registration: Details
  ticket: Details['attendees'][number]
}

/**
 * Reads a ticket that is to be exchanged.
 *
 * @throws Problem not_found, also for an extra; ticket_not_ordered; registration_erased; ticket_voided;
 *   registration_not_confirmed; already_checked_in; not_on_sale if the event is cancelled; ticket_disputed;
 *   too_many_exchanges
 */
export async function readExchangeable(
  tx: ReadTx,
  { registrationId, ticketId }: TicketOf,
): Promise<Exchangeable> {
  const registration = await getDetails(tx, registrationId)
  const ticket = registration.attendees.find(({ id }) => id === ticketId)
  if (ticket === undefined) throw new Problem('not_found')
  if (registration.order_id === null) throw new Problem('ticket_not_ordered')
  if (registration.erased_at !== null) throw new Problem('registration_erased')
  if (ticket.voided) throw new Problem('ticket_voided')
  if (registration.status !== 'confirmed') throw new Problem('registration_not_confirmed')
  if (ticket.checked_in) throw new Problem('already_checked_in')
  const order = await orders.getDetails(tx, registration.order_id)
  if (order.extras.has(registration.id)) throw new Problem('not_found')
  if (order.event.status === 'cancelled') throw new Problem('not_on_sale')
  if (await isDisputed(tx, order.id)) throw new Problem('ticket_disputed')
  // An order may have as many tickets in all as an organization file can bring.
  const all = order.registrations.reduce((sum, line) => sum + line.attendees.length, 0)
  if (all >= MAX_QUANTITY) throw new Problem('too_many_exchanges')
  return { order, registration, ticket }
}

/** What an exchange comes to. Amounts are in minor units. */
export interface ExchangeForecast extends Exchangeable {
  type: TypeDetails
  /** What was paid for the ticket, or for the one that was sold at first, and has not gone back. */
  paid: number
  /** What can go back, as the new ticket is cheaper. */
  back: number
  /** How much dearer the new ticket is. Nothing is charged. */
  dearer: number
}

/**
 * Forecasts an exchange.
 *
 * @throws Problem those of `readExchangeable`; not_found for a type of another event, or an extra
 */
export async function forecastExchange(
  tx: ReadTx,
  of: TicketOf & { typeId: string },
): Promise<ExchangeForecast> {
  const { subject: _, sold: __, ...forecast } = await prepare(tx, of)
  return forecast
}

interface Prepared extends ExchangeForecast {
  subject: Refundable
  /** The ticket with what it was sold for. */
  sold: RefundableTicket
}

async function prepare(tx: ReadTx, of: TicketOf & { typeId: string }): Promise<Prepared> {
  const exchangeable = await readExchangeable(tx, of)
  const type = await registrationTypes.getDetails(tx, exchangeable.registration.event_id, of.typeId)
  if (type.kind === 'extra') throw new Problem('not_found', { param: 'type' })
  const subject = await refundableOf(tx, exchangeable.order)
  const sold = subject.tickets.find(({ id }) => id === of.ticketId)
  if (sold === undefined) throw new Problem('ticket_voided')
  const paid = restOf(sold)
  return {
    ...{ ...exchangeable, type, subject, sold, paid },
    back: Math.min(Math.max(0, paid - type.price), subject.left),
    dearer: Math.max(0, type.price - paid),
  }
}

/** What is exchanged, and for what. */
export interface Exchanging extends TicketOf {
  /** The type of the new ticket, which may be that of the former one. */
  typeId: string
  holder: { name: string | null; email: string | null }
  /** The minor units of the difference that go back: all that can, or nothing. */
  back: number
}

export interface ExchangedTicket {
  order: OrderDetails
  /** The registration of the former ticket, as it is now. */
  former: Registration
  /** The new registration, with its one ticket. */
  made: Registration
  refunds: Refund[]
}

/**
 * Exchanges a ticket of an order for one of another type or for another holder, in this transaction: the ticket becomes void, and
 * one with a new code takes its place, which costs nothing. Its holder is mailed the new ticket, and an earlier holder that they
 * have none any more.
 *
 * @throws Problem those of `forecastExchange`; sold_out; seen_changed if another sum can go back than `back`; too_many_mails if
 *   the order has sent tickets to many holders within a day
 */
export async function exchangeTicket(tx: WriteTx, exchanging: Exchanging): Promise<ExchangedTicket> {
  const { holder, back } = exchanging
  const { order, registration, ticket, type, subject, sold, back: most } = await prepare(tx, exchanging)
  if (back !== 0 && back !== most) throw new Problem('seen_changed')
  const parts = new Map(back === 0 ? [] : [[sold.soldAs, back]])
  const { of, eventId, currency, sources } = subject
  const wanted = { ...of, eventId, currency, amount: back, reason: 'organizer', tickets: parts } as const
  const made = back === 0 ? [] : await refunds.requestFrom(tx, wanted, sources)
  const isSamePerson = isSame(holder, ticket)
  const exchanged = await exchange(tx, {
    ...{ registration, ticketId: ticket.id, type, holder, isSamePerson },
    refunded: backOf(subject, registration.id, parts),
  })
  const first = order.registrations.find(({ id }) => id === sold.soldWith)
  if (back > 0 && first !== undefined && first.id !== registration.id && isOver(first))
    await keepRefunded(tx, first, backOf(subject, first.id, parts))
  await queueExchanged(tx, order, { former: ticket, made: exchanged.made, isSamePerson })
  const [refund] = made
  if (refund !== undefined) await queueRefund(tx, order, { cause: refund.id, amount: back })
  return { order, ...exchanged, refunds: made }
}

function isSame(one: Exchanging['holder'], other: Exchanging['holder']): boolean {
  const keyOf = (email: string | null) => (email === null ? null : emailKey(email))
  return one.name === other.name && keyOf(one.email) === keyOf(other.email)
}
