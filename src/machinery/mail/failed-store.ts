import type { ReadTx } from '#machinery/db/port.ts'

/**
 * Lists the events of mails that failed and were made at that instant or after it, at most `most` mails. A mail of no event has
 * null.
 *
 * @param of names a single event, or none for all. @param since milliseconds
 */
export function listFailed(
  tx: ReadTx,
  { event_id, since }: { event_id: string | undefined; since: number },
  most: number,
): Promise<{ event_id: string | null }[]> {
  const ofEvent = event_id === undefined ? '' : 'AND m.event_id = $4'
  return tx.all(
    `SELECT m.event_id FROM emails m
     WHERE m.account_id = $1 AND m.status = 'failed' AND m.created_at >= $2 ${ofEvent} LIMIT $3`,
    [tx.accountId, since, most, ...(event_id === undefined ? [] : [event_id])],
  )
}
