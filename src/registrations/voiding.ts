import * as attendees from '../attendees/rules.ts'
import * as codes from '../codes/rules.ts'
import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import { emit } from '../webhooks/outbox.ts'
import * as rules from './rules.ts'
import type { Registration } from './schemas.ts'
import * as store from './store.ts'

/** Tickets of one registration that become void. */
export interface Voiding {
  ticketIds: readonly string[]
  /** Minor units: what goes back for the registration in all, by this and before. */
  refunded: number
}

/**
 * Voids some tickets of a confirmed registration: their places and uses of codes are given back, and those who wait are served.
 * While others are good it stays confirmed; with the last it is refunded, where money goes back, or else cancelled, and told of once.
 *
 * @throws Problem not_found; registration_not_confirmed; ticket_voided where one of them was void before
 */
export async function voidTickets(
  tx: WriteTx,
  accountId: string,
  id: string,
  { ticketIds, refunded }: Voiding,
): Promise<Registration> {
  const { status, registration_type_id: typeId } = await rules.get(tx, accountId, id)
  if (status !== 'confirmed') throw new Problem('registration_not_confirmed')
  await codes.releaseAll(tx, accountId, id, ticket => ticketIds.includes(ticket))
  await attendees.voidSome(tx, accountId, id, ticketIds)
  const isOver = (await attendees.countValid(tx, accountId, [id])) === 0
  if (isOver) await store.markCancelled(tx, accountId, id, await tx.now(), refunded === 0 ? null : refunded)
  const released = await registrationTypes.release(tx, accountId, typeId as string, ticketIds.length)
  if (released !== undefined) await registrationTypes.serveReleased(tx, accountId, released)
  const now = await rules.get(tx, accountId, id)
  if (isOver) await emit(tx, accountId, 'registration.cancelled', now)
  return now
}

/**
 * Keeps that money goes back for a registration whose tickets are void already: nobody is told that it is cancelled once more.
 *
 * @param refunded minor units: what goes back for it in all
 */
export async function keepRefunded(
  tx: WriteTx,
  accountId: string,
  id: string,
  refunded: number,
): Promise<void> {
  await store.markCancelled(tx, accountId, id, await tx.now(), refunded)
}
