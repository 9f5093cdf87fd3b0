import { toIso } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emitAll } from '#product/administration/webhooks/outbox.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeOnSale } from '#product/catalog/registration-types/schemas.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Placement } from './placement.ts'
import * as rules from './rules.ts'
import { presentRegistration, type Registration, withVoided } from './schemas.ts'
import * as store from './store.ts'

/** Says what a ticket costs, in minor units. It is frozen when the ticket is ordered. */
export type TicketPrice = attendees.TicketPrice

/** Describes a line of an order. */
export interface Line extends Pick<Placement, 'event' | 'buyer' | 'answers' | 'language' | 'quantity'> {
  orderId: string
  type: TypeOnSale
  status: 'pending' | 'confirmed'
  attendees: readonly (NonNullable<Placement['attendees']>[number] & { sold_for: TicketPrice })[]
}

/**
 * Places a line of an order by taking the capacity and issuing the tickets. It emits nothing. `announce` reports a registration
 * that this confirms, once all lines are placed.
 *
 * @param signed the codes of its tickets, if they were signed before the write
 * @throws Problem invalid_parameter for `answers` of too many new keys; sold_out
 */
export async function placeLine(
  tx: WriteTx,
  { orderId, ...line }: Line,
  signed?: attendees.SignedAhead,
): Promise<Registration> {
  const prices = line.attendees.map(ticket => ticket.sold_for)
  const subtotal = prices.reduce((sum, { price }) => sum + price, 0)
  const off = prices.reduce((sum, { discount }) => sum + discount, 0)
  const amounts = { amount_subtotal: subtotal, amount_total: subtotal - off }
  const placement = { ...line, ...amounts, source: 'checkout', order_id: orderId } as const
  return rules.place(tx, placement, signed)
}

/** Emits that registrations were made, once they are confirmed. */
export async function announce(tx: WriteTx, registrations: readonly Registration[]): Promise<void> {
  await emitAll(tx, 'registration.created', registrations)
}

/** The lines of an order, as they are read. */
export interface Lines {
  registrations: Registration[]
  /** The ids of those registrations that are extras. Their units admit nobody to the event. */
  extras: ReadonlySet<string>
  /** The price of each ticket by its id. */
  prices: ReadonlyMap<string, TicketPrice>
  /** The tickets that were exchanged, by the registration that took the place of each. */
  exchangedFor: ReadonlyMap<string, string>
}

/** Returns the registrations of an order with their tickets, in the order of its lines. */
export async function readLines(tx: ReadTx, orderId: string): Promise<Lines> {
  const rows = await store.listByOrder(tx, orderId)
  const ids = rows.map(({ id }) => id)
  const { tickets, prices } = await attendees.listSold(tx, ids)
  const exchangedFor = new Map<string, string>()
  for (const { id, exchanged_for: ticket } of rows) if (ticket !== null) exchangedFor.set(id, ticket)
  const extras = new Set(rows.filter(row => row.is_extra === 1).map(({ id }) => id))
  const registrations = rows.map(row => presentRegistration(row, tickets.get(row.id) ?? []))
  return { registrations, extras, prices, exchangedFor }
}

/** Returns the registrations of an order alone. */
export async function listByOrder(tx: ReadTx, orderId: string): Promise<Registration[]> {
  return (await readLines(tx, orderId)).registrations
}

/*
 * The functions below take the lines of an order as they were read in the same transaction. They return all of them in their
 * order, as they are after the change, so that one write reads nothing twice.
 */

/** Confirms the pending lines and emits an event for each. */
export async function confirmLines(tx: WriteTx, lines: readonly Registration[]): Promise<Registration[]> {
  const now = await tx.now()
  const confirmed = await changeEach(lines, 'pending', async line => {
    await store.settle(tx, line.id, 'confirmed', now)
    await attendees.noteRegistrationAtDoors(tx, line.id)
    return { ...line, status: 'confirmed', confirmed_at: toIso(now) }
  })
  await announce(tx, changedOf(lines, confirmed))
  return confirmed
}

/**
 * Ends the pending lines of a failed order. It voids their tickets, gives the capacity back, and serves the waitlist. No event
 * reports this, because none reported that they existed.
 */
export async function failLines(tx: WriteTx, lines: readonly Registration[]): Promise<Registration[]> {
  const now = await tx.now()
  await codes.releaseAll(tx, idsOf(lines, 'pending'))
  const released: registrationTypes.Released[] = []
  const failed = await changeEach(lines, 'pending', async line => {
    await store.settle(tx, line.id, 'failed', now)
    const freed = await attendees.voidAll(tx, line.id)
    const places = await registrationTypes.release(tx, line.registration_type_id as string, freed)
    if (places !== undefined) released.push(places)
    return { ...withVoided(line), status: 'failed', confirmed_at: null }
  })
  await registrationTypes.serveReleased(tx, released)
  return failed
}

/**
 * Confirms the lines of an order that had failed. It takes the capacity and the uses of codes again, and makes the tickets valid
 * again. A line that was cancelled on its own stays cancelled.
 *
 * @throws Problem sold_out, code_used_up
 */
export async function reviveLines(tx: WriteTx, lines: readonly Registration[]): Promise<Registration[]> {
  const now = await tx.now()
  await codes.retakeAll(tx, idsOf(lines, 'failed'))
  const revived = await changeEach(lines, 'failed', async line => {
    const { id, event_id, registration_type_id, quantity } = line
    const type = await registrationTypes.get(tx, event_id, registration_type_id as string)
    await registrationTypes.reserve(tx, type, quantity)
    await attendees.admitAll(tx, id)
    await store.settle(tx, id, 'confirmed', now, 'failed')
    const tickets = line.attendees.map(ticket => ({ ...ticket, voided: false }))
    return { ...line, status: 'confirmed', confirmed_at: toIso(now), attendees: tickets }
  })
  await announce(tx, changedOf(lines, revived))
  return revived
}

async function changeEach(
  lines: readonly Registration[],
  status: Registration['status'],
  change: (line: Registration) => Promise<Registration>,
): Promise<Registration[]> {
  const all: Registration[] = []
  for (const line of lines) all.push(line.status === status ? await change(line) : line)
  return all
}

function changedOf(before: readonly Registration[], after: readonly Registration[]): Registration[] {
  return after.filter((line, at) => line !== before[at])
}

function idsOf(lines: readonly Registration[], status: Registration['status']): string[] {
  return lines.filter(line => line.status === status).map(({ id }) => id)
}

/** Emits that the price of registrations was paid. */
export async function announcePaid(tx: WriteTx, registrations: readonly Registration[]): Promise<void> {
  await emitAll(tx, 'payment.completed', registrations)
}

/**
 * Keeps the processor's fee for a registration.
 *
 * @param fee minor units; null if it is not known
 */
export async function setFee(tx: WriteTx, id: string, fee: number | null): Promise<void> {
  await store.setFee(tx, id, fee, await tx.now())
}
