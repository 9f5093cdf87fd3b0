import type { WriteTx } from '../db/port.ts'
import * as store from './door-change-store.ts'

/*
 * What the doors of an event see of a ticket (who has it, whether it is good, whether it is in) changes in many ways. Each of them
 * notes it in its own transaction, under the number of that write; nothing is noted while the event has no device.
 */

/** Notes one ticket. */
export async function noteTicketAtDoors(tx: WriteTx, accountId: string, id: string): Promise<void> {
  await store.noteTicket(tx, accountId, id, await tx.now())
}

/** Notes each ticket of a registration. */
export async function noteRegistrationAtDoors(tx: WriteTx, accountId: string, id: string): Promise<void> {
  await store.noteRegistration(tx, accountId, id, await tx.now())
}

/** Notes that so many tickets of an event have changed that doors copy its list anew. */
export async function noteEventAtDoors(tx: WriteTx, accountId: string, eventId: string): Promise<void> {
  await store.noteEvent(tx, accountId, eventId, await tx.now())
}
