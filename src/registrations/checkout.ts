import * as attendees from '../attendees/rules.ts'
import * as codes from '../codes/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { TypeOnSale } from '../registration-types/schemas.ts'
import { emit } from '../webhooks/outbox.ts'
import { listIdsByOrder } from './checkout-store.ts'
import type { Placement } from './placement.ts'
import * as rules from './rules.ts'
import type { Registration } from './schemas.ts'
import * as store from './store.ts'

/** What a ticket costs, in minor units, frozen when it is ordered. */
export type TicketPrice = attendees.TicketPrice

/** A line of an order. */
export interface Line extends Pick<Placement, 'event' | 'buyer' | 'answers' | 'language' | 'quantity'> {
  orderId: string
  type: TypeOnSale
  status: 'pending' | 'confirmed'
  attendees: readonly (NonNullable<Placement['attendees']>[number] & { sold_for: TicketPrice })[]
}

/**
 * Places a line of an order: takes the capacity, issues the tickets. Emits nothing: a registration that is confirmed by this is
 * told of by `announce`, once all lines stand.
 *
 * @param signed the codes of its tickets, where they were signed before the write
 * @throws Problem invalid_parameter for `answers` of too many new keys; sold_out
 */
export async function placeLine(
  tx: WriteTx,
  accountId: string,
  { orderId, ...line }: Line,
  signed?: attendees.SignedAhead,
): Promise<Registration> {
  const prices = line.attendees.map(ticket => ticket.sold_for)
  const subtotal = prices.reduce((sum, { price }) => sum + price, 0)
  const off = prices.reduce((sum, { discount }) => sum + discount, 0)
  const amounts = { amount_subtotal: subtotal, amount_total: subtotal - off }
  const placement = { ...line, ...amounts, source: 'checkout', order_id: orderId } as const
  return rules.place(tx, accountId, placement, signed)
}

/** Emits that a registration was made, once it is confirmed. */
export async function announce(tx: WriteTx, accountId: string, registration: Registration): Promise<void> {
  await emit(tx, accountId, 'registration.created', registration)
}

/** The registrations of an order, each with its tickets, in the order of its lines. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Registration[]> {
  const ids = await listIdsByOrder(tx, accountId, orderId)
  const registrations: Registration[] = []
  for (const id of ids) registrations.push(await rules.get(tx, accountId, id))
  return registrations
}

/** Confirms the pending registrations of an order, and tells of each. @returns those that were confirmed by this */
export async function confirmOrder(tx: WriteTx, accountId: string, orderId: string): Promise<Registration[]> {
  const confirmed: Registration[] = []
  for (const { id, status } of await listByOrder(tx, accountId, orderId)) {
    if (status !== 'pending') continue
    await store.settle(tx, accountId, id, 'confirmed', await tx.now())
    await attendees.noteRegistrationAtDoors(tx, accountId, id)
    const registration = await rules.get(tx, accountId, id)
    await announce(tx, accountId, registration)
    confirmed.push(registration)
  }
  return confirmed
}

/**
 * Ends the pending registrations of an order that came to nothing: voids their tickets, gives the capacity back, and serves those
 * who wait for it. No event tells of them, as none told that they were there.
 */
export async function failOrder(tx: WriteTx, accountId: string, orderId: string): Promise<void> {
  for (const registration of await listByOrder(tx, accountId, orderId)) {
    if (registration.status !== 'pending') continue
    await store.settle(tx, accountId, registration.id, 'failed', await tx.now())
    await codes.releaseAll(tx, accountId, registration.id)
    const freed = await attendees.voidAll(tx, accountId, registration.id)
    const typeId = registration.registration_type_id as string
    const released = await registrationTypes.release(tx, accountId, typeId, freed)
    if (released !== undefined) await registrationTypes.serveReleased(tx, accountId, released)
  }
}

/**
 * Confirms the registrations of an order that came to nothing: takes the capacity and the uses of codes again, and the tickets are
 * good once more. One that was cancelled by itself stays so.
 *
 * @throws Problem sold_out, code_used_up
 */
export async function reviveOrder(tx: WriteTx, accountId: string, orderId: string): Promise<void> {
  for (const { id, status, event_id, registration_type_id, quantity } of await listByOrder(
    tx,
    accountId,
    orderId,
  )) {
    if (status !== 'failed') continue
    const type = await registrationTypes.get(tx, accountId, event_id, registration_type_id as string)
    await registrationTypes.reserve(tx, accountId, type, quantity)
    await codes.retakeAll(tx, accountId, id)
    await attendees.admitAll(tx, accountId, id)
    await store.settle(tx, accountId, id, 'confirmed', await tx.now(), 'failed')
    await announce(tx, accountId, await rules.get(tx, accountId, id))
  }
}

/** Emits that what a registration costs was paid. */
export async function announcePaid(
  tx: WriteTx,
  accountId: string,
  registration: Registration,
): Promise<void> {
  await emit(tx, accountId, 'payment.completed', registration)
}

/** Keeps what the processor took for a registration. @param fee minor units; null where it is not known */
export async function setFee(tx: WriteTx, accountId: string, id: string, fee: number | null): Promise<void> {
  await store.setFee(tx, accountId, id, fee, await tx.now())
}
