import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

// It takes the account from the event, so that the index of keys alone answers the query.
const OF_EVENT = 'FROM events e JOIN answer_keys k ON k.event_id = e.id WHERE e.account_id = $1 AND e.id = $2'

export async function listKeys(tx: ReadTx, eventId: string): Promise<string[]> {
  const rows = await tx.all<{ key: string }>(`SELECT k.key ${OF_EVENT}`, [tx.accountId, eventId])
  return rows.map(({ key }) => key)
}

const COUNT_EXISTING = keptTexts(list => `SELECT count(*) AS count ${OF_EVENT} AND k.key IN ${list}`)

/** Counts those of the keys that the event has. */
export async function countExisting(tx: ReadTx, eventId: string, keys: readonly string[]): Promise<number> {
  const counts = await readInList<{ count: number }>(tx, keys, [tx.accountId, eventId], COUNT_EXISTING)
  return counts.reduce((sum, { count }) => sum + count, 0)
}

/** Counts the keys of an event, up to `limit`. */
export async function countKeys(tx: ReadTx, eventId: string, limit: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 ${OF_EVENT} LIMIT $3) AS slice`,
    [tx.accountId, eventId, limit],
  )
  return row?.count ?? 0
}

/** Inserts nothing if the event already has the key. */
export function insertKey(tx: WriteTx, eventId: string, key: string, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO answer_keys (account_id, event_id, key, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (event_id, key) DO NOTHING`,
    [tx.accountId, eventId, key, now],
  )
}
