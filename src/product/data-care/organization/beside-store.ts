import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Returns the references of what these extras without an order stand beside, by the id of the extra's registration. */
export async function findBeside(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<{ id: string; reference: string }>(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, f.reference FROM registrations r JOIN registrations f ON f.id = r.beside
       WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
}

/** Returns the ids of those registrations of the event that an extra may stand beside, by these references. */
export async function findTickets(
  tx: ReadTx,
  eventId: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readInList<{ id: string; reference: string }>(
    tx,
    references,
    [tx.accountId, eventId],
    list => `SELECT r.id, r.reference FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
       WHERE r.event_id = $2 AND r.reference IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1
         AND r.order_id IS NULL AND r.beside IS NULL AND t.kind <> 'extra'`,
  )
  return new Map(rows.map(({ id, reference }) => [reference, id]))
}
