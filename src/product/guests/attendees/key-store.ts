import { readInList } from '#machinery/db/in-list.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { TicketKey } from './ticket-code.ts'

export function findKeyOfEvent(tx: ReadTx, eventId: string): Promise<TicketKey | undefined> {
  return tx.one(
    `SELECT k.id, k.public_key, k.private_key FROM ticket_keys k JOIN events e ON e.id = k.event_id
     WHERE e.account_id = $1 AND k.event_id = $2`,
    [tx.accountId, eventId],
  )
}

/** Lists keys of the other published events that were not over at an instant, in milliseconds, those that end first before others. */
export function listKeysOfOthers(
  tx: ReadTx,
  eventId: string,
  { from, most }: { from: number; most: number },
): Promise<{ id: string; public_key: string; title: string }[]> {
  return tx.all(
    `SELECT k.id, k.public_key, e.title FROM events e JOIN ticket_keys k ON k.event_id = e.id
     WHERE e.account_id = $1 AND e.status = 'published' AND e.archived_at IS NULL AND e.deleting_at IS NULL
       AND coalesce(e.ends_at, e.starts_at + 86400000, 253402300799999) >= $2 AND e.id <> $3
     ORDER BY coalesce(e.ends_at, e.starts_at + 86400000, 253402300799999), e.id LIMIT $4`,
    [tx.accountId, from, eventId, most],
  )
}

/** Finds a key of any account, because a code names its key before anybody knows whose ticket it is. */
export function findPublicKey(
  tx: ReadTx,
  keyId: string,
): Promise<(Pick<TicketKey, 'public_key'> & { event_id: string }) | undefined> {
  return tx.one('SELECT public_key, event_id FROM ticket_keys WHERE id = $1', [keyId])
}

/** Lists those of these keys that belong to the account. */
export function listPublicKeys(
  tx: ReadTx,
  keyIds: readonly string[],
): Promise<{ id: string; public_key: string; event_id: string }[]> {
  return readInList(
    tx,
    keyIds,
    [tx.accountId],
    list => `SELECT k.id, k.public_key, k.event_id FROM ticket_keys k JOIN events e ON e.id = k.event_id
      WHERE k.id IN ${list} AND CASE WHEN e.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/** Inserts nothing if the key id is taken. */
export function insertKey(tx: WriteTx, eventId: string, key: TicketKey, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO ticket_keys (id, event_id, public_key, private_key, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (id) DO NOTHING`,
    [key.id, eventId, key.public_key, key.private_key, now],
  )
}

/** Lists the events of all accounts that have tickets but no key, as in a copy without secrets. */
export function listWithoutKey(tx: InstanceReadTx): Promise<{ id: string; account_id: string }[]> {
  return tx.all(
    `SELECT e.id, e.account_id FROM events e
     WHERE EXISTS (SELECT 1 FROM registrations r WHERE r.account_id = e.account_id AND r.event_id = e.id)
       AND NOT EXISTS (SELECT 1 FROM ticket_keys k WHERE k.event_id = e.id) ORDER BY e.id`,
  )
}
