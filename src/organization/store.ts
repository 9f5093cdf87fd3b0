import type { ReadTx } from '../db/port.ts'

/** What an item of an event is known by in the organization file. */
const KEYS = { registrations: 'reference', waitlist_entries: 'reference', abstracts: 'code' } as const

/** Keys a query; fewer are filled up, so that there is one statement to prepare. */
const KEYS_A_QUERY = 100
const PLACES = Array.from({ length: KEYS_A_QUERY }, (_, at) => `$${at + 3}`).join(', ')

/** The ids of those items of an event that are there already, by their keys. */
export async function findIds(
  tx: ReadTx,
  table: keyof typeof KEYS,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const column = KEYS[table]
  const ids = new Map<string, string>()
  for (let start = 0; start < keys.length; start += KEYS_A_QUERY) {
    const some = keys.slice(start, start + KEYS_A_QUERY)
    const filled = [...some, ...Array<string>(KEYS_A_QUERY - some.length).fill(some[0] as string)]
    const rows = await tx.all<{ key: string; id: string }>(
      // The account is asked of the event: beside the key it would lead the planner to the index of a list.
      `SELECT i.${column} AS key, i.id FROM events e JOIN ${table} i ON i.event_id = e.id
       WHERE e.account_id = $1 AND e.id = $2 AND i.${column} IN (${PLACES})`,
      [accountId, eventId, ...filled],
    )
    for (const { key, id } of rows) ids.set(key, id)
  }
  return ids
}
