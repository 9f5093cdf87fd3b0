import type { ReadTx } from '../db/port.ts'

/**
 * The events, null for none, of mails that failed and were made at that instant or after it, `most` mails at most.
 *
 * @param of of one event alone, where it names one. @param since milliseconds
 */
export function listFailed(
  tx: ReadTx,
  accountId: string,
  { event_id, since }: { event_id: string | undefined; since: number },
  most: number,
): Promise<{ event_id: string | null }[]> {
  const ofEvent = event_id === undefined ? '' : 'AND m.event_id = $4'
  return tx.all(
    `SELECT m.event_id FROM emails m
     WHERE m.account_id = $1 AND m.status = 'failed' AND m.created_at >= $2 ${ofEvent} LIMIT $3`,
    [accountId, since, most, ...(event_id === undefined ? [] : [event_id])],
  )
}
