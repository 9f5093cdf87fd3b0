import { readInList } from '../db/in-list.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'

// The account is that of the event, so that the keys come from their index alone.
const OF_EVENT = 'FROM events e JOIN answer_keys k ON k.event_id = e.id WHERE e.account_id = $1 AND e.id = $2'

export async function listKeys(tx: ReadTx, accountId: string, eventId: string): Promise<string[]> {
  const rows = await tx.all<{ key: string }>(`SELECT k.key ${OF_EVENT}`, [accountId, eventId])
  return rows.map(({ key }) => key)
}

/** How many of the keys the event has. */
export async function countKnown(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<number> {
  const counts = await readInList<{ count: number }>(
    tx,
    keys,
    [accountId, eventId],
    list => `SELECT count(*) AS count ${OF_EVENT} AND k.key IN ${list}`,
  )
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Counts no further than `limit`. */
export async function countKeys(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  limit: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 ${OF_EVENT} LIMIT $3) AS slice`,
    [accountId, eventId, limit],
  )
  return row?.count ?? 0
}

/** Changes no row when the event has the key. */
export function insertKey(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  key: string,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO answer_keys (account_id, event_id, key, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (event_id, key) DO NOTHING`,
    [accountId, eventId, key, now],
  )
}
