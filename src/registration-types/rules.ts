import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import { presentRegistrationType, type RegistrationType } from './schemas.ts'
import * as store from './store.ts'

/**
 * A type of this event, which is asked for only where the type is not found: then it may be the event that is unknown.
 *
 * @throws Problem not_found, with the field of the body that names the event or the type
 */
export async function get(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<RegistrationType> {
  const row = await store.find(tx, accountId, eventId, id)
  if (row === undefined) {
    await events.get(tx, accountId, eventId, 'event_id')
    throw new Problem('not_found', { param: 'registration_type_id' })
  }
  return presentRegistrationType(row)
}

/**
 * All types of an event, newest first.
 *
 * @throws Problem not_found
 */
export async function listByEvent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<RegistrationType[]> {
  const event = await events.get(tx, accountId, eventId)
  return (await store.listByEvent(tx, accountId, event.id)).map(presentRegistrationType)
}

/** How many tickets of each event that has types are sold, and how many it has in all, by event. */
export async function sumPlaces(
  tx: ReadTx,
  accountId: string,
): Promise<Map<string, { sold: number; capacity: number }>> {
  const rows = await store.sumPlaces(tx, accountId)
  return new Map(rows.map(({ event_id, sold, capacity }) => [event_id, { sold, capacity }]))
}

/**
 * Takes `quantity` tickets from the capacity, or none: writes are serialized, and the statement itself checks.
 *
 * @throws Problem sold_out with `details.available` (specification sections 3 and 7.4)
 */
export async function reserve(
  tx: WriteTx,
  accountId: string,
  type: Pick<RegistrationType, 'id' | 'capacity' | 'sold'>,
  quantity: number,
): Promise<void> {
  const changed = await store.reserve(tx, accountId, type.id, quantity, await tx.now())
  if (changed === 0) {
    throw new Problem('sold_out', { details: { requested: quantity, available: type.capacity - type.sold } })
  }
}

/** Gives `quantity` tickets back to the capacity. @returns how many of the type are free now */
export async function release(
  tx: WriteTx,
  accountId: string,
  typeId: string,
  quantity: number,
): Promise<number> {
  return (await store.release(tx, accountId, typeId, quantity, await tx.now()))?.available ?? 0
}

/**
 * Notes that something of a type's tickets has changed other than how many are sold, which notes itself: what is counted of an
 * event is counted anew then.
 */
export async function noteChange(tx: WriteTx, accountId: string, typeId: string): Promise<void> {
  await store.noteChange(tx, accountId, typeId, await tx.now())
}
