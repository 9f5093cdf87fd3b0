import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as store from './door-change-store.ts'

/*
 * The doors of an event see who has a ticket, whether it is valid and whether it is checked in. This changes in many ways. Each
 * of them notes the change in its own transaction, under the number of that write. Nothing is noted while the event has no
 * device.
 */

/** Changes are kept this long, in milliseconds. A copy of the list that is not older can catch up. */
export const CHANGES_KEPT = DAY

/** Notes one ticket as changed. */
export async function noteTicketAtDoors(tx: WriteTx, id: string): Promise<void> {
  await store.noteTicket(tx, id, await tx.now())
}

/** Notes each ticket of a registration as changed. */
export async function noteRegistrationAtDoors(tx: WriteTx, id: string): Promise<void> {
  await store.noteRegistration(tx, id, await tx.now())
}

/** Notes the tickets of a registration that this write has just issued for the event. */
export async function noteNewAtDoors(tx: WriteTx, eventId: string, registrationId: string): Promise<void> {
  await store.noteNew(tx, eventId, registrationId, await tx.now())
}

/** Notes that so many tickets of an event have changed that doors have to copy its list anew. */
export async function noteEventAtDoors(tx: WriteTx, eventId: string): Promise<void> {
  await store.noteEvent(tx, eventId, await tx.now())
}
