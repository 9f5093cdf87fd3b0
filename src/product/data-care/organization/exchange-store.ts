import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** A ticket as a file names it: by the reference of its registration, and which of its tickets it is, from 1. */
export interface FormerTicket {
  registration: string
  ticket: number
}

/** Returns the tickets whose places these registrations took, by the id of the registration. */
export async function findFormerTickets(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<Map<string, FormerTicket>> {
  const rows = await readInList<{ id: string; reference: string; position: number }>(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, f.reference, a.position FROM registrations r JOIN attendees a ON a.id = r.exchanged_for
       JOIN registrations f ON f.id = a.registration_id WHERE r.id IN ${list} AND r.exchanged_for IS NOT NULL
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
  return new Map(
    rows.map(({ id, reference, position }) => [id, { registration: reference, ticket: position + 1 }]),
  )
}
