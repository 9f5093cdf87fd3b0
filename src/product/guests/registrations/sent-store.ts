import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Lists those of these registrations that have a ticket that admits somebody and was mailed, or was not. */
export function listWithTicket(
  tx: ReadTx,
  registrationIds: readonly string[],
  isMailed: boolean,
): Promise<{ id: string }[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    list => `SELECT DISTINCT r.id FROM registrations r JOIN attendees a ON a.registration_id = r.id
       WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1 AND r.status = 'confirmed'
         AND a.voided = 0 AND a.mailed_at IS ${isMailed ? 'NOT NULL' : 'NULL'}`,
  )
}
