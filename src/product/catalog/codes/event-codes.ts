import { newUuid } from '#base/ids.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Code, presentCode } from './schemas.ts'
import * as store from './store.ts'

/** These functions work on all codes of an event at once. */

/** Lists all codes of an event, oldest first. @param typeIds as in `presentCode` */
export async function listAll(tx: ReadTx, eventId: string, typeIds?: ReadonlySet<string>): Promise<Code[]> {
  return (await store.listByEvent(tx, eventId)).map(row => presentCode(row, typeIds))
}

/**
 * Copies the codes of an event to another one. The copies are unused.
 *
 * @param typeOf the type of the copy, by the id of the original type
 * @param shift moves an instant by the time between the two events
 */
export async function copy(
  tx: WriteTx,
  from: string,
  to: string,
  {
    typeOf,
    shift,
  }: { typeOf: ReadonlyMap<string, string>; shift: (instant: number | null) => number | null },
): Promise<void> {
  const now = await tx.now()
  for (const row of await store.listByEvent(tx, from)) {
    const ids = row.registration_type_ids
    const copied = ids && JSON.stringify((JSON.parse(ids) as string[]).flatMap(id => typeOf.get(id) ?? []))
    const [valid_from, until] = [shift(row.valid_from), shift(row.valid_until)]
    // A change of the clocks could put the end before the start. The end is then the start.
    const valid_until = valid_from === null || until === null ? until : Math.max(valid_from, until)
    const own = { id: newUuid(), event_id: to, registration_type_ids: copied, used: 0 }
    await store.insert(tx, { ...row, ...own, valid_from, valid_until }, now)
  }
}

/**
 * Counts the uses of the codes of an event by its tickets, after an organization file has changed the tickets.
 *
 * @returns false if a code has more tickets than it allows
 */
export async function recount(tx: WriteTx, eventId: string): Promise<boolean> {
  await store.recount(tx, eventId, await tx.now())
  return (await store.findMiscounted(tx, eventId)) === undefined
}

/** Returns the codes that tickets of these registrations have, by the ids of the tickets. */
export async function byTicket(tx: ReadTx, registrationIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.listTickets(tx, registrationIds)
  return new Map(rows.map(({ id, code }) => [id, code]))
}
