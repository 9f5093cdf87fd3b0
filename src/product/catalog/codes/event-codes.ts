import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { type Code, presentCode } from './schemas.ts'
import * as store from './store.ts'

/** What is done with all codes of an event at once. */

/** All of them, oldest first. @param typeIds as `presentCode` has it */
export async function listAll(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  typeIds?: ReadonlySet<string>,
): Promise<Code[]> {
  return (await store.listByEvent(tx, accountId, eventId)).map(row => presentCode(row, typeIds))
}

/**
 * Copies the codes of an event to another, unused.
 *
 * @param typeOf the type of the copy, by the id of that of the original
 * @param shift moves an instant as far as the events are apart
 */
export async function copy(
  tx: WriteTx,
  accountId: string,
  from: string,
  to: string,
  {
    typeOf,
    shift,
  }: { typeOf: ReadonlyMap<string, string>; shift: (instant: number | null) => number | null },
): Promise<void> {
  const now = await tx.now()
  for (const row of await store.listByEvent(tx, accountId, from)) {
    const ids = row.registration_type_ids
    const copied = ids && JSON.stringify((JSON.parse(ids) as string[]).flatMap(id => typeOf.get(id) ?? []))
    const [valid_from, until] = [shift(row.valid_from), shift(row.valid_until)]
    // Where a change of the clocks would turn the two around, the end is the beginning.
    const valid_until = valid_from === null || until === null ? until : Math.max(valid_from, until)
    const own = { id: newUuid(), event_id: to, registration_type_ids: copied, used: 0 }
    await store.insert(tx, accountId, { ...row, ...own, valid_from, valid_until }, now)
  }
}

/**
 * Counts the uses of the codes of an event by its tickets, once an organization file has changed these.
 *
 * @returns false where a code has more tickets than it is good for
 */
export async function recount(tx: WriteTx, accountId: string, eventId: string): Promise<boolean> {
  await store.recount(tx, accountId, eventId, await tx.now())
  return (await store.findMiscounted(tx, accountId, eventId)) === undefined
}

/** The codes that tickets of an event have, by the ids of the tickets. */
export async function byTicket(tx: ReadTx, accountId: string, eventId: string): Promise<Map<string, string>> {
  const rows = await store.listTickets(tx, accountId, eventId)
  return new Map(rows.map(({ id, code }) => [id, code]))
}
