import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { emitAll } from '#product/administration/webhooks/outbox.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import * as rules from './rules.ts'
import { type Registration, withVoided } from './schemas.ts'
import * as store from './store.ts'

/** Names tickets of one registration that become void. */
export interface Voiding {
  ticketIds: readonly string[]
  /** Minor units. This is what goes back for the registration in all, now and before. */
  refunded: number
}

/**
 * Voids some tickets of a confirmed registration. It gives back their places and uses of codes, and serves the waitlist. The
 * registration stays confirmed while other tickets are valid. With the last ticket it is refunded if money goes back, or else
 * cancelled, and one event reports it.
 *
 * @throws Problem not_found; registration_not_confirmed; ticket_voided if one of them was void before
 */
export async function voidTickets(tx: WriteTx, id: string, voiding: Voiding): Promise<Registration> {
  const registration = await rules.get(tx, id)
  const [voided] = await voidAll(tx, [{ ...voiding, registration }])
  return voided as Registration
}

/**
 * Voids tickets of several registrations, as they were read in this transaction.
 *
 * @returns the registrations as they are now
 * @throws Problem registration_not_confirmed; ticket_voided
 */
export async function voidAll(
  tx: WriteTx,
  voidings: readonly (Voiding & { registration: Registration })[],
): Promise<Registration[]> {
  if (voidings.some(({ registration }) => registration.status !== 'confirmed'))
    throw new Problem('registration_not_confirmed')
  const all = new Set(voidings.flatMap(({ ticketIds }) => ticketIds))
  const ids = voidings.map(({ registration }) => registration.id)
  await codes.releaseAll(tx, ids, ticket => all.has(ticket))
  const released: registrationTypes.Released[] = []
  const changed: Registration[] = []
  for (const { registration, ticketIds, refunded } of voidings) {
    const { id, registration_type_id: typeId } = registration
    await attendees.voidSome(tx, id, ticketIds)
    changed.push(await endVoid(tx, withVoided(registration, ticketIds), refunded))
    const places = await registrationTypes.release(tx, typeId as string, ticketIds.length)
    if (places !== undefined) released.push(places)
  }
  await registrationTypes.serveReleased(tx, released)
  const cancelled = changed.filter(({ status }) => status !== 'confirmed')
  await emitAll(tx, 'registration.cancelled', cancelled)
  return changed
}

/**
 * Ends a registration if none of its tickets is valid any more.
 *
 * @returns the registration as it is now
 */
export async function endVoid(
  tx: WriteTx,
  registration: Registration,
  refunded: number,
): Promise<Registration> {
  if (registration.attendees.some(({ voided }) => !voided)) return registration
  const now = await tx.now()
  if (refunded === 0) {
    await store.markCancelled(tx, registration.id, now)
    return { ...registration, status: 'cancelled', cancelled_at: toIso(now) }
  }
  await store.markCancelled(tx, registration.id, now, refunded)
  return { ...registration, status: 'refunded' }
}

/**
 * Records that money goes back for a registration whose tickets are void already. It does not report the cancellation once more.
 *
 * @param registration the registration as it was read in this transaction
 * @param refunded the minor units that go back for it in all
 * @returns the registration as it is now
 */
export async function keepRefunded(
  tx: WriteTx,
  registration: Registration,
  refunded: number,
): Promise<Registration> {
  await store.markCancelled(tx, registration.id, await tx.now(), refunded)
  return { ...registration, status: 'refunded' }
}
