import type { ReadTx } from '#machinery/db/port.ts'

/** Holds what is counted of an entry. */
export interface CountedEntryRow {
  attendee_id: string
  slot: string
  entered_at: number
  left_at: number | null
}

/** Lists the entries of an event before one of them, newest first. */
export function listEntriesBefore(
  tx: ReadTx,
  eventId: string,
  last: CountedEntryRow | undefined,
  size: number,
): Promise<CountedEntryRow[]> {
  return tx.all(
    `SELECT n.attendee_id, n.slot, n.entered_at, n.left_at FROM entries n
     WHERE n.account_id = $1 AND n.event_id = $2 AND (n.entered_at, n.attendee_id, n.slot) < ($3, $4, $5)
     ORDER BY n.entered_at DESC, n.attendee_id DESC, n.slot DESC LIMIT $6`,
    [
      tx.accountId,
      eventId,
      last?.entered_at ?? Number.MAX_SAFE_INTEGER,
      last?.attendee_id ?? '',
      last?.slot ?? '',
      size,
    ],
  )
}
