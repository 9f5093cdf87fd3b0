import { readInList } from '../db/in-list.ts'
import type { ReadTx } from '../db/port.ts'

/** Of items that are kept as they are: what each is known by, and what a file says of it, as the file calls it. */
const KEPT = {
  waitlist_entries: {
    key: 'reference',
    columns: `(SELECT t.name FROM registration_types t WHERE t.id = i.registration_type_id) AS registration_type,
      i.name, i.email, i.quantity, i.created_at, i.notified_at`,
  },
  abstracts: {
    key: 'code',
    columns: `i.title, i.abstract, i.keywords, i.authors, i.contact, i.file_name, i.status, i.decision_note, i.decided_at,
      i.submitted_at`,
  },
} as const

export type KeptTable = keyof typeof KEPT

export interface KeptRow {
  id: string
  key: string
  [column: string]: string | number | null
}

/** Those items of an event that are there already. */
export function listKept(
  tx: ReadTx,
  table: KeptTable,
  accountId: string,
  eventId: string,
  keys: readonly string[],
): Promise<KeptRow[]> {
  const { key, columns } = KEPT[table]
  return readInList(
    tx,
    keys,
    [accountId, eventId],
    // The account is asked of the event: beside the key it would lead the planner to the index of a list.
    list => `SELECT i.id, i.${key} AS key, ${columns} FROM events e JOIN ${table} i ON i.event_id = e.id
       WHERE e.account_id = $1 AND e.id = $2 AND i.${key} IN ${list}`,
  )
}
