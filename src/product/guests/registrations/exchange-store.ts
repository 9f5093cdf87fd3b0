import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/**
 * Lists those of these registrations that took the place of a ticket which was paid, also where others were exchanged in between: one as
 * often as there are such tickets.
 */
export function listForPaid(tx: ReadTx, ids: readonly string[]): Promise<{ id: string }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `WITH RECURSIVE former (id, ticket_id) AS (
       SELECT r.id, r.exchanged_for FROM registrations r
       WHERE r.id IN ${list} AND r.exchanged_for IS NOT NULL AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1
       UNION ALL
       SELECT f.id, r.exchanged_for FROM former f JOIN attendees a ON a.id = f.ticket_id
       JOIN registrations r ON r.id = a.registration_id WHERE r.exchanged_for IS NOT NULL)
     SELECT f.id FROM former f JOIN attendees a ON a.id = f.ticket_id WHERE a.price > a.discount`,
  )
}

/** Finds the registration of the ticket whose place a registration took. */
export function findFormer(tx: ReadTx, id: string): Promise<{ id: string } | undefined> {
  return tx.one(
    `SELECT f.id FROM registrations r JOIN attendees a ON a.id = r.exchanged_for JOIN registrations f ON f.id = a.registration_id
     WHERE r.account_id = $1 AND r.id = $2`,
    [tx.accountId, id],
  )
}

/** Lists those of these tickets that others took the place of, each with the registration that did. */
export function listExchanged(
  tx: ReadTx,
  ticketIds: readonly string[],
): Promise<{ id: string; by_id: string }[]> {
  return readInList(
    tx,
    ticketIds,
    [tx.accountId],
    list => `SELECT r.exchanged_for AS id, r.id AS by_id FROM registrations r
       WHERE r.account_id = $1 AND r.exchanged_for IN ${list}`,
  )
}
