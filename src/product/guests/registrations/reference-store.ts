import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { columns, type VersionedRow } from './store.ts'

/** Lists the ids of those registrations of an event that have one of these references. */
export function listIdsByReferences(
  tx: ReadTx,
  eventId: string,
  references: readonly string[],
): Promise<{ id: string; reference: string }[]> {
  return readInList(
    tx,
    references,
    [tx.accountId, eventId],
    list => `SELECT r.id, r.reference FROM registrations r WHERE r.event_id = $2 AND r.reference IN ${list}
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/** Returns the number of the newest registration, or 0 before there is one. */
export async function findLatestNumber(tx: ReadTx): Promise<number> {
  const row = await tx.one<{ number: number }>(
    'SELECT coalesce(max(n.number), 0) AS number FROM registrations n WHERE n.account_id = $1',
    [tx.accountId],
  )
  return row?.number ?? 0
}

const SELECT_VERSIONED = `SELECT ${columns('r.answers, r.updated_at, r.order_id')} FROM registrations r`

/** Lists those registrations of an event that have one of these references. */
export function listByReferences(
  tx: ReadTx,
  eventId: string,
  references: readonly string[],
): Promise<VersionedRow[]> {
  return readInList(
    tx,
    references,
    [tx.accountId, eventId],
    // The query compares the account but never looks it up, as a planner would then go through all of its rows.
    list => `${SELECT_VERSIONED} WHERE r.event_id = $2 AND r.reference IN ${list}
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}
