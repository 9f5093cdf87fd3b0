import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { ticketsAmong } from './kinds.ts'
import { presentRegistrationType, type RegistrationType } from './schemas.ts'
import * as store from './store.ts'

/**
 * Lists the types of an event that are tickets, newest first. Guests have tickets, and extras only beside them.
 *
 * @throws Problem not_found
 */
export async function listTickets(tx: ReadTx, eventId: string): Promise<RegistrationType[]> {
  const event = await events.get(tx, eventId)
  return ticketsAmong(await store.listByEvent(tx, event.id)).map(presentRegistrationType)
}

/** Returns the ids of the types of an event that are extras. */
export async function listExtras(tx: ReadTx, eventId: string): Promise<ReadonlySet<string>> {
  return new Set((await store.listExtras(tx, eventId)).map(({ id }) => id))
}
