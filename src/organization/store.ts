import { readInList } from '../db/in-list.ts'
import type { ReadTx } from '../db/port.ts'

/** What an item of an event is known by in the organization file. */
const KEYS = { waitlist_entries: 'reference', abstracts: 'code' } as const

/** The ids of those items of an event that are there already, by their keys. */
export async function findIds(
  tx: ReadTx,
  table: keyof typeof KEYS,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const column = KEYS[table]
  const rows = await readInList<{ key: string; id: string }>(
    tx,
    keys,
    [accountId, eventId],
    // The account is asked of the event: beside the key it would lead the planner to the index of a list.
    list => `SELECT i.${column} AS key, i.id FROM events e JOIN ${table} i ON i.event_id = e.id
       WHERE e.account_id = $1 AND e.id = $2 AND i.${column} IN ${list}`,
  )
  return new Map(rows.map(({ key, id }) => [key, id]))
}
